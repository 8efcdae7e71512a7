"""The command line, with a module for each command. This module has the code that the commands share.

A command is a module with `SUMMARY`, `DETAILS`, `arguments(parser)` and `run(args)`. Slow imports happen
inside `run`, so that `--help` answers at once.
"""

import argparse
import importlib
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, TextIO

from ..errors import InputError, shown
from ..scales import DEFAULT, scale_names
from ..spelling import nearest_name

if TYPE_CHECKING:
    import polars as pl

    from ..notices import Notices

NAME: Final = __name__.partition(".")[0]
PROGRAM: Final = "plumbline" if NAME == "plumbline_ir" else f"python -m {NAME}"
"""What people type: in a checkout, the folder has another name, and there is no command `plumbline`."""
COMMANDS = (
    "normalise",
    "gains",
    "check",
    "score",
    "compare",
    "arms",
    "judges",
    "correlate",
    "distance",
    "topset",
    "allocate",
    "sample",
    "intervals",
    "stability",
    "discrimination",
    "plan",
    "report",
    "conformance",
)
DESCRIPTION = """Compute system scores from files of relevance judgments.

  plumbline normalise judgments.csv -o normalised.csv
  plumbline gains normalised.csv -o gains.txt
  plumbline score gains.txt runs/*.gz -m nDCG@10 'ERR(stop="share")@10' --per-topic -o scores.tsv
  plumbline correlate scores.tsv other-scores.tsv

commands:
"""
LIKE_A_FILE = re.compile(r"/|\.[A-Za-z]\w*$")
"""A pattern that matches only file names, so that a missing file is not reported as a misspelt measure."""
_warnings: list[str] = []


class Parser(argparse.ArgumentParser):
    """A parser that reports bad arguments like any other bad input: in one line, with exit status 1."""

    def error(self, message: str) -> NoReturn:
        """Raise `InputError` for arguments that argparse does not accept."""
        unknown = re.match(r"unrecognized arguments: (--[^\s=]+)", message)
        if unknown and (nearest := nearest_name(unknown[1], self._option_string_actions)):
            raise InputError(
                "misspelt-option",
                "there is no option {option}; did you mean {near}? (see {program} --help)",
                option=unknown[1],
                near=nearest,
                program=self.prog,
            )
        raise InputError(
            "wrong-arguments", "{reason} (see {program} --help)", reason=message, program=self.prog
        )


def main(argv: Sequence[str]) -> int:
    """Run a command and return its exit status: 0 for success, 1 for failure, 130 after Ctrl-C.

    If the command fails, a line on stderr says why.
    """
    _warnings.clear()
    try:
        _dispatch(list(argv))
        sys.stdout.flush()
        _print_warnings()
    except InputError as error:
        if error.code == "strict-warnings":
            _print_warnings()
        print(" ".join(str(error).splitlines()), file=sys.stderr)
        return 1
    except BrokenPipeError:
        # A program such as `head` has closed the pipe. Standard output is replaced, because Python would
        # otherwise report an error on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"the output cannot be written: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _print_warnings() -> None:
    for text in _warnings:
        print(f"warning: {text}", file=sys.stderr)


def _dispatch(argv: list[str]) -> None:
    if argv and argv[0] in COMMANDS:
        command = importlib.import_module(f"{__name__}.{argv[0]}")
        parser = _parser(f"{PROGRAM} {argv[0]}", f"{command.SUMMARY}\n\n{command.DETAILS}")
        command.arguments(parser)
        command.run(parser.parse_intermixed_args(_measures_last(argv[1:])))
        return
    if argv and not argv[0].startswith("-"):
        if nearest := nearest_name(argv[0], COMMANDS):
            raise InputError(
                "misspelt-command",
                "there is no command {command}; did you mean {near}? (see {program} --help)",
                command=shown(argv[0]),
                near=nearest,
                program=PROGRAM,
            )
        raise InputError(
            "unknown-command",
            "there is no command {command}; choose from {known} (see {program} --help)",
            command=shown(argv[0]),
            known=", ".join(COMMANDS),
            program=PROGRAM,
        )
    lines = (f"  {name:<16}{summary}" for name, summary in summaries().items())
    parser = _parser(PROGRAM, DESCRIPTION + "\n".join(lines))
    parser.add_argument(
        "command", metavar="COMMAND", help="a command from this list; COMMAND --help explains it"
    )
    parser.parse_args(argv)


def summaries() -> dict[str, str]:
    """Return what each command computes, by the command's name."""
    return {name: importlib.import_module(f"{__name__}.{name}").SUMMARY for name in COMMANDS}


def markdown() -> Iterator[str]:
    """Yield the lines of Markdown that document the commands."""
    yield "| command | result |\n|---|---|\n"
    for name, summary in summaries().items():
        yield f"| [`{name}`](#{name}) | {summary} |\n"


def _parser(prog: str, description: str) -> Parser:
    layout = argparse.RawDescriptionHelpFormatter
    return Parser(prog=prog, description=as_typed(description), formatter_class=layout, allow_abbrev=False)


def as_typed(text: str) -> str:
    """Return a text with its examples of commands as people type them here (see `PROGRAM`)."""
    return re.sub("^  plumbline ", f"  {PROGRAM} ", text, flags=re.MULTILINE)


def _measures_last(argv: list[str]) -> list[str]:
    """Return the arguments, with any files that follow `-m` moved to the front.

    This way, files can be given after the measures.
    """
    files: list[str] = []
    measures: list[str] = []
    in_measures = False
    for word in argv if "--" not in argv else ():
        if word.startswith("-") and word != "-":
            in_measures = word in ("-m", "--measures")
        (measures if in_measures and _is_measure(word) else files).append(word)
    return files + measures or argv


def _is_measure(word: str) -> bool:
    """Return whether a word after `-m` is a measure and not a file.

    A word that names an existing file is a measure only if it can be parsed as a measure.
    """
    if word.startswith("-"):
        return True
    if LIKE_A_FILE.search(word):
        return False
    if not Path(word).is_file():
        return True
    from ..measures import parse

    try:
        parse(word)
    except InputError:
        return False
    return True


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the option `-o`, which names the file to write."""
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of standard output")


def add_choice(
    parser: argparse.ArgumentParser, name: str, choices: tuple[str, ...], description: str
) -> None:
    """Add an option with a fixed set of choices. The first choice is the default."""
    parser.add_argument(
        name, choices=choices, default=choices[0], help=f"{description} (default: {choices[0]})"
    )


def add_scale(parser: argparse.ArgumentParser, words: str = "what the numbers are") -> None:
    """Add the option `--scale`."""
    parser.add_argument(
        "--scale", choices=scale_names(), default=DEFAULT, help=f"{words} (default: {DEFAULT})"
    )


def add_strict(parser: argparse.ArgumentParser) -> None:
    """Add the option `--strict`."""
    parser.add_argument("--strict", action="store_true", help="fail if there is a warning")


def warn_of(notices: "Notices", *, strict: bool = False) -> None:
    """Write the warnings to stderr at the end. With `strict`, raise `InputError` if there is one."""
    warnings = notices.warnings.sentences()
    for text in warnings:
        warn(text)
    if strict and warnings:
        raise InputError(
            "strict-warnings",
            "with --strict, warnings are errors, and there are {number}; correct what they name, or leave "
            "out --strict",
            number=len(warnings),
        )


def refuse_digits(digits: int, *, least: int) -> None:
    """Raise `InputError` if `digits` is below `least` or above 17."""
    if not least <= digits <= 17:
        raise InputError(
            "digits-out-of-bounds",
            "--digits {digits} is out of bounds; give a number from {least} to 17",
            digits=str(digits),
            least=least,
        )


@contextmanager
def output(path: str | None) -> Iterator[TextIO]:
    """Open a file for writing, or standard output if `path` is None.

    Text is written as UTF-8 with plain line feeds. Raise `InputError` if the file cannot be written.
    """
    if path is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
        return
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as out:
            yield out
    except OSError as error:
        raise InputError(
            "file-unwritable",
            "the file cannot be written ({reason}); check its path and permissions",
            path,
            reason=error.strerror or str(error),
        ) from None


def write_table(
    table: "pl.DataFrame", path: str | None, form: str, digits: int, *, hidden: Sequence[str] = ()
) -> None:
    """Write a table to a file, or to standard output if `path` is None.

    `form` is `csv`, `json` or `tsv`. A `csv` or `json` table has column names, all columns and all digits. In
    a `tsv` table, there is no header, `hidden` columns are left out, null is a dash, and floats have `digits`
    decimals.
    """
    with output(path) as out:
        if form == "csv":
            out.write(table.write_csv())
        elif form == "json":
            out.write(table.write_json() + "\n")
        else:
            for row in table.drop(hidden).iter_rows():
                out.write("\t".join(_cell(value, digits) for value in row) + "\n")


def _cell(value: str | float | None, digits: int) -> str:
    if value is None:
        return "-"
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def refuse_negative_seed(seed: int) -> None:
    """Raise `InputError` for a negative seed."""
    if seed < 0:
        raise InputError("negative-seed", "--seed {seed} is negative; give 0 or more", seed=str(seed))


def warn(text: str) -> None:
    """Store a warning, which is printed to stderr after the command has succeeded.

    A command that fails prints only its error.
    """
    _warnings.append(text)
