"""The zip of a bundle: nothing in it is believed before its size and its checksum are found right."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from evaluation.files.text import TextFaultError, text_lines
from judging.archive.bundles.layout import MANIFEST, NAMES, VERSION
from judging.core.formats.packing import UNREADABLE, measured
from judging.core.intake.faults import Faults, StudyRefusedError, Where, shown
from judging.core.intake.zips import too_many_entries

MOST_BYTES: Final = 4 << 30
"""Of all members, unpacked: far more than the largest study has."""
MOST_RATIO: Final = 300
_SMALL: Final = 1 << 20
"""Members of few bytes may be packed as tightly as they can be."""
LONGEST_MANIFEST: Final = 1 << 20
_LONGEST_LINE: Final = 64 << 20
_EXPORT_AGAIN: Final = "copy the bundle again, or export it again"


class Archive:
    """A bundle that is whole: opened only where every member is there, and is what the manifest says.

    Its members are read in place and nothing is unpacked to a path, so that a name in it can do no harm.
    Raises StudyRefusedError with a line for every fault.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults = Faults()
        try:
            with path.open("rb") as file:
                if too_many_entries(file):
                    raise StudyRefusedError([f"{path}: is no bundle: it holds thousands of files."])
            self._zip = ZipFile(path)
        except FileNotFoundError:
            raise StudyRefusedError([f"{path}: there is no such file; mend the path."]) from None
        except UNREADABLE:
            raise StudyRefusedError([f"{path}: is no zip, or is cut short; {_EXPORT_AGAIN}."]) from None
        try:
            self._check_entries()
            self.manifest = self._read_manifest()
            self._check_sums()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *error: object) -> None:
        self._zip.close()

    def where(self, member: str, line: int | None = None) -> Where:
        """A line of a member, as faults name it."""
        return Where(f"{self.path}/{member}", line)

    def lines(self, member: str) -> Iterator[tuple[int, str]]:
        """Line numbers from 1, and lines. What is no UTF-8, or too long, is a fault and ends them."""
        with self._zip.open(member) as file:
            try:
                for number, line in text_lines(file, longest=_LONGEST_LINE):
                    if not line.endswith("\n"):
                        raise TextFaultError("line-without-end", "the line has no end", number)
                    yield number, line
            except TextFaultError as fault:
                self.faults.add(self.where(member, fault.line), "", f"{fault.what}; {_EXPORT_AGAIN}")

    def _check_entries(self) -> None:
        names = [entry.filename for entry in self._zip.infolist()]
        for name in (MANIFEST, *NAMES):
            if names.count(name) != 1:
                what = "is missing from the bundle" if name not in names else "stands in the bundle twice"
                self.faults.add(self.where(name), "", f"{what}; {_EXPORT_AGAIN}")
        for name in sorted(set(names) - {MANIFEST, *NAMES}):
            what = f"{shown(name)} is no part of a bundle; take it out, or {_EXPORT_AGAIN}"
            self.faults.add(Where(str(self.path)), "", what)
        for entry in self._zip.infolist():
            if fault := _fault(entry):
                self.faults.add(Where(str(self.path)), shown(entry.filename), f"{fault}; {_EXPORT_AGAIN}")
        if sum(entry.file_size for entry in self._zip.infolist()) > MOST_BYTES:
            self.faults.add(Where(str(self.path)), "", f"is larger unpacked than {MOST_BYTES >> 30} GiB")
        self.faults.raise_if_any()

    def _read_manifest(self) -> dict[str, Any]:
        where = self.where(MANIFEST)
        try:
            with self._zip.open(MANIFEST) as file:
                text = file.read(LONGEST_MANIFEST + 1)
            read = json.loads(text) if len(text) <= LONGEST_MANIFEST else None
        except (*UNREADABLE, RecursionError):
            read = None
        files = read.get("files") if isinstance(read, dict) else None
        if not isinstance(read, dict) or not isinstance(files, list):
            self.faults.add(where, "", f"cannot be read as the manifest of a bundle; {_EXPORT_AGAIN}")
        elif read.get("bundle") != VERSION or isinstance(read.get("bundle"), bool):
            what = f"is {shown(str(read.get('bundle')))}, and {VERSION} is known here; use the version of"
            self.faults.add(where, "bundle", f"{what} Plumbline that wrote the bundle, or a newer one")
        elif sorted(str(_get(file, "name")) for file in files) != sorted(NAMES):
            self.faults.add(
                where, "files", f"does not name the members of a bundle, each once; {_EXPORT_AGAIN}"
            )
        self.faults.raise_if_any()
        return dict(read or {})

    def _check_sums(self) -> None:
        for file in self.manifest["files"]:
            name = str(file["name"])
            try:
                found = measured(self._zip, name)
            except UNREADABLE:
                self.faults.add(self.where(name), "", f"is damaged; {_EXPORT_AGAIN}")
                continue
            if any(getattr(found, key) != file.get(key) for key in ("bytes", "rows", "sha256")):
                what = f"is not what {MANIFEST} says: its size, rows or checksum differ; {_EXPORT_AGAIN}"
                self.faults.add(self.where(name), "", what)
        self.faults.raise_if_any()


def _fault(entry: zipfile.ZipInfo) -> str | None:
    """What keeps an entry from being unpacked."""
    if entry.flag_bits & 0x1:
        return "is encrypted"
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return "is packed in a way that bundles are not"
    if entry.file_size > _SMALL and entry.file_size > MOST_RATIO * max(entry.compress_size, 1):
        return f"would grow more than {MOST_RATIO}-fold when unpacked"
    return None


def _get(file: object, key: str) -> object:
    return file.get(key) if isinstance(file, dict) else None
