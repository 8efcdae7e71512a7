"""What stands in a backup's manifest: where it comes from, and what must be in it."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Final

FORMAT: Final = "plumbline-backup"
VERSION: Final = 1
NAME: Final = "manifest.json"
KEY: Final = "secret_key"
"""The member that holds the site's secret key, where it was asked for."""


@dataclass(frozen=True)
class Member:
    """A member of the archive; `bytes` and `sha256` are of what it holds, unpacked."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Table(Member):
    """A table: `columns` in the order of each line, `rows` lines, `last_key` as given out by the database."""

    table: str = ""
    columns: list[str] = field(default_factory=list)
    rows: int = 0
    last_key: int | None = None


@dataclass(frozen=True)
class Manifest:
    """`created` is the moment, in UTC, whose state the tables show; `migrations` are pairs: app and name."""

    created: str
    versions: dict[str, str]
    database: str
    migrations: list[list[str]]
    tables: list[Table]
    files: list[Member]
    key: Member | None = None
    format: str = FORMAT
    version: int = VERSION

    @property
    def members(self) -> list[Member]:
        """All that must be in the archive beside the manifest."""
        return [*self.tables, *self.files, *([self.key] if self.key else [])]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    def to_json(self) -> bytes:
        return (json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n").encode()


def read_manifest(data: bytes) -> Manifest:
    """Raises ValueError, KeyError or TypeError for what is none."""
    values: dict[str, Any] = json.loads(data)
    if values["format"] != FORMAT:
        raise ValueError("another format")
    if values["version"] != VERSION:  # its shape may be another: nothing else is looked at
        return Manifest("", values.get("versions", {}), "", [], [], [], version=int(values["version"]))
    tables = [Table(**table) for table in values.pop("tables")]
    files = [Member(**member) for member in values.pop("files")]
    key = values.pop("key")
    return Manifest(tables=tables, files=files, key=Member(**key) if key else None, **values)
