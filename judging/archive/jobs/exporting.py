"""`export`: the bytes of an export into a file, from where the console hands it out, and its manifest."""

from pathlib import Path

from judging.archive.catalogue import export_chunks, is_offered
from judging.archive.kept import manifest_path_of, path_of
from judging.core.clock import now
from judging.core.formats.manifest import Tally, counts_of, manifest
from judging.core.formats.snapshot import one_snapshot
from judging.core.formats.writing import CannotWriteError, write_file
from judging.core.jobs.beside import told_beside
from judging.core.published import PUBLISHED
from judging.core.published.judgments import JUDGMENTS
from judging.core.services.errors import RefusedError
from judging.core.services.jobs import Progress
from judging.models import Job, Result


def write_export(job: Job, progress: Progress) -> Result:
    """Write the file of an export job, all of it from one state of the study, and its manifest.

    Returns `{"rows": … or None, "bytes": …, "sha256": …}`. Raises RefusedError for what is not in the
    catalogue and for what names people: nothing that does is left lying in a file.
    """
    what, form = job.parameters["what"], job.parameters["format"]
    if what in PUBLISHED and PUBLISHED[what].personal:
        raise RefusedError(f"The export {what} says who the workers are, so no file of it is kept.")
    if not is_offered(what, form):
        raise RefusedError(f"Nothing was written: there is no export of {what} as {form}.")
    path = path_of(job)
    _make_folder(path.parent)
    with told_beside(progress) as told, one_snapshot():
        counts = counts_of(job.own_study)
        expected = counts["judgments"] if what == JUDGMENTS.name else 0  # others are not counted beforehand
        tally = Tally(told=lambda rows: told(rows, expected), counts=counts)
        write_file(path, export_chunks(job.own_study, what, form, tally=tally))
    write_file(manifest_path_of(job), [manifest(job.own_study, what, form, tally, now=now())])
    return {"rows": tally.rows, "bytes": tally.file.bytes, "sha256": tally.file.sha256}


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWriteError(f"{folder}: cannot be made: {error.strerror}.") from None
