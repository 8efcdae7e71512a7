"""Files that come in by the console: their names, their sizes, and archives of a whole study.

Nothing of what a browser says of a file is trusted. Names are made anew, archives are unpacked entry by entry
into a folder that they cannot leave, and no more is written than the site allows.
"""

import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Final

from judging.core.intake.faults import StudyRefusedError
from judging.core.intake.upload_limit import most_bytes, too_large
from judging.core.intake.zips import MOST_ENTRIES, too_many_entries
from judging.setup.study_files.importing import FILE_NAME

_LONGEST_NAME: Final = 80
_LONGEST_PATH: Final = 200
"""Bytes, as disks count them."""
_CHUNK: Final = 1 << 20
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, EOFError)
_TOO_MANY: Final = f"The archive holds over {MOST_ENTRIES} files; put the texts into one."


def files_in(folder: Path) -> list[tuple[str, int]]:
    """The files of a draft beside its study file: path relative to the folder, and bytes."""
    return [
        (str(name), (folder / name).stat().st_size) for name in names_in(folder) if str(name) != FILE_NAME
    ]


def names_in(folder: Path) -> list[Path]:
    """Return the paths of all files in a folder, relative to it, but the hidden ones and links."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    names = [path.relative_to(folder) for path in found]
    return [name for name in names if not any(part.startswith(".") for part in name.parts)]


def store(folder: Path, name: str, chunks: Iterable[bytes]) -> str:
    """Write an uploaded file into the folder under a name of its own, and return that name.

    Raises StudyRefusedError, and keeps nothing, where it is empty or the draft's files became too large.
    """
    left = most_bytes() - sum(size for _, size in files_in(folder))
    path = _free(folder, safe_name(name))
    try:
        if not _copy(chunks, path, left):
            raise StudyRefusedError([f"{path.name}: the file is empty; choose another."])
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path.name


def remove(folder: Path, name: str) -> None:
    """Delete a file of the draft; a name that is none of them does nothing."""
    if name in dict(files_in(folder)):
        (folder / name).unlink(missing_ok=True)


def safe_name(name: str) -> str:
    """A file name of letters, digits, `.`, `_` and `-` alone, made of what a browser calls the file."""
    last = re.split(r"[/\\]", name)[-1]
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", last).strip(".-_") or "file"
    plain = plain if len(plain) <= _LONGEST_NAME else plain[-_LONGEST_NAME:].strip(".-_")
    return f"file-{plain}" if plain == FILE_NAME else plain


def unpack(archive: IO[bytes], folder: Path) -> None:
    """Unpack a study's zip, so that its `study.toml` stands at the top of the folder.

    Raises StudyRefusedError in words, for what is no zip, has no study file, is too large or not safe.
    """
    if too_many_entries(archive):
        raise StudyRefusedError([_TOO_MANY])
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = list(_entries(opened))
            root = _root(entries)
            left = most_bytes()
            for entry in entries:
                inside = PurePosixPath(entry.filename)
                if not inside.is_relative_to(root):
                    continue
                path = folder / inside.relative_to(root)
                path.parent.mkdir(parents=True, exist_ok=True)
                with opened.open(entry) as source:
                    left -= _copy(iter(lambda: source.read(_CHUNK), b""), path, left)
    except OSError as error:  # without the path, which is the server's own
        raise StudyRefusedError(
            [f"The archive cannot be unpacked ({error.strerror}); make it anew."]
        ) from None
    except (*_BROKEN, ValueError, LookupError, OverflowError) as error:
        what = " ".join(str(error).split())[:100]
        raise StudyRefusedError([f"The archive cannot be unpacked ({what}); make it anew."]) from None


def _entries(opened: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    entries = [one for one in opened.infolist() if not one.is_dir()]
    if len(entries) > MOST_ENTRIES:
        raise StudyRefusedError([_TOO_MANY])
    names: set[str] = set()
    for entry in entries:
        name = PurePosixPath(entry.filename)
        odd = name.is_absolute() or ".." in name.parts
        odd = odd or re.search(r"[\\:\x00-\x1f]", entry.filename) is not None
        kind = stat.S_IFMT(entry.external_attr >> 16)
        odd = odd or kind not in (0, stat.S_IFREG) or _too_long(entry.filename)
        if odd:
            raise StudyRefusedError(
                [f"The archive holds {entry.filename[:60]!r}, which may not stand there; pack it anew."]
            )
        if any(part.startswith((".", "__MACOSX")) for part in name.parts):
            continue
        alike = unicodedata.normalize("NFKC", str(name)).casefold()
        if alike in names:
            what = f"{entry.filename[:60]!r} twice, or beside a name that differs by case alone"
            raise StudyRefusedError([f"The archive holds {what}; rename one."])
        names.add(alike)
        yield entry


def _too_long(name: str) -> bool:
    return len(name.encode(errors="replace")) > _LONGEST_PATH


def _root(entries: list[zipfile.ZipInfo]) -> PurePosixPath:
    names = (PurePosixPath(entry.filename) for entry in entries)
    found = sorted((name for name in names if name.name == FILE_NAME), key=lambda one: len(one.parts))
    if not found or (len(found) > 1 and len(found[0].parts) == len(found[1].parts)):
        what = "no" if not found else "more than one"
        raise StudyRefusedError([f"The archive holds {what} {FILE_NAME}; pack one study, its file on top."])
    return found[0].parent


def _free(folder: Path, name: str) -> Path:
    path, number = folder / name, 1
    while path.exists():
        number += 1
        stem, dot, ending = name.partition(".")
        path = folder / f"{stem}-{number}{dot}{ending}"
    return path


def _copy(chunks: Iterable[bytes], path: Path, left: int) -> int:
    written = 0
    with path.open("xb") as file:
        for chunk in chunks:
            written += len(chunk)
            if written > left:
                raise StudyRefusedError([too_large()])
            file.write(chunk)
    return written
