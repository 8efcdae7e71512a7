"""Write a bundle: a whole study in one zip. The same data gives the same bytes on every database."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypedDict
from zipfile import ZipFile

from judging.archive.bundles.fields import Member
from judging.archive.bundles.layout import GAINS, MANIFEST, MEMBERS, NEEDED, VERSION
from judging.archive.bundles.reading import Row
from judging.archive.bundles.rows import ROWS
from judging.core.formats import export_table
from judging.core.formats.export_table import OnRows, ignore_rows
from judging.core.formats.manifest import as_text, counts_of
from judging.core.formats.packing import Measure, chunks_of, pack
from judging.core.formats.software import versions
from judging.core.formats.texts import qrels_lines
from judging.core.published import gains
from judging.models import Study

_BETWEEN: Final = 100


class _File(TypedDict):
    """The entry of a member in the manifest."""

    name: str
    bytes: int
    rows: int
    sha256: str


def bundle_chunks(study: Study, *, on_rows: OnRows = ignore_rows) -> Iterator[bytes]:
    """Yield the bytes of the zip.

    The members are first written to a temporary folder, because the manifest at the start of the zip has all
    checksums. The order of members, rows and keys is fixed, and so are the times in the zip. `on_rows` is
    called with the number of rows written so far.
    """
    with TemporaryDirectory(prefix="plumbline-") as temporary:
        folder = Path(temporary)
        entries = _write_members(study, folder, on_rows)
        (folder / MANIFEST).write_bytes(as_text(_manifest(study, entries)))
        archive = folder / "bundle.zip"
        with ZipFile(archive, "w") as bundle:
            for name in (MANIFEST, *(entry["name"] for entry in entries)):
                member = folder / name
                with member.open("rb") as file:
                    pack(bundle, name, chunks_of(file), size=member.stat().st_size)
        with archive.open("rb") as file:
            yield from chunks_of(file)


def _write_members(study: Study, folder: Path, on_rows: OnRows) -> list[_File]:
    """Write each member to a file. Return the members' entries for the manifest."""
    counter = _Counter(on_rows)
    entries = [
        _write(folder, member.name, _lines(member, counter.over(ROWS[member.name](study))))
        for member in MEMBERS
    ]
    needed = [entry for entry in entries if entry["rows"] or entry["name"] in NEEDED]
    return [*needed, _write(folder, GAINS, qrels_lines(export_table.of(gains.GAINS, study)))]


def _lines(member: Member, rows: Iterable[Row]) -> Iterator[str]:
    names = [field.name for field in member.fields]
    for row in rows:
        yield json.dumps({name: row[name] for name in names}, ensure_ascii=False, allow_nan=False) + "\n"


def _write(folder: Path, name: str, lines: Iterable[str]) -> _File:
    measure = Measure()
    with (folder / name).open("wb") as file:
        for line in measure.watch(line.encode() for line in lines):
            file.write(line)
    return {"name": name, "bytes": measure.bytes, "rows": measure.rows, "sha256": measure.sha256}


def _manifest(study: Study, entries: list[_File]) -> dict[str, object]:
    descriptions = {member.name: member.description for member in MEMBERS} | {
        GAINS: "the gains, in the format of qrels"
    }
    return {
        "bundle": VERSION,
        "study": study.slug,
        "title": study.title,
        "seed": study.seed,
        "software": versions(),
        "counts": counts_of(study),
        "files": [{**file, "what": descriptions[file["name"]]} for file in entries],
        "described_in": "docs/reference/bundle.md",
    }


class _Counter:
    """Counts the rows of all members together."""

    def __init__(self, on_rows: OnRows) -> None:
        self._on_rows = on_rows
        self._count = 0

    def over(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            yield row
            self._count += 1
            if self._count % _BETWEEN == 0:
                self._on_rows(self._count)
