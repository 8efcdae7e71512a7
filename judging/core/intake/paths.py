"""The files that a study file names."""

from pathlib import Path

from judging.core.intake.faults import Faults, Where, shown
from judging.core.intake.files import UTF_8, SourceFile, encoding_fault
from judging.core.intake.tables import Table


class Paths:
    """Finds files relative to the study file's folder; `..` and absolute paths are the researcher's own.

    Where the study file was handed in by the console, `enclosed`, they are faults: who sent it has no right
    to the server's other files. A table that names files may say their `encoding`.
    """

    def __init__(self, folder: Path, *, enclosed: bool = False) -> None:
        self._folder = folder
        self._enclosed = enclosed

    def of(self, table: Table, key: str) -> list[SourceFile]:
        """The files of a key that holds a path or a list of them; none and a fault where it is missing."""
        if key not in table or table.is_text(key):
            one = self.one(table, key)
            return [one] if one else []
        named = table.texts(key)
        if named is None:
            return []
        if not all(named) or not named:
            table.fault(key, "names no file; write the path of one")
        encoding = _encoding(table)
        return [source for path in named if path and (source := self._source(table, key, path, encoding))]

    def one(self, table: Table, key: str) -> SourceFile | None:
        """The file of a key that holds one path."""
        path = table.text(key, needed=True)
        encoding = _encoding(table)
        return self._source(table, key, path, encoding) if path else None

    def at(
        self, path: str, where: Where, field: str, faults: Faults, encoding: str | None = None
    ) -> SourceFile | None:
        """The file at a path; None and a fault where it lies outside of what may be read."""
        whole = self._folder / path
        if self._enclosed and not _lies_in(whole, self._folder):
            faults.add(where, field, f"{shown(path)} is not among the study's own files; upload the file")
            return None
        return SourceFile(whole, where, field, faults, encoding)

    def _source(self, table: Table, key: str, path: str, encoding: str) -> SourceFile | None:
        return self.at(path, table.where(key), table.name(key), table.faults, encoding)


def _lies_in(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a name too long, or links in a circle
        return False


def _encoding(table: Table) -> str:
    """How the files that a table names are written; UTF-8, and a fault, where they could not be read."""
    encoding = table.text("encoding", UTF_8)
    if fault := encoding_fault(encoding):
        table.fault("encoding", fault)
        return UTF_8
    return encoding
