"""Files that are uploaded in the console: their names, their sizes, and archives of a whole study.

The code trusts nothing that a browser sends about a file. Files get new names. Archives are unpacked entry by
entry. Nothing is written outside the folder of the set-up, or beyond the site's size limit.
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

from django.utils.translation import gettext as _

from judging.core.faults import StudyRefusedError
from judging.core.upload_limit import most_bytes, too_large
from judging.core.zip_limit import MOST_ENTRIES, too_many_entries
from judging.setup.intake.file_names import plain_name
from judging.setup.study_files.importing import FILE_NAME

_LONGEST_PATH: Final = 200
"""The maximum length of a path in bytes, because file systems limit bytes and not characters."""
_CHUNK: Final = 1 << 20
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, EOFError)


def files_in(folder: Path) -> list[tuple[str, int]]:
    """Return the path and size in bytes of each file of a draft except its study file."""
    return [
        (str(name), (folder / name).stat().st_size) for name in names_in(folder) if str(name) != FILE_NAME
    ]


def names_in(folder: Path) -> list[Path]:
    """Return the relative paths of all files in a folder, except symbolic links and hidden files."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    names = [path.relative_to(folder) for path in paths]
    return [name for name in names if not any(part.startswith(".") for part in name.parts)]


def store(folder: Path, name: str, chunks: Iterable[bytes]) -> str:
    """Write an uploaded file into the folder under an unused name, and return that name.

    Raise StudyRefusedError, and store nothing, if the file is empty or would make the draft too large.
    """
    left = most_bytes() - sum(size for _name, size in files_in(folder))
    path = _free(folder, safe_name(name))
    try:
        if not _copy(chunks, path, left):
            text = _("The file {name} is empty. Choose another file.")
            raise StudyRefusedError([text.format(name=path.name)])
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path.name


def remove(folder: Path, name: str) -> None:
    """Delete a file of the draft. Do nothing if there is no such file."""
    if name in dict(files_in(folder)):
        (folder / name).unlink(missing_ok=True)


def safe_name(name: str) -> str:
    """Return the name under which to store an uploaded file: see `plain_name`."""
    plain = plain_name(name)
    return f"file-{plain}" if plain == FILE_NAME else plain


def unpack(archive: IO[bytes], folder: Path) -> None:
    """Unpack the zip of a study, so that its `study.toml` is at the top of the folder.

    Raise StudyRefusedError if the file is not a zip, has no study file, is too large, or is not safe.
    """
    if too_many_entries(archive):
        raise StudyRefusedError([_too_many_files()])
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
    except OSError as error:  # str(error) would reveal a path of the server
        raise StudyRefusedError([_cannot_unpack(str(error.strerror))]) from None
    except (*_BROKEN, ValueError, LookupError, OverflowError) as error:
        raise StudyRefusedError([_cannot_unpack(" ".join(str(error).split())[:100])]) from None


def _too_many_files() -> str:
    text = _("The archive has more than {number} files. Combine the texts into a single file.")
    return text.format(number=MOST_ENTRIES)


def _cannot_unpack(problem: str) -> str:
    text = _("Plumbline cannot unpack the archive ({problem}). Create the archive again.")
    return text.format(problem=problem)


def _entries(opened: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    entries = [entry for entry in opened.infolist() if not entry.is_dir()]
    if len(entries) > MOST_ENTRIES:
        raise StudyRefusedError([_too_many_files()])
    names: set[str] = set()
    for entry in entries:
        name = PurePosixPath(entry.filename)
        is_unsafe = name.is_absolute() or ".." in name.parts
        is_unsafe = is_unsafe or re.search(r"[\\:\x00-\x1f]", entry.filename) is not None
        kind = stat.S_IFMT(entry.external_attr >> 16)
        is_unsafe = is_unsafe or kind not in (0, stat.S_IFREG) or _is_too_long(entry.filename)
        if is_unsafe:
            text = _("The archive has an entry {name}, which is not allowed. Create the archive without it.")
            raise StudyRefusedError([text.format(name=repr(entry.filename[:60]))])
        if any(part.startswith((".", "__MACOSX")) for part in name.parts):
            continue
        folded = unicodedata.normalize("NFKC", str(name)).casefold()
        if folded in names:
            text = _(
                "The archive contains {name} twice (upper and lower case count as the same)."
                " Rename one of the two files."
            )
            raise StudyRefusedError([text.format(name=repr(entry.filename[:60]))])
        names.add(folded)
        yield entry


def _is_too_long(name: str) -> bool:
    return len(name.encode(errors="replace")) > _LONGEST_PATH


def _root(entries: list[zipfile.ZipInfo]) -> PurePosixPath:
    names = (PurePosixPath(entry.filename) for entry in entries)
    files = sorted((name for name in names if name.name == FILE_NAME), key=lambda name: len(name.parts))
    if not files:
        text = _("The archive has no {name}. Put the study file at the top level of the archive.")
        raise StudyRefusedError([text.format(name=FILE_NAME)])
    if len(files) > 1 and len(files[0].parts) == len(files[1].parts):
        text = _(
            "The archive has more than one {name}. Pack one study, with its study file at the top level."
        )
        raise StudyRefusedError([text.format(name=FILE_NAME)])
    return files[0].parent


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
