"""On which line of a TOML text each key stands: the standard parser does not say.

The text has been read by `tomllib` before, so it is known to be well-formed; only its outline is read here.
"""

import re
import tomllib
from typing import Final

Path = tuple[str | int, ...]
"""The way to a key: names of tables, and places (from 0) in arrays of tables."""

_STRING: Final = r'"""(?:\\.|[^\\])*?"{3,5}' + r"|'''.*?'{3,5}" + r'|"(?:\\.|[^"\\\n])*"' + r"|'[^'\n]*'"
_BLANKS: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_HEADER: Final = re.compile(rf"\[(?P<many>\[)?(?P<name>(?:{_STRING}|[^\]\"'])*)\]\]?", re.DOTALL)
_KEY: Final = re.compile(rf"(?P<name>(?:{_STRING}|[^=\"'])*)=", re.DOTALL)
_PIECE: Final = re.compile(rf"{_STRING}|#[^\n]*|[\[\]{{}}\n]|[^\"'#\[\]{{}}\n]+", re.DOTALL)


class TomlLines:
    """Finds the line of a key; of what stands inside a value, the line on which the value begins."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        self._read(text)

    def of(self, path: Path) -> int:
        """The line of the key at `path`, else that of the nearest table around it; line 1 at the worst."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def _read(self, text: str) -> None:
        table: Path = ()
        at, line = 0, 1
        while (blanks := _BLANKS.match(text, at)) and (start := blanks.end()) < len(text):
            line += text.count("\n", at, start)
            if header := _HEADER.match(text, start):
                table = self._enter(_names(header["name"]), many=bool(header["many"]))
                self._note(table, line)
                end = header.end()
            elif key := _KEY.match(text, start):
                self._note((*table, *_names(key["name"])), line)
                end = _value_end(text, key.end())
            else:
                return  # never for a well-formed text
            line += text.count("\n", start, end)
            at = end

    def _note(self, path: Path, line: int) -> None:
        for length in range(1, len(path) + 1):
            self._lines.setdefault(path[:length], line)

    def _enter(self, names: list[str], *, many: bool) -> Path:
        """The path of a table header; within an array of tables, that of its last table."""
        path: Path = ()
        for place, name in enumerate(names):
            path = (*path, name)
            if many and place == len(names) - 1:
                self._counts[path] = self._counts.get(path, 0) + 1
            if path in self._counts:
                path = (*path, self._counts[path] - 1)
        return path


def _names(dotted: str) -> list[str]:
    """`a."b c".d` → the names in it, told by the parser itself."""
    names = []
    table: object = tomllib.loads(f"{dotted.strip()} = 1")
    while isinstance(table, dict):
        ((name, table),) = table.items()
        names.append(name)
    return names


def _value_end(text: str, at: int) -> int:
    """Where the value that begins at `at` ends: at a line's end outside all brackets and strings."""
    depth = 0
    while piece := _PIECE.match(text, at):
        found = piece.group()
        if found == "\n" and depth == 0:
            break
        depth += (found in ("[", "{")) - (found in ("]", "}"))
        at = piece.end()
    return at
