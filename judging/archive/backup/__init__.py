"""A whole site in one file, and back: for the day the disk is gone, and for a move to another database.

The file is a ZIP archive. `tables/NAME.jsonl` holds the rows of a table, one JSON array a line in the
order of their keys, values written the same way whatever database they come from; `files/…` the files that
belong to the site; `manifest.json`, its last member, says what must be in it, with a SHA-256 of each member.
"""

from judging.archive.backup.archive import BackupError, Checked, checked
from judging.archive.backup.making import write_backup, write_newest
from judging.archive.backup.manifest import Manifest
from judging.archive.backup.restoring import restore_site

__all__ = ["BackupError", "Checked", "Manifest", "checked", "restore_site", "write_backup", "write_newest"]
