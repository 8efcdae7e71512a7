"""What a refusal or a warning carries, in whatever words: its place, and the values at fault."""

from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import CompletedProcess

import pytest

from evaluation.errors import InputError
from tests.evaluation.command_results import error_line
from tests.support.named import assert_names

OPTION = ("unknown-choice", "misspelt-choice")
"""The codes of an error about an option's value, without and with a suggestion."""


@contextmanager
def refused(code: str | tuple[str, ...], *values: str, at: str = "") -> Iterator[None]:
    """Assert that the block raises `InputError` for the place `at`, and that the error names the values.

    `code` is the error's code, or all that the cases of a test have.
    """
    with pytest.raises(InputError) as caught:
        yield
    assert caught.value.code in ((code,) if isinstance(code, str) else code)
    assert caught.value.where == at
    assert_names(caught.value.what, *values)
    assert "\n" not in str(caught.value)


def assert_fault(done: CompletedProcess[str], *values: str, at: str = "") -> None:
    """Assert that a command failed with one line, which begins with the place `at` and names the values."""
    line = error_line(done)
    assert line.startswith(f"{at}: " if at else "")
    assert_names(line.removeprefix(f"{at}: "), *values)


def assert_warnings(done: CompletedProcess[str], *lines: tuple[str, ...]) -> None:
    """Assert that a command ended well with one warning for each of `lines`, which names its values."""
    assert done.returncode == 0, done.stderr
    warnings = done.stderr.splitlines()
    assert len(warnings) == len(lines), done.stderr
    for warning, values in zip(warnings, lines, strict=True):
        assert warning.startswith("warning: ")
        assert_names(warning, *values)
