"""What a command of the library printed when it succeeded, and its error when it failed."""

from subprocess import CompletedProcess


def output_of(done: CompletedProcess[str]) -> str:
    """Return what a command printed. Fail if the command failed."""
    assert done.returncode == 0, done.stderr
    return done.stdout


def error_line(done: CompletedProcess[str]) -> str:
    """Return the only line that a command wrote to stderr. Fail if the command succeeded."""
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")
    return done.stderr
