"""Find the line of each key in a TOML file, because `tomllib` returns values without line numbers.

`tomllib` has already checked that the text is valid TOML, so this module only looks for keys and tables.
"""

import re
import tomllib
from typing import Final

Path = tuple[str | int, ...]
"""The path to a key: the names of its tables, then the name of the key.

The name of an array of tables is followed by the index of the table, counted from 0.
"""

_STRING: Final = r'"""(?:\\.|[^\\])*?"{3,5}' + r"|'''.*?'{3,5}" + r'|"(?:\\.|[^"\\\n])*"' + r"|'[^'\n]*'"
_BLANKS: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_HEADER: Final = re.compile(rf"\[(?P<many>\[)?(?P<name>(?:{_STRING}|[^\]\"'])*)\]\]?", re.DOTALL)
_KEY: Final = re.compile(rf"(?P<name>(?:{_STRING}|[^=\"'])*)=", re.DOTALL)
_PIECE: Final = re.compile(rf"{_STRING}|#[^\n]*|[\[\]{{}}\n]|[^\"'#\[\]{{}}\n]+", re.DOTALL)


class TomlLines:
    """Finds the line of a key.

    A key inside an inline table or array gets the line of the key to which the table or array belongs.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        self._read(text)

    def of(self, path: Path) -> int:
        """Return the line of the key at `path`.

        If the key is missing, return the line of the innermost existing table on its path, or else 1.
        """
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
                return  # never reached if the text is valid
            line += text.count("\n", start, end)
            at = end

    def _note(self, path: Path, line: int) -> None:
        for length in range(1, len(path) + 1):
            self._lines.setdefault(path[:length], line)

    def _enter(self, names: list[str], *, many: bool) -> Path:
        """Return the path of the table that a header begins.

        For an array of tables, this is the path of the array's last table so far.
        """
        path: Path = ()
        for place, name in enumerate(names):
            path = (*path, name)
            if many and place == len(names) - 1:
                self._counts[path] = self._counts.get(path, 0) + 1
            if path in self._counts:
                path = (*path, self._counts[path] - 1)
        return path


def _names(dotted: str) -> list[str]:
    """Return the names in a dotted key such as `a."b c".d`."""
    names = []
    table: object = tomllib.loads(f"{dotted.strip()} = 1")
    while isinstance(table, dict):
        ((name, table),) = table.items()
        names.append(name)
    return names


def _value_end(text: str, at: int) -> int:
    """Return the end of the value that begins at `at`: the first line end outside brackets and strings."""
    depth = 0
    while piece := _PIECE.match(text, at):
        part = piece.group()
        if part == "\n" and depth == 0:
            break
        depth += (part in ("[", "{")) - (part in ("]", "}"))
        at = piece.end()
    return at
