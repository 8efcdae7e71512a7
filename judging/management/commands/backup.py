"""`backup`: the whole site in one file, while it goes on."""

import hashlib
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from judging.archive.backup import write_backup, write_newest
from judging.core.clock import now
from judging.management.base import StudyCommand


class Command(StudyCommand):
    help = (
        "Write everything that the site is into one file: its database as of one moment, and the files that "
        "belong to it, while people go on working. The file can be read by its owner alone: it holds "
        "all that workers wrote, who they are, and the passwords of members as the database keeps them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path",
            metavar="PATH",
            help="the file to make, such as site.backup, which is never replaced; with --keep, a folder",
        )
        parser.add_argument(
            "--keep",
            type=int,
            metavar="N",
            help="make a file named by the time in the folder PATH, then delete all but the newest N there",
        )
        parser.add_argument(
            "--with-key",
            action="store_true",
            help="also the secret key, which cookies and links are signed with",
        )

    def handle(self, *, path: str, keep: int | None, with_key: bool, **options: Any) -> None:
        if keep is not None and keep < 1:
            raise CommandError("--keep: at least one backup has to stay.")
        file = Path(path)
        with tqdm(unit="B", unit_scale=True, leave=False, disable=None) as bar:
            if keep is None:
                made = write_backup(file, now=now(), with_key=with_key, tell=bar.update)
            else:
                file, made = write_newest(file, keep=keep, now=now(), with_key=with_key, tell=bar.update)
        with file.open("rb") as whole:
            sha = hashlib.file_digest(whole, "sha256").hexdigest()
        self.stdout.write(
            f"{made.rows:,} rows of {len(made.tables)} tables and {len(made.files):,} files "
            f"as of {made.created}, {file.stat().st_size:,} bytes."
        )
        if keep is not None:
            self.stdout.write(f"Written to {file}")
        self.stdout.write(f"SHA-256 {sha}")
