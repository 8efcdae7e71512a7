"""The files of figures: those that no report names any more are cleared away."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings

from judging.models import Report

ORPHANED: Final = timedelta(days=1)
"""A folder so young may be that of a report which is being made."""


def forget_orphans(*, now: datetime) -> int:
    """Delete folders of figures that no report names and that are a day old; returns how many."""
    root, oldest = Path(settings.REPORTS_FOLDER), (now - ORPHANED).timestamp()
    if not root.is_dir():
        return 0
    old = {path.name: path for path in root.iterdir() if path.lstat().st_mtime <= oldest}
    named = set(Report.objects.filter(folder__in=old).values_list("folder", flat=True))
    orphans = [path for name, path in old.items() if name not in named]
    for path in orphans:
        shutil.rmtree(path, ignore_errors=True)
    return len(orphans)
