"""Programs of the site in process groups of their own, to be stopped as a supervisor does, or killed."""

import ctypes
import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60


PR_SET_MDWE, REFUSE_EXEC_GAIN = 65, 1
"""What systemd's MemoryDenyWriteExecute does; before Linux 6.3 programs start with such memory."""


def _deny_executable_memory() -> None:
    output = ctypes.CDLL(None, use_errno=True).prctl(PR_SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0)
    if output and ctypes.get_errno() != errno.EINVAL:
        raise OSError(ctypes.get_errno(), "memory that can be written to and run could not be denied")


class Program:
    """`manage.py` with these words, its environment variables added to ours; what it prints goes to `log`.

    `through` is a command that takes another as its last words, and becomes it. It inherits `pass_fds`.
    """

    def __init__(
        self,
        log: Path,
        *words: str,
        no_executable_memory: bool = False,
        through: Sequence[str] = (),
        pass_fds: Sequence[int] = (),
        **variables: str,
    ) -> None:
        self.log = log
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        with log.open("ab") as file:
            self.process = subprocess.Popen(
                [*through, sys.executable, "manage.py", *words],
                cwd=ROOT,
                env=inherited | variables,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
                pass_fds=pass_fds,
                preexec_fn=_deny_executable_memory if no_executable_memory else None,
            )

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let it and its children do nothing inside this block."""
        os.killpg(self.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self.process.pid, signal.SIGCONT)

    def kill(self) -> None:
        """`kill -9` to it and its children alike: nobody is left to say goodbye."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Ask it to end, as a supervisor does."""
        if not self.ended:
            self.process.terminate()
            try:
                self.process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()

    def wait_for(self, what: Callable[[], bool], seconds: float = SECONDS) -> None:
        """Wait until something has come true; fails with what the program printed where it does not."""
        deadline = time.monotonic() + seconds
        while not what():
            assert not self.ended, f"it has ended: {self.log.read_text()}"
            assert time.monotonic() < deadline, f"nothing in {seconds} s: {self.log.read_text()}"
            time.sleep(0.02)
