"""The library's commands, as a researcher types them."""

from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper

from evaluation.cli import main


def library(*arguments: object) -> str:
    """Run `plumbline …` in this process, which must succeed; return its standard output."""
    output, errors = TextIOWrapper(BytesIO(), encoding="utf-8", newline="\n"), StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        assert main([str(argument) for argument in arguments]) == 0, errors.getvalue()
    output.flush()
    return output.buffer.getvalue().decode()  # type: ignore[attr-defined]
