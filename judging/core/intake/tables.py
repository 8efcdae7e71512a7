"""Typed reading of the study file's tables: what is asked for is checked, what nobody asks for is unknown."""

import re
import tomllib
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from judging.core.intake.faults import Faults, Where, shown
from judging.core.intake.files import SourceFile
from judging.core.intake.toml_lines import Path as KeyPath
from judging.core.intake.toml_lines import TomlLines
from judging.protocol.words import Sentence

_DEEPEST: Final = 12
"""Tables in tables: study files have three."""
_LONG_KEY: Final = re.compile(
    r"""(?:^|[\[{,])[ \t]*+(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){50}""", re.MULTILINE
)
"""Fifty names joined by dots, where a key may stand: the parser takes the square of their number."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class Table:
    """One table of the study file, or of the same values from elsewhere; `locate` says where a key stands.

    Every method that reads a key notes a fault where the value does not fit and then gives the default, so
    that all faults of a file come to light at once. `close` notes the keys that nobody asked for.
    """

    def __init__(
        self, values: dict[str, Any], locate: Callable[[KeyPath], Where], faults: Faults, path: KeyPath = ()
    ) -> None:
        self._values = values
        self._locate = locate
        self._path = path
        self.faults = faults
        self._asked: set[str] = set()

    def __contains__(self, key: str) -> bool:
        self._asked.add(key)
        return key in self._values

    def is_text(self, key: str) -> bool:
        return key in self and isinstance(self._values[key], str)

    def where(self, key: str | None = None) -> Where:
        """The line of a key, or of the table itself."""
        return self._locate(self._path if key is None else (*self._path, key))

    def name(self, key: str) -> str:
        """A key as faults name it: with its table, without its place in an array of tables."""
        return ".".join([*(part for part in self._path if isinstance(part, str)), key])

    def fault(self, key: str | None, what: Sentence | str) -> None:
        name = self.name(key) if key else self.name("").removesuffix(".")
        self.faults.add(self.where(key), name, what)

    def text(self, key: str, default: str = "", *, longest: int | None = None, needed: bool = False) -> str:
        value: str | None = self._get(key, str, "text", needed=needed)
        if value is None:
            return default
        if (what := unstorable(value)) is not None:
            self.fault(key, what)
            return default
        value = value.strip()
        if needed and not value:
            self.fault(key, "is empty; it is needed")
        if longest is not None and len(value) > longest:
            self.fault(key, f"has {len(value)} characters; at most {longest} can be stored")
            return default
        return value

    def choice(self, key: str, options: Collection[str], default: str = "", *, needed: bool = False) -> str:
        value = self.text(key, default, needed=needed)
        if self.is_text(key) and value not in options:
            listed = " or ".join(f'"{option}"' for option in options)
            self.fault(key, f"{shown(value)} is not known; write {listed}")
            return default
        return value

    def whole(self, key: str, default: int, *, least: int, most: int | Decimal) -> int:
        value = self._get(key, int, "a whole number")
        if value is None:
            return default
        if not least <= value <= most:
            self.fault(
                key, f"{shown_number(value)} is out of range; write a whole number from {least} to {most}"
            )
            return default
        return int(value)

    def number(
        self, key: str, default: Decimal, *, least: int, most: int | Decimal, text: bool = False
    ) -> Decimal:
        """A number; with `text` it may also be written in quotes."""
        if text and self.is_text(key):
            value: Decimal | int | None = parse_decimal(self.text(key))
        else:
            value = self._get(key, (int, Decimal), "a number")
        if value is None:
            return default
        value = Decimal(value)
        if not value.is_finite() or not least <= value <= most:
            self.fault(key, f"is not a number from {least} to {most}; write one, such as {default or '0.20'}")
            return default
        return value

    def moment(self, key: str) -> datetime | None:
        value: datetime | None = self._get(key, datetime, "a date with a time, such as 2030-01-31T12:00:00Z")
        try:
            return value and (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC)
        except OverflowError:
            self.fault(key, "is out of range; write a date such as 2030-01-31T12:00:00Z")
            return None

    def texts(self, key: str) -> list[str] | None:
        """A list of texts, or None where there is none or it is at fault."""
        value = self._get(key, list, "a list of texts")
        if value is None:
            return None
        for entry in value:
            if not isinstance(entry, str):
                self.fault(key, f"must be a list of texts{in_quotes(entry)}")
                return None
            if (what := unstorable(entry)) is not None:
                self.fault(key, what)
                return None
        return [entry.strip() for entry in value]

    def mapping(self, key: str) -> dict[str, str] | None:
        """An inline table of texts, or None where there is none or it is at fault."""
        value: dict[str, str] | None = self._get(key, dict, "a table")
        for entry in (value or {}).values():
            if not isinstance(entry, str):
                self.fault(key, "must be a table of texts; write its values in quotes")
                return None
        return value

    def table(self, key: str) -> "Table":
        """A `[table]`; an empty one where the file has none."""
        return Table(self._get(key, dict, "a table") or {}, self._locate, self.faults, (*self._path, key))

    def tables(self, key: str) -> list["Table"]:
        """The tables of a `[[table]]`, in the order of the file."""
        if isinstance(self._values.get(key), dict):
            self._asked.add(key)
            self.fault(key, f"is a single table; write [[{key}]] in the place of [{key}]")
            return []
        value = self._get(key, list, "a list of tables") or []
        if any(not isinstance(entry, dict) for entry in value):
            self.fault(key, f"holds something that is no table; begin each with [[{key}]]")
            return []
        return [
            Table(entry, self._locate, self.faults, (*self._path, key, place))
            for place, entry in enumerate(value)
        ]

    def pass_over(self) -> None:
        """Ask for nothing more of it: its keys are no faults."""
        self._asked.update(self._values)

    def close(self) -> None:
        """Note every key that was not asked for, with the nearest one that would have been."""
        for key in self._values:
            if key not in self._asked:
                near = get_close_matches(key, self._asked, n=1)
                hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(sorted(self._asked))}"
                self.fault(key, f"is not a known key; {hint}")

    def _get(self, key: str, kinds: type | tuple[type, ...], wanted: str, *, needed: bool = False) -> Any:
        if key not in self:
            if needed:
                self.faults.add(self.where(), self.name(key), f"is missing; add {key} = …")
            return None
        value = self._values[key]
        if not isinstance(value, kinds) or isinstance(value, bool):
            hint = in_quotes(value) if kinds is str else ""
            self.fault(key, f"must be {wanted}{hint}")
            return None
        return value


def read_study_file(path: Path, faults: Faults) -> Table | None:
    """The top table of a study file, or None where it cannot be read as TOML."""
    name = str(path)
    with faults.watch() as watch:
        text = SourceFile(path, Where(name), "", faults).text()
    if not watch.clean:
        return None
    if long_key := _LONG_KEY.search(text):
        line = text.count("\n", 0, long_key.end()) + 1
        faults.add(Where(name, line), "", "has a key of over 50 parts; no key of a study has more than two")
        return None
    try:
        values = tomllib.loads(text, parse_float=parse_decimal)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(?P<what>.*) \(at line (?P<line>\d+), column \d+\)", str(error), re.DOTALL)
        line = int(found["line"]) if found else text.count("\n") + 1
        what = found["what"] if found else str(error).removesuffix(" (at end of document)")
        at = f": {shown(rest)}" if (rest := _rest_of_line(text, str(error))) else ""
        faults.add(Where(name, line), "", f"is not TOML: {what[:1].lower()}{what[1:]}{at}")
        return None
    except (ValueError, RecursionError):
        faults.add(Where(name, 1), "", "is not TOML: a number is too long, or brackets are nested too deeply")
        return None
    if _too_deep(values):
        faults.add(
            Where(name, 1), "", f"has tables in tables, over {_DEEPEST} deep; no key of a study is so deep"
        )
        return None
    lines = TomlLines(text)
    return Table(values, lambda path: Where(name, lines.of(path)), faults)


def _rest_of_line(text: str, error: str) -> str:
    """Return what stands where the parser stopped, up to the end of the line."""
    found = re.search(r"at line (\d+), column (\d+)\)$", error)
    lines = text.split("\n")
    if found is None or int(found[1]) > len(lines):
        return ""
    return lines[int(found[1]) - 1][int(found[2]) - 1 :].strip()


def _too_deep(values: dict[str, Any]) -> bool:
    """Whether tables are nested beyond all need; level by level, since no call could go down so deep."""
    level: list[Any] = [values]
    for _ in range(_DEEPEST):
        inside = (one.values() if isinstance(one, dict) else one for one in level)
        level = [value for values in inside for value in values if isinstance(value, dict | list)]
        if not level:
            return False
    return True


def parse_decimal(digits: str) -> Decimal:
    """The exact number that is written, NaN where it is none or beyond all bounds."""
    try:
        return Decimal(digits.strip())
    except InvalidOperation:
        return Decimal("NaN")


def in_quotes(value: Any) -> str:
    """How to write a number that was meant as text: ids are text, and are never inferred."""
    return f'; write "{shown_number(value)}", in quotes' if type(value) is int else ""


def shown_number(value: int) -> str:
    return str(value) if abs(value) < 10**20 else "the number"


def unstorable(text: str) -> str | None:
    """What keeps a text out of a database, or None: NUL, and halves of characters (JSON can write them)."""
    if "\0" in text:
        return "holds a NUL character; take it out"
    if _SURROGATE.search(text):
        return "holds half a character (a lone surrogate); take it out"
    return None
