"""The files of export jobs, which the console offers for download. They are kept for a week."""

from datetime import datetime
from pathlib import Path

from django.conf import settings

from judging.limits import KEPT_EXPORTS
from judging.models import Job


def path_of(job: Job) -> Path:
    """Return the path of an export job's file, which may not exist yet."""
    return Path(settings.EXPORTS_FOLDER) / f"{job.pk}.{job.parameters['format']}"


def manifest_path_of(job: Job) -> Path:
    """Return the path of the manifest that belongs to an export job's file."""
    return path_of(job).with_suffix(".manifest.json")


def forget_old_files(*, now: datetime) -> int:
    """Delete the files that are older than a week, and return their number.

    This includes files whose job was deleted, and incomplete files that a killed process left behind.
    """
    folder, oldest = Path(settings.EXPORTS_FOLDER), (now - KEPT_EXPORTS).timestamp()
    if not folder.is_dir():
        return 0
    old = [path for path in folder.iterdir() if path.lstat().st_mtime <= oldest]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)
