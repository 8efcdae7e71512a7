"""The manifest of a backup. It describes the site that was backed up, and lists the members of the backup."""

import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, get_args, get_origin, get_type_hints

FORMAT: Final = "plumbline-backup"
VERSION: Final = 1
NAME: Final = "manifest.json"
KEY: Final = "secret_key"
"""The name of the member with the site's secret key. Backups can omit this member."""
_LARGEST: Final = 2**63 - 1
"""The largest key that a database can store."""


@dataclass(frozen=True)
class Member:
    """A member of the archive, with its unpacked size and checksum."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Table(Member):
    """A member that holds the rows of a table.

    Each line is one row: a value for each of the `columns`, in the same order. `rows` is the number of rows.
    `last_key` is the last key used, or None if the database does not assign the keys.
    """

    table: str = ""
    columns: list[str] = field(default_factory=list)
    rows: int = 0
    last_key: int | None = None


@dataclass(frozen=True)
class Manifest:
    """The manifest of a backup.

    `created` is the time of the backup, in UTC. Each entry of `migrations` is the name of an app and the name
    of one of its migrations.
    """

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
        """Return all members except the manifest."""
        return [*self.tables, *self.files, *([self.key] if self.key else [])]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    def to_json(self) -> bytes:
        return (json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n").encode()


def read_manifest(data: bytes) -> Manifest:
    """Return the manifest in the data.

    The types of all values in the manifest are checked here, so callers can rely on them. Raise ValueError,
    KeyError, TypeError, AttributeError, ArithmeticError or RecursionError if the data is not a manifest.
    """
    values: dict[str, Any] = json.loads(data)
    if values["format"] != FORMAT:
        raise ValueError("another format")
    if values["version"] != VERSION:  # another version can have other fields, so stop here
        other = Manifest("", values.get("versions", {}), "", [], [], [], version=int(values["version"]))
        _require_types(other)
        return other
    tables = [Table(**table) for table in values.pop("tables")]
    files = [Member(**member) for member in values.pop("files")]
    key = values.pop("key")
    manifest = Manifest(tables=tables, files=files, key=Member(**key) if key else None, **values)
    if any(len(pair) != 2 for pair in manifest.migrations):
        raise ValueError("a migration is an app and a name")
    parts: list[Manifest | Member] = [manifest, *manifest.members]
    for part in parts:
        _require_types(part)
    return manifest


def _require_types(part: Manifest | Member) -> None:
    """Raise TypeError if a value has the wrong type, and ValueError if a number is out of bounds."""
    types = get_type_hints(type(part))
    for member in fields(part):
        value = getattr(part, member.name)
        if not _is_a(value, types[member.name]):
            raise TypeError(f"{member.name} has another type")
        if isinstance(value, int) and not 0 <= value <= _LARGEST:
            raise ValueError(f"{member.name} is out of bounds")


def _is_a(value: object, kind: object) -> bool:
    arguments = get_args(kind)
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_is_a(item, arguments[0]) for item in value)
    if get_origin(kind) is dict:
        return isinstance(value, dict) and all(_is_a(item, arguments[1]) for item in value.values())
    return any(_is_a(value, option) for option in arguments) if arguments else type(value) is kind
