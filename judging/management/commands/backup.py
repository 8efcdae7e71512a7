"""`backup`: the whole site in one file, while it goes on."""

import hashlib
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from tqdm import tqdm

from judging.backup import write_backup
from judging.management.base import StudyCommand
from judging.selectors.clock import now


class Command(StudyCommand):
    help = (
        "Write everything that the site is into one file: its database as of one moment, and the files that "
        "belong to it, while people go on working. The file can be read by its owner alone: it holds "
        "all that workers wrote, who they are, and the passwords of members as the database keeps them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="the file to make, such as site.backup; never replaced"
        )
        parser.add_argument(
            "--with-key",
            action="store_true",
            help="also the secret key, which cookies and links are signed with",
        )

    def handle(self, *, file: str, with_key: bool, **options: Any) -> None:
        path = Path(file)
        with tqdm(unit="B", unit_scale=True, leave=False, disable=None) as bar:
            made = write_backup(path, now=now(), with_key=with_key, tell=bar.update)
        with path.open("rb") as whole:
            sha = hashlib.file_digest(whole, "sha256").hexdigest()
        self.stdout.write(
            f"{made.rows:,} rows of {len(made.tables)} tables and {len(made.files):,} files "
            f"as of {made.created}, {path.stat().st_size:,} bytes."
        )
        self.stdout.write(f"SHA-256 {sha}")
