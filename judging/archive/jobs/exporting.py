"""The job `export`, which writes an export and its manifest to files. The console offers these files."""

from pathlib import Path

from judging.archive.catalogue import export_chunks, is_offered
from judging.archive.export_files import manifest_path_of, path_of
from judging.archive.jobs.progress import progress_on_second_connection
from judging.core.clock import now
from judging.core.formats.manifest import Tally, counts_of, manifest
from judging.core.formats.snapshot import one_snapshot
from judging.core.formats.writing import CannotWriteError, write_file
from judging.core.published import PUBLISHED
from judging.core.published.judgments import JUDGMENTS
from judging.core.services.errors import RefusedError
from judging.core.services.jobs import Progress
from judging.models import Job, Result


def write_export(job: Job, progress: Progress) -> Result:
    """Write the file of an export job and its manifest. All rows come from one snapshot of the database.

    Return `{"rows": … or None, "bytes": …, "sha256": …}`. Raise RefusedError if the export does not exist,
    or if it has personal data, because such data is never kept in a file.
    """
    what, form = job.parameters["what"], job.parameters["format"]
    if what in PUBLISHED and PUBLISHED[what].personal:
        raise RefusedError(f"The export {what} has personal data. Download it from the page of payments.")
    if not is_offered(what, form):
        raise RefusedError(f"There is no export of {what} as {form}. Choose one of the exports in the list.")
    path = path_of(job)
    _make_folder(path.parent)
    with progress_on_second_connection(progress) as report, one_snapshot():
        counts = counts_of(job.own_study)
        expected = counts["judgments"] if what == JUDGMENTS.name else 0
        tally = Tally(on_rows=lambda rows: report(rows, expected), counts=counts)
        write_file(path, export_chunks(job.own_study, what, form, tally=tally))
    write_file(manifest_path_of(job), [manifest(job.own_study, what, form, tally, now=now())])
    return {"rows": tally.rows, "bytes": tally.file.bytes, "sha256": tally.file.sha256}


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWriteError(f"{folder}: The folder cannot be created: {error.strerror}.") from None
