"""The files of a set-up: their kinds and formats, and what the values in a file of grades mean."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from judging.core.faults import Faults, Where
from judging.core.words import translated
from judging.models import Setup, SetupFile
from judging.protocol.setup_files import FileKind
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.column_maps import FIELDS, RECORDS, Format
from judging.setup.intake.datasets import dataset_fault, dataset_path, is_dataset
from judging.setup.intake.files import EMPTY, WORKBOOK, SourceFile, encoding_fault
from judging.setup.intake.grades import sort_key
from judging.setup.intake.marked_documents import picture_fault
from judging.setup.intake.readers.cast_topics import is_cast
from judging.setup.intake.readers.document_files import FORMATS as DOCUMENT_FORMATS
from judging.setup.intake.readers.grades import LEVELS, count_values
from judging.setup.intake.readers.trec_topics import is_list_of_queries
from judging.setup.intake.topics import TOPIC_FORMATS
from judging.setup.study_files.uploads import files_in, remove

TOPICS: Final = "topics"
"""The kind of a file of topics. Such a file is read once, when it is uploaded, and then deleted."""
FORMATS: Final = {
    FileKind.DOCUMENTS: tuple(name for name in DOCUMENT_FORMATS if name not in ("folder", "irds")),
    FileKind.PICTURES: (),
    TOPICS: tuple(name for name in TOPIC_FORMATS if name != "irds"),
    FileKind.POOL: (),
    FileKind.RUN: (),
    FileKind.GRADES: (),
}
"""Maps each kind of file that users can upload to its formats. Files are used in the order of these kinds.

The pool comes before the runs, because runs get a pool depth only if there is no pool yet.
"""
OWN: Final = "own"
"""The name of the option with which the user chooses a grade for each value in a file of grades."""
DEPTH: Final = 10
"""The depth to which runs are pooled until somebody sets another depth."""
NO_FORMAT: Final = Format("")
"""The format of files whose kind has only one format."""
_LONGEST_NAME: Final = 40
_LONGEST_PATH: Final = 200


def guess_format(path: Path, kind: str) -> str:
    """Return the format that the first bytes of a file suggest, or "" if the kind has none like that."""
    source = SourceFile(path, Where(path.name), "", Faults())
    found = source.kind
    form = "csv" if found == WORKBOOK else found
    if kind == TOPICS and is_list_of_queries(source):
        form = "trec"
    if kind == TOPICS and is_cast(source):
        form = "cast"
    return form if form in FORMATS[kind] else ""


def upload_fault(path: Path, kind: str, form: str = "") -> Sentence | None:
    """Return why an uploaded file cannot be used as a kind of file, or None. `form` is the chosen format."""
    if kind == FileKind.PICTURES:
        return picture_fault(path)
    faults = Faults()
    source = SourceFile(path, Where(path.name), "", faults)
    accepted = ("jsonl", *FORMATS[kind]) if kind in FIELDS else ()
    if kind == TOPICS and (form == "cast" or is_cast(source)):
        accepted = (*accepted, "json-array")
    if source.kind == EMPTY:
        return Sentence(_("The file {name} is empty. Choose another file."), {"name": path.name})
    if source.kind == WORKBOOK and kind in FIELDS:
        return None
    if not source.is_text_of(*accepted):
        [fault] = faults.listed
        return Sentence("{name}: {problem}", {"name": path.name, "problem": fault.sentence})
    if FORMATS[kind] and not form and not guess_format(path, kind):
        unknown = _(
            "Plumbline does not recognise the format of {name}. Choose its format, or convert the file to one"
            " of these: {formats}."
        )
        return Sentence(unknown, {"name": path.name, "formats": ", ".join(FORMATS[kind])})
    return None


class Attached(NamedTuple):
    """A file of the set-up, and the names of the files that it replaced."""

    file: SetupFile
    replaced: list[str]


def attach(setup: Setup, kind: str, path: str, *, form: Format = NO_FORMAT, encoding: str = "") -> Attached:
    """Add a file or collection to the set-up.

    New documents replace documents that have another format, other columns or another encoding. A new pool
    replaces the old pool. The set-up keeps a replaced file, but no longer uses it.
    """
    values: dict[str, Any] = {"format": form.name, "columns": form.columns, "encoding": encoding}
    replaced: list[SetupFile] = []
    if kind == FileKind.DOCUMENTS:
        replaced = [
            other
            for other in setup.files.filter(kind=kind).exclude(path=path).order_by("pk")
            if any(getattr(other, name) != value for name, value in values.items())
        ]
    elif kind == FileKind.POOL:
        replaced = list(setup.files.filter(kind=kind).exclude(path=path))
        set_depth(setup, None)
    elif kind == FileKind.GRADES:
        values |= {"name": _grades_name(setup, path)}
    elif kind == FileKind.RUN and setup.pool_depth is None and not setup.files.filter(kind=FileKind.POOL):
        set_depth(setup, DEPTH)
    if not is_dataset(path):
        setup.files.filter(path=path).exclude(kind=kind).delete()
    setup.files.filter(pk__in=[other.pk for other in replaced]).delete()
    file, _is_new = SetupFile.objects.update_or_create(setup=setup, kind=kind, path=path, defaults=values)
    return Attached(file, [other.path for other in replaced])


def detach(setup: Setup, path: str, kind: str = "") -> None:
    """Delete a file of the set-up, or stop using a collection. Do nothing if the set-up does not have it.

    A set-up can use a collection as several kinds of file. `kind` says which of these uses ends.
    """
    files = setup.files.filter(path=path)
    (files.filter(kind=kind) if is_dataset(path) else files).delete()
    remove(setup.folder, path)


def is_available(setup: Setup, path: str) -> bool:
    """Return whether a path names an uploaded file, or a collection of `ir_datasets` that the site allows."""
    if is_dataset(path):
        return len(path) <= _LONGEST_PATH and dataset_fault(path) is None
    return path in dict(files_in(setup.folder))


def source_of(folder: Path, path: str, faults: Faults, encoding: str = "") -> SourceFile:
    """Return the `SourceFile` for a collection, or for a file in the folder of a set-up."""
    whole = Path(path) if is_dataset(path) else folder / path
    return SourceFile(whole, Where(path), "", faults, encoding or None)


def set_depth(setup: Setup, depth: int | None) -> None:
    """Set the depth to which the runs are pooled, and stop using a list of documents as the pool.

    If `depth` is None, only remove the depth, and keep the list.
    """
    if depth is not None:
        setup.files.filter(kind=FileKind.POOL).delete()
    setup.pool_depth = depth
    setup.save(update_fields=["pool_depth"])


@dataclass(frozen=True)
class GradeFile:
    """An uploaded file of grades: its values, the number of rows with each value, and the file's problems."""

    values: list[tuple[str, int]]
    faults: list[str]


def read_grade_file(folder: Path, path: str, encoding: str, form: Format) -> GradeFile:
    """Read a file of grades, and return its values and its problems.

    The file is in the folder of a set-up, or it is a collection of `ir_datasets`.
    """
    if encoding and (fault := encoding_fault(encoding)):
        return GradeFile([], [f"encoding: {translated(fault)}"])
    faults = Faults()
    counts = count_values(source_of(folder, path, faults, encoding), form)
    rows = sorted(counts.items(), key=lambda row: sort_key(row[0]))
    return GradeFile(rows, fault_lines(faults, folder))


def fault_lines(faults: Faults, folder: Path) -> list[str]:
    """Return the place and the message of each problem, without the path of the folder."""
    parts = ((str(fault.where), fault.field, translated(fault.message)) for fault in faults.listed)
    return [": ".join(filter(None, texts)).replace(f"{folder}/", "") for texts in parts]


def meaning_of(file: SetupFile | None) -> str:
    """Return the meaning of the values in a file of grades, as text for `set_meaning`.

    Return "" if the meaning is not set.
    """
    if file is None:
        return ""
    if file.format not in LEVELS and file.levels in LEVELS.values():
        return next(name for name, levels in LEVELS.items() if levels == file.levels)
    if file.levels:
        return " ".join(f"{value}={level}" for value, level in file.levels.items())
    return file.format


def levels_of(meaning: str) -> dict[str, str]:
    """Return a dict from each value in a file of grades to its grade.

    `meaning` is the name of a format, or a list such as `0=N 1=M`.
    """
    if meaning in LEVELS:
        return dict(LEVELS[meaning])
    pairs = (part.rpartition("=") for part in meaning.split())
    return {value: level for value, equals, level in pairs if equals}


def set_meaning(file: SetupFile, meaning: str) -> None:
    """Store the meaning of the values in a file of grades. `levels_of` must be able to read `meaning`."""
    if file.format in RECORDS:
        file.levels = levels_of(meaning)
    elif meaning in LEVELS:
        file.format, file.levels = meaning, {}
    else:
        file.format, file.levels = "qrels", levels_of(meaning)
    file.save(update_fields=["format", "columns", "levels"])


def _grades_name(setup: Setup, path: str) -> str:
    name = path.removeprefix(dataset_path("")).split(".")[0]
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", name)[:_LONGEST_NAME].strip("-") or "grades"
    used = set(setup.files.exclude(path=path).values_list("name", flat=True))
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(used) + 2))
    return next(name for name in names if name not in used)
