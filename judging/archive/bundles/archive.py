"""The zip of a bundle. No file in it is used before the file's size and checksum are checked."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from evaluation.parsing.text import TextFaultError, text_lines
from judging.archive.bundles.layout import MANIFEST, NAMES, NEEDED, VERSION
from judging.core.faults import Faults, StudyRefusedError, Where, shown
from judging.core.formats.packing import UNREADABLE, measured
from judging.core.zip_limit import too_many_entries
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

MOST_BYTES: Final = 4 << 30
"""The maximum size of all members together after unpacking. The largest studies are far smaller."""
MOST_RATIO: Final = 300
_OPTIONAL: Final = frozenset(NAMES) - frozenset(NEEDED)
_SMALL: Final = 1 << 20
"""The compression ratio is checked only for members that are larger than this number of bytes."""
LONGEST_MANIFEST: Final = 1 << 20
_LONGEST_LINE: Final = 64 << 20
_NOT_TEXT: Final = _("The file is not valid text: {problem}. Copy the bundle again, or export it again.")
_CUT_OFF: Final = _("The last line is incomplete. Copy the bundle again, or export it again.")
_MISSING: Final = _("The file is missing from the bundle. Copy the bundle again, or export it again.")
_TWICE: Final = _("The bundle has this file twice. Copy the bundle again, or export it again.")
_NOT_IN_BUNDLE: Final = _(
    "The file {name} does not belong in a bundle. Remove it, or export the bundle again."
)
_TOO_LARGE: Final = _("The bundle is larger than {number} GiB when it is unpacked. Export it again.")
_NO_MANIFEST: Final = _("The manifest cannot be read. Copy the bundle again, or export it again.")
_OTHER_VERSION: Final = _(
    "The bundle has version {version}, but this site reads only version {known}. Use the version of Plumbline"
    " that exported the bundle, or a newer one."
)
_WRONG_FILES: Final = _(
    "The manifest must list each file of a bundle exactly once. Copy the bundle again, or export it again."
)
_DAMAGED: Final = _("The file is damaged. Copy the bundle again, or export it again.")
_CHANGED: Final = _(
    "The file’s size, checksum or number of rows does not match the manifest. Copy the bundle again, or"
    " export it again."
)
_ENCRYPTED: Final = _("The file is encrypted. Export the bundle again.")
_COMPRESSED: Final = _(
    "The file is compressed with a method that bundles do not support. Export the bundle again."
)
_RATIO: Final = _("Unpacking makes the file more than {number} times as large. Export the bundle again.")


class Archive:
    """A complete bundle, whose members all match its manifest.

    Members are read from the zip and never unpacked to a path, so that their names cannot do harm. Opening a
    faulty bundle raises StudyRefusedError with a line for each fault.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults = Faults()
        try:
            with path.open("rb") as file:
                if too_many_entries(file):
                    raise StudyRefusedError([f"{path}: This is not a bundle: it has thousands of files."])
            self._zip = ZipFile(path)
        except FileNotFoundError:
            raise StudyRefusedError([f"{path}: There is no such file. Correct the path."]) from None
        except UNREADABLE:
            incomplete = "The file is not a zip, or is incomplete. Copy the bundle again, or export it again."
            raise StudyRefusedError([f"{path}: {incomplete}"]) from None
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

    @property
    def _members(self) -> set[str]:
        """Return the names of the files besides the manifest. A bundle may lack some of `NAMES`."""
        return set(self._zip.namelist()) - {MANIFEST}

    def where(self, member: str, line: int | None = None) -> Where:
        """Return the location of a fault: a member, or one of its lines."""
        return Where(f"{self.path}/{member}", line)

    def lines(self, member: str) -> Iterator[tuple[int, str]]:
        """Yield the lines of a member, each with its number, counted from 1.

        If a line is incomplete, too long or not in UTF-8, add a fault and stop.
        """
        if member not in self._members:
            return
        with self._zip.open(member) as file:
            try:
                for number, line in text_lines(file, longest=_LONGEST_LINE):
                    if not line.endswith("\n"):
                        self.faults.add(self.where(member, number), "", _CUT_OFF)
                        return
                    yield number, line
            except TextFaultError as fault:
                self.faults.add(self.where(member, fault.line), "", _NOT_TEXT, problem=fault.what)

    def _check_entries(self) -> None:
        names = [entry.filename for entry in self._zip.infolist()]
        for name in (MANIFEST, *NAMES):
            if names.count(name) > 1 or (name not in names and name not in _OPTIONAL):
                self.faults.add(self.where(name), "", _MISSING if name not in names else _TWICE)
        for name in sorted(set(names) - {MANIFEST, *NAMES}):
            self.faults.add(Where(str(self.path)), "", _NOT_IN_BUNDLE, name=shown(name))
        for entry in self._zip.infolist():
            if fault := _fault(entry):
                self.faults.add(Where(str(self.path)), shown(entry.filename), fault)
        if sum(entry.file_size for entry in self._zip.infolist()) > MOST_BYTES:
            self.faults.add(Where(str(self.path)), "", _TOO_LARGE, number=MOST_BYTES >> 30)
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
            self.faults.add(where, "", _NO_MANIFEST)
        elif read.get("bundle") != VERSION or isinstance(read.get("bundle"), bool):
            version = shown(str(read.get("bundle")))
            self.faults.add(where, "bundle", _OTHER_VERSION, version=version, known=VERSION)
        elif sorted(str(_get(file, "name")) for file in files) != sorted(self._members):
            self.faults.add(where, "files", _WRONG_FILES)
        self.faults.raise_if_any()
        return dict(read or {})

    def _check_sums(self) -> None:
        for file in self.manifest["files"]:
            name = str(file["name"])
            try:
                member = measured(self._zip, name)
            except UNREADABLE:
                self.faults.add(self.where(name), "", _DAMAGED)
                continue
            if any(getattr(member, key) != file.get(key) for key in ("bytes", "rows", "sha256")):
                self.faults.add(self.where(name), "", _CHANGED)
        self.faults.raise_if_any()


def _fault(entry: zipfile.ZipInfo) -> Sentence | None:
    """Return why an entry cannot be unpacked, or None."""
    if entry.flag_bits & 0x1:
        return Sentence(_ENCRYPTED)
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return Sentence(_COMPRESSED)
    if entry.file_size > _SMALL and entry.file_size > MOST_RATIO * max(entry.compress_size, 1):
        return Sentence(_RATIO, {"number": MOST_RATIO})
    return None


def _get(file: object, key: str) -> object:
    return file.get(key) if isinstance(file, dict) else None
