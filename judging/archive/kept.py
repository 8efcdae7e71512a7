"""The files that export jobs leave for the console to hand out: one a job, kept for a week."""

from datetime import datetime
from pathlib import Path

from django.conf import settings

from judging.limits import KEPT_EXPORTS
from judging.models import Job


def path_of(job: Job) -> Path:
    """Where the file of an export job is, or will be."""
    return Path(settings.EXPORTS_FOLDER) / f"{job.pk}.{job.parameters['format']}"


def manifest_path_of(job: Job) -> Path:
    """Where the manifest of that file is."""
    return path_of(job).with_suffix(".manifest.json")


def forget_old_files(*, now: datetime) -> int:
    """Delete what has lain in the folder for a week; returns how many files that were.

    Files whose job is gone, and those left half-written by a worker that was killed, go with the others.
    """
    folder, oldest = Path(settings.EXPORTS_FOLDER), (now - KEPT_EXPORTS).timestamp()
    if not folder.is_dir():
        return 0
    old = [path for path in folder.iterdir() if path.lstat().st_mtime <= oldest]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)
