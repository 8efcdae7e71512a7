"""The files of a set-up: their kinds and formats, and the meaning of the values of known grades."""

import gzip
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from judging.core.intake.faults import Fault, Faults, Where
from judging.core.intake.files import SourceFile, encoding_fault
from judging.core.intake.grades import sort_key
from judging.core.intake.readers.documents import READERS
from judging.core.intake.readers.grades import LEVELS, count_values
from judging.core.intake.topics import TOPIC_READERS
from judging.core.words import translated
from judging.models import Setup, SetupFile
from judging.protocol.setup_files import FileKind
from judging.setup.study_files.uploads import remove

TOPICS: Final = "topics"
"""A file of topics is read once, when it is uploaded, and then deleted."""
FORMATS: Final = {
    FileKind.DOCUMENTS: tuple(name for name in READERS if name != "folder"),
    TOPICS: tuple(TOPIC_READERS),
    FileKind.RUN: (),
    FileKind.GRADES: (),
    FileKind.POOL: (),
}
"""Maps each kind of file that users can upload to its formats."""
OWN: Final = "own"
"""The reading of grades in which the user chooses a grade for each value."""
DEPTH: Final = 10
"""The depth to which runs are pooled until somebody sets another one."""
_HEAD: Final = 64 * 1024
_GZIP: Final = b"\x1f\x8b"
_LONGEST_NAME: Final = 40


def guess_format(path: Path, kind: str) -> str:
    """Return the format that the first lines of a file suggest."""
    formats = FORMATS[kind]
    head = _head(path)
    rules = (
        ("cranfield", re.search(r"^\.I\s", head, re.MULTILINE)),
        ("trec", re.search(r"<(doc|top)>", head, re.IGNORECASE)),
        ("jsonl", head.lstrip().startswith("{")),
        ("csv", re.match(r'\s*"?\w+"?\s*,', head)),
    )
    return next((name for name, fits in rules if fits and name in formats), formats[0] if formats else "")


def attach(setup: Setup, kind: str, path: str, *, form: str = "", encoding: str = "") -> SetupFile:
    """Add a file to the set-up. Documents replace those of another format, and a pool replaces any other."""
    values = {"format": form, "encoding": encoding}
    if kind == FileKind.DOCUMENTS:
        setup.files.filter(kind=kind).exclude(**values).delete()
    elif kind == FileKind.POOL:
        setup.files.filter(kind=kind).delete()
        set_depth(setup, None)
    elif kind == FileKind.GRADES:
        values |= {"name": _grades_name(setup, path)}
    elif kind == FileKind.RUN and setup.pool_depth is None and not setup.files.filter(kind=FileKind.POOL):
        set_depth(setup, DEPTH)
    file, _ = SetupFile.objects.update_or_create(setup=setup, path=path, defaults={"kind": kind, **values})
    return file


def detach(setup: Setup, path: str) -> None:
    """Delete a file of the set-up. Do nothing if there is no such file."""
    setup.files.filter(path=path).delete()
    remove(setup.folder, path)


def set_depth(setup: Setup, depth: int | None) -> None:
    """Pool the runs to a depth, instead of using a list. None removes the depth."""
    if depth is not None:
        setup.files.filter(kind=FileKind.POOL).delete()
    setup.pool_depth = depth
    setup.save(update_fields=["pool_depth"])


@dataclass(frozen=True)
class GradeFile:
    """An uploaded file of grades: its values, each with its number of rows, and the problems of the file."""

    values: list[tuple[str, int]]
    faults: list[str]


def read_grade_file(folder: Path, path: str, encoding: str) -> GradeFile:
    """Return the values and problems of a file of grades in the folder of a set-up."""
    if encoding and (fault := encoding_fault(encoding)):
        return GradeFile([], [f"encoding: {translated(fault)}"])
    faults = Faults()
    counts = count_values(SourceFile(folder / path, Where(path), "grades.path", faults, encoding or None))
    rows = sorted(counts.items(), key=lambda row: sort_key(row[0]))
    return GradeFile(rows, [_fault_line(fault, folder) for fault in faults.listed])


def _fault_line(fault: Fault, folder: Path) -> str:
    """Return the place of a problem and its message, without the path of the folder."""
    parts = (str(fault.where), fault.field, translated(fault.message))
    return ": ".join(part for part in parts if part).replace(f"{folder}/", "")


def meaning_of(file: SetupFile | None) -> str:
    """Return what the values of a file of grades mean, in the form of `set_meaning`; empty if not set."""
    if file is None:
        return ""
    if file.levels:
        return " ".join(f"{value}={level}" for value, level in file.levels.items())
    return file.format


def levels_of(meaning: str) -> dict[str, str]:
    """Return the grade of each value.

    `meaning` is the name of a format, or a list such as `0=N 1=M`.
    """
    if meaning in LEVELS:
        return dict(LEVELS[meaning])
    pairs = (part.rpartition("=") for part in meaning.split())
    return {value: level for value, equals, level in pairs if equals}


def set_meaning(file: SetupFile, meaning: str) -> None:
    """Store what the values of a file of grades mean, in the form that `levels_of` reads."""
    is_format = meaning in LEVELS
    file.format, file.levels = (meaning, {}) if is_format else ("qrels", levels_of(meaning))
    file.save(update_fields=["format", "levels"])


def _grades_name(setup: Setup, path: str) -> str:
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", path.split(".")[0])[:_LONGEST_NAME].strip("-") or "grades"
    used = set(setup.files.exclude(path=path).values_list("name", flat=True))
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(used) + 2))
    return next(name for name in names if name not in used)


def _head(path: Path) -> str:
    with path.open("rb") as raw:
        packed = raw.read(2) == _GZIP
    try:
        with gzip.open(path) if packed else path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8-sig", errors="replace")
    except (OSError, EOFError):
        return ""
