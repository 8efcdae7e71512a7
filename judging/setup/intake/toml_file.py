"""Read the TOML of a study file."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from judging.core.faults import Faults, Where, shown
from judging.core.storable import parse_decimal
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.files import SourceFile
from judging.setup.intake.toml_lines import TomlLines
from judging.setup.intake.toml_table import Table

_DEEPEST: Final = 12
"""The maximum depth of nested tables. Study files need three levels."""
_LONG_KEY: Final = re.compile(
    r"""(?:^|[\[{,])[ \t]*+(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){50}""", re.MULTILINE
)
"""Matches a key of over fifty names joined by dots. Parsing time grows with the square of their number."""


def read_study_file(path: Path, faults: Faults) -> Table | None:
    """Return the top-level table of a study file.

    If the file cannot be read or is not valid TOML, add a fault and return None.
    """
    name = str(path)
    with faults.watch() as watch:
        text = SourceFile(path, Where(name), "", faults).text()
    if not watch.clean:
        return None
    if long_key := _LONG_KEY.search(text):
        line = text.count("\n", 0, long_key.end()) + 1
        too_many = _(
            "A key has more than 50 parts, but keys of a study file have one or two. Correct the key."
        )
        faults.add(Where(name, line), "", too_many)
        return None
    try:
        values = tomllib.loads(text, parse_float=parse_decimal)
    except tomllib.TOMLDecodeError as error:
        _add_syntax_fault(name, text, str(error), faults)
        return None
    except (ValueError, RecursionError):
        too_long = _(
            "The TOML has a number that is too long, or brackets that are nested too deeply. Correct it."
        )
        faults.add(Where(name, 1), "", too_long)
        return None
    if _is_too_deep(values):
        too_deep = _("Tables are nested more than {number} levels deep. Remove the inner tables.")
        faults.add(Where(name, 1), "", too_deep, number=_DEEPEST)
        return None
    lines = TomlLines(text)
    return Table(values, lambda path: Where(name, lines.of(path)), faults)


def _add_syntax_fault(name: str, text: str, error: str, faults: Faults) -> None:
    """Add a fault with the parser's error, its line, and the text at which the parser stopped."""
    place = re.fullmatch(r"(?P<problem>.*) \(at line (?P<line>\d+), column \d+\)", error, re.DOTALL)
    where = Where(name, int(place["line"]) if place else text.count("\n") + 1)
    problem = place["problem"] if place else error.removesuffix(" (at end of document)")
    if rest := _rest_of_line(text, error):
        stopped = _("The file is not valid TOML. The parser stopped at {rest}: {problem}.")
        faults.add(where, "", stopped, problem=problem, rest=shown(rest))
    else:
        faults.add(where, "", _("The file is not valid TOML: {problem}."), problem=problem)


def _rest_of_line(text: str, error: str) -> str:
    """Return the rest of the line from where the parser stopped, or "" if that place is unknown."""
    place = re.search(r"at line (\d+), column (\d+)\)$", error)
    lines = text.split("\n")
    if place is None or int(place[1]) > len(lines):
        return ""
    return lines[int(place[1]) - 1][int(place[2]) - 1 :].strip()


def _is_too_deep(values: dict[str, Any]) -> bool:
    """Return whether tables and arrays are nested too deeply.

    This does not use recursion, because Python limits the depth of recursion.
    """
    level: list[Any] = [values]
    for _depth in range(_DEEPEST):
        inside = (entry.values() if isinstance(entry, dict) else entry for entry in level)
        level = [value for values in inside for value in values if isinstance(value, dict | list)]
        if not level:
            return False
    return True
