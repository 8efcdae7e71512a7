"""Find the files that a study file refers to."""

from pathlib import Path

from judging.core.faults import Faults, Where, shown
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.datasets import dataset_fault, is_dataset
from judging.setup.intake.files import UTF_8, SourceFile, encoding_fault
from judging.setup.intake.toml_table import Table


class Paths:
    """Finds files by their paths. A path is absolute or relative to the study file's folder.

    Paths can contain `..`. If `enclosed` is true, a path outside the folder is a fault: an uploaded study
    file must not open other files on the server. A table that contains a path can also set the file's
    `encoding`.
    """

    def __init__(self, folder: Path, *, enclosed: bool = False) -> None:
        self._folder = folder
        self._enclosed = enclosed

    @property
    def is_enclosed(self) -> bool:
        """Return whether the files are those of a set-up, all of them in its folder."""
        return self._enclosed

    def files(self, table: Table, key: str) -> list[SourceFile]:
        """Return the files for a key whose value is a path or a list of paths.

        Add a fault if the key or a path is missing.
        """
        if key not in table or table.is_text(key):
            source = self.file(table, key)
            return [source] if source else []
        paths = table.texts(key)
        if paths is None:
            return []
        if not all(paths) or not paths:
            table.fault(key, _("A path is missing. Add the path of a file."))
        encoding = _encoding(table)
        return [source for path in paths if path and (source := self._source(table, key, path, encoding))]

    def file(self, table: Table, key: str) -> SourceFile | None:
        """Return the file for a key whose value is a path.

        Add a fault and return None if the path is missing or is not allowed (see `at`).
        """
        path = table.text(key, needed=True)
        encoding = _encoding(table)
        return self._source(table, key, path, encoding) if path else None

    def at(
        self, path: str, where: Where, field: str, faults: Faults, encoding: str | None = None
    ) -> SourceFile | None:
        """Return the file at a path.

        If `enclosed` is true, a path outside the folder is a fault, and so is a collection of `ir_datasets`
        that is not available on this site. In these cases, return None.
        """
        if is_dataset(path):
            if self._enclosed and (fault := dataset_fault(path)):
                faults.add(where, field, fault)
                return None
            return SourceFile(Path(path), where, field, faults, encoding)
        whole = self._folder / path
        if self._enclosed and not _lies_in(whole, self._folder):
            outside = _("{path} is not one of the study's files. Upload the file.")
            faults.add(where, field, outside, path=shown(path))
            return None
        return SourceFile(whole, where, field, faults, encoding)

    def _source(self, table: Table, key: str, path: str, encoding: str) -> SourceFile | None:
        return self.at(path, table.where(key), table.name(key), table.faults, encoding)


def _lies_in(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # the name is too long, or symbolic links form a loop
        return False


def _encoding(table: Table) -> str:
    """Return the encoding that a table sets for its files, or UTF-8.

    Add a fault and return UTF-8 if the encoding is not supported.
    """
    encoding = table.text("encoding", UTF_8)
    if fault := encoding_fault(encoding):
        table.fault("encoding", fault)
        return UTF_8
    return encoding
