"""The bundle: the whole study in one zip. The same data gives the same bytes, on whatever database."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypedDict
from zipfile import ZipFile

from judging.archive.bundles.fields import Member
from judging.archive.bundles.layout import GAINS, MANIFEST, MEMBERS, NAMES, VERSION
from judging.archive.bundles.rows import ROWS, Row
from judging.core.formats import tables
from judging.core.formats.manifest import as_text, counts_of
from judging.core.formats.packing import Measure, chunks_of, pack
from judging.core.formats.software import versions
from judging.core.formats.tables import Told, nobody
from judging.core.formats.texts import qrels_lines
from judging.core.published import gains
from judging.models import Study

_BETWEEN: Final = 100


class _File(TypedDict):
    """What the manifest says of a member."""

    name: str
    bytes: int
    rows: int
    sha256: str


def bundle_chunks(study: Study, *, told: Told = nobody) -> Iterator[bytes]:
    """The bytes of the zip, which is made in a temporary folder first: its manifest, in front, has the sums.

    Fixed are the order of members and rows, their keys, and all times in the zip; it holds no time of its own
    making. `told` hears of the rows written.
    """
    with TemporaryDirectory(prefix="plumbline-") as temporary:
        folder = Path(temporary)
        made = _write_members(study, folder, told)
        (folder / MANIFEST).write_bytes(as_text(_manifest(study, made)))
        whole = folder / "bundle.zip"
        with ZipFile(whole, "w") as bundle:
            for name in (MANIFEST, *NAMES):
                member = folder / name
                with member.open("rb") as file:
                    pack(bundle, name, chunks_of(file), size=member.stat().st_size)
        with whole.open("rb") as file:
            yield from chunks_of(file)


def _write_members(study: Study, folder: Path, told: Told) -> list[_File]:
    """Each member as a file; what the manifest says of it."""
    counter = _Counter(told)
    made = [
        _write(folder, member.name, _lines(member, counter.over(ROWS[member.name](study))))
        for member in MEMBERS
    ]
    return [*made, _write(folder, GAINS, qrels_lines(tables.of(gains.GAINS, study)))]


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


def _manifest(study: Study, made: list[_File]) -> dict[str, object]:
    what = {member.name: member.what for member in MEMBERS} | {GAINS: "the gains, as qrels"}
    return {
        "bundle": VERSION,
        "study": study.slug,
        "title": study.title,
        "seed": study.seed,
        "software": versions(),
        "counts": counts_of(study),
        "files": [{**one, "what": what[one["name"]]} for one in made],
        "described_in": "docs/reference/bundle.md",
    }


class _Counter:
    """Counts the rows of all members."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._count = 0

    def over(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            yield row
            self._count += 1
            if self._count % _BETWEEN == 0:
                self._told(self._count)
