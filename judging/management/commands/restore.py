"""`restore`: restore a backup into an empty site, completely or not at all."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from judging.archive.backup import CheckedBackup, open_backup, restore_site
from judging.integrity import INVARIANTS, breaches
from judging.management.study_command import StudyCommand


class Command(StudyCommand):
    help = (
        "Restore a backup into an empty site, on SQLite or PostgreSQL. The checksums of the file are checked "
        "before anything is written, and every row afterwards. If there is a fault, nothing is restored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the file from backup")
        parser.add_argument(
            "--check", action="store_true", help="only check that the file is complete; write nothing"
        )

    def handle(self, *, file: str, check: bool, **options: Any) -> None:
        bar = tqdm(unit="B", unit_scale=True, leave=False, disable=None)
        with bar, open_backup(Path(file), bar.update) as backup:
            if not check:
                restore_site(backup)
            self._report(backup, done="The file is complete" if check else "Restored")
        if not check:
            self._check_integrity(backup)

    def _report(self, backup: CheckedBackup, *, done: str) -> None:
        manifest = backup.manifest
        self.stdout.write(
            f"{done}: {manifest.rows:,} rows of {len(manifest.tables)} tables and {len(manifest.files):,}"
            f" files, written by version {manifest.versions.get('plumbline')} at {manifest.created}."
        )

    def _check_integrity(self, backup: CheckedBackup) -> None:
        if backup.manifest.key and os.environ.get("PLUMBLINE_SECRET_KEY"):
            self.stdout.write("The key in the backup is not used, because PLUMBLINE_SECRET_KEY is set.")
        if broken := list(breaches(INVARIANTS)):
            lines = "\n".join(map(str, broken))
            raise CommandError(f"Everything is restored, but these rules were broken in the backup:\n{lines}")
        self.stdout.write(f"No errors: checked {len(INVARIANTS)} rules.")
