"""Backups. A backup is one file that contains a whole site.

People use a backup to restore a site after a loss, or to move the site to another database.

The file is a ZIP archive. `tables/NAME.jsonl` has the rows of a table, one JSON array per line, sorted by key
and written in the same way for every database. `files/…` has the files of the site. The last member,
`manifest.json`, lists all members with their SHA-256 checksums.
"""

from judging.archive.backup.archive import BackupError, CheckedBackup, open_backup
from judging.archive.backup.making import write_backup, write_newest
from judging.archive.backup.manifest import Manifest
from judging.archive.backup.restoring import restore_site

__all__ = [
    "BackupError",
    "CheckedBackup",
    "Manifest",
    "open_backup",
    "restore_site",
    "write_backup",
    "write_newest",
]
