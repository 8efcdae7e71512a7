"""What the tests of the library share: a shell, and small lists made by hand."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from evaluation.cli import main
from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.scores import score


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`process("score", "gains.txt", …)` runs the command line as a user does, in a folder of its own."""
    root = str(Path(__file__).parents[2])

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "evaluation", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": root},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    return run


@pytest.fixture
def shell(tmp_path: Path, monkeypatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The same without a new interpreter, for the many cases that would spend their time on starting one."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
            status = main(words)
        return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())

    return run


def made(topics: dict[str, tuple[Sequence[float], Sequence[float]]], tag: str = "run") -> tuple[Gains, Run]:
    """Per topic the gains along one run's ranks, and those of judged documents it did not retrieve."""
    judged, ranked = [], []
    for topic, (gains, rest) in topics.items():
        judged += [(topic, f"{topic}-{i}", float(g)) for i, g in enumerate([*gains, *rest])]
        ranked += [(topic, f"{topic}-{i}", -float(i)) for i in range(len(gains))]
    run_columns = zip(*ranked, strict=True) if ranked else ((), (), ())
    return Gains.from_columns(*zip(*judged, strict=True)), Run.from_columns(tag, *run_columns)


@pytest.fixture
def collection() -> Callable[..., tuple[Gains, Run]]:
    """`collection({topic: (gains by rank, gains not retrieved)})` makes gains and a run."""
    return made


@pytest.fixture
def value() -> Callable[..., float | None]:
    """`value("nDCG@10", gains by rank, gains not retrieved)` scores one list of one topic."""

    def scored(measure: str, gains: Sequence[float], rest: Sequence[float] = (), **settings) -> float | None:
        judged, run = made({"t": (gains, rest)})
        return score(judged, [run], [measure], **settings).means()[0].value

    return scored


@pytest.fixture
def file(tmp_path):
    """`file(content)` writes a file and gives its path as text."""

    def written(content, name="file"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return written
