"""`export`: the lines of an export into a file, from where the console hands it out."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from judging.access import PERSONAL_EXPORTS
from judging.exports.catalogue import export_lines
from judging.exports.kept import path_of
from judging.exports.writing import CannotWriteError, write_file
from judging.models import Job, Study
from judging.selectors.judgments import accepted_judgments
from judging.services.errors import RefusedError
from judging.services.jobs import Progress


def write_export(job: Job, progress: Progress) -> dict[str, Any]:
    """Write the file of an export job; returns `{"lines": …, "bytes": …}`.

    Raises RefusedError for what is not in the catalogue and for what names people: nothing that does is left
    lying in a file.
    """
    what, form = job.parameters["what"], job.parameters["format"]
    if what in PERSONAL_EXPORTS:
        raise RefusedError(f"The export {what} says who the workers are, so no file of it is kept.")
    try:
        lines = export_lines(job.study, what, form)
    except ValueError as error:
        raise RefusedError(f"Nothing was written: {error}.") from None
    path = path_of(job)
    _make_folder(path.parent)
    counted = _Counted(lines, progress, total=_expected_lines(job.study, what, form))
    write_file(path, counted)
    return {"lines": counted.done, "bytes": path.stat().st_size}


def _expected_lines(study: Study, what: str, form: str) -> int:
    """How many lines there will be, where one count tells; else 0."""
    if what != "judgments":
        return 0
    return accepted_judgments().filter(assignment__topic__study=study).count() + (form == "csv")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWriteError(f"{folder}: cannot be made: {error.strerror}.") from None


class _Counted:
    """Lines, counted and told while they pass by: rows, whatever line feeds they hold, and the header."""

    def __init__(self, lines: Iterable[str], progress: Progress, total: int) -> None:
        self.lines = lines
        self.progress = progress
        self.total = total
        self.done = 0

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            yield line
            self.done += 1
            if self.done % 100 == 0:  # the clock is the database's: not asked for every line
                self.progress(self.done, self.total)
