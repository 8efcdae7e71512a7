"""What stands in a backup's manifest: where it comes from, and what must be in it."""

import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, get_args, get_origin, get_type_hints

FORMAT: Final = "plumbline-backup"
VERSION: Final = 1
NAME: Final = "manifest.json"
KEY: Final = "secret_key"
"""The member that holds the site's secret key, where it was asked for."""
_LARGEST: Final = 2**63 - 1
"""No database numbers rows any further."""


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
    """Return what the manifest says.

    Raises ValueError, KeyError, TypeError, AttributeError, ArithmeticError or RecursionError where it is not
    one: values of other types are refused here, so that nobody has to look again.
    """
    values: dict[str, Any] = json.loads(data)
    if values["format"] != FORMAT:
        raise ValueError("another format")
    if values["version"] != VERSION:  # its shape may be another: nothing else is looked at
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
    for one in parts:
        _require_types(one)
    return manifest


def _require_types(part: Manifest | Member) -> None:
    """Raise TypeError where a value is of another type, ValueError where a number is out of bounds."""
    types = get_type_hints(type(part))
    for one in fields(part):
        value = getattr(part, one.name)
        if not _is_a(value, types[one.name]):
            raise TypeError(f"{one.name} is of another type")
        if isinstance(value, int) and not 0 <= value <= _LARGEST:
            raise ValueError(f"{one.name} is out of bounds")


def _is_a(value: object, kind: object) -> bool:
    of = get_args(kind)
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_is_a(item, of[0]) for item in value)
    if get_origin(kind) is dict:
        return isinstance(value, dict) and all(_is_a(item, of[1]) for item in value.values())
    return any(_is_a(value, one) for one in of) if of else type(value) is kind
