"""How a command ended: what it printed, where it should have done well, and its complaint where not."""

from subprocess import CompletedProcess


def good(done: CompletedProcess[str]) -> str:
    """What a command that did well printed."""
    assert done.returncode == 0, done.stderr
    return done.stdout


def fault(done: CompletedProcess[str]) -> str:
    """The one line on stderr of a command that failed."""
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")
    return done.stderr
