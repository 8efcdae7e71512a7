"""`backup`: write the whole site to one file. The site can keep running."""

import hashlib
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from judging.archive.backup import write_backup, write_newest
from judging.core.clock import now
from judging.management.study_command import StudyCommand


class Command(StudyCommand):
    help = (
        "Write the whole site to one file: a consistent copy of its database, and the files that belong to "
        "it. People can keep working. Only the owner of the file can read it, because it contains everything "
        "that workers wrote, their platform ids, and the hashed passwords of all accounts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path",
            metavar="PATH",
            help="the new file, such as site.backup; an existing file is not replaced. With --keep, a folder",
        )
        parser.add_argument(
            "--keep",
            type=int,
            metavar="N",
            help="write a file named after the current time to the folder PATH, and keep only the newest N",
        )
        parser.add_argument(
            "--with-key",
            action="store_true",
            help="include the secret key that signs cookies and links",
        )

    def handle(self, *, path: str, keep: int | None, with_key: bool, **options: Any) -> None:
        if keep is not None and keep < 1:
            raise CommandError("--keep must be 1 or more.")
        file = Path(path)
        with tqdm(unit="B", unit_scale=True, leave=False, disable=None) as bar:
            if keep is None:
                manifest = write_backup(file, now=now(), with_key=with_key, on_bytes=bar.update)
            else:
                file, manifest = write_newest(
                    file, keep=keep, now=now(), with_key=with_key, on_bytes=bar.update
                )
        with file.open("rb") as backup:
            sha = hashlib.file_digest(backup, "sha256").hexdigest()
        self.stdout.write(
            f"{manifest.rows:,} rows of {len(manifest.tables)} tables and {len(manifest.files):,} files "
            f"as of {manifest.created}, {file.stat().st_size:,} bytes."
        )
        if keep is not None:
            self.stdout.write(f"Written to {file}")
        self.stdout.write(f"SHA-256 {sha}")
