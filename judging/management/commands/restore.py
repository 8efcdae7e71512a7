"""`restore`: a backup into an empty site, all of it or nothing."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from judging.archive.backup import Checked, checked, restore_site
from judging.integrity import INVARIANTS, breaches
from judging.management.base import StudyCommand


class Command(StudyCommand):
    help = (
        "Put a backup into an empty site, on whichever of the two databases: all of it or nothing. Every "
        "byte is compared with its checksum before anything is written, every row after it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="what backup made")
        parser.add_argument(
            "--check", action="store_true", help="only look whether the file is whole; nothing is written"
        )

    def handle(self, *, file: str, check: bool, **options: Any) -> None:
        bar = tqdm(unit="B", unit_scale=True, leave=False, disable=None)
        with bar, checked(Path(file), bar.update) as backup:
            if not check:
                restore_site(backup)
            self._tell(backup, done="Whole" if check else "Restored")
        if not check:
            self._look_through(backup)

    def _tell(self, backup: Checked, *, done: str) -> None:
        made = backup.manifest
        self.stdout.write(
            f"{done}: {made.rows:,} rows of {len(made.tables)} tables and {len(made.files):,} files, "
            f"made by version {made.versions.get('plumbline')} at {made.created}."
        )

    def _look_through(self, backup: Checked) -> None:
        if backup.manifest.key and os.environ.get("PLUMBLINE_SECRET_KEY"):
            self.stdout.write("The key of the backup was left in it: PLUMBLINE_SECRET_KEY is set.")
        if broken := list(breaches(INVARIANTS)):
            lines = "\n".join(map(str, broken))
            raise CommandError(f"Everything is restored as it was; broken in the backup already:\n{lines}")
        self.stdout.write(f"Nothing is broken: {len(INVARIANTS)} rules hold.")
