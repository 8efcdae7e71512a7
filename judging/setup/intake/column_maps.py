"""Map the fields of documents, topics and grades to the columns of files from any publisher.

A format such as `beir` is a named map of columns. `readers.records` uses such maps to read files.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evaluation.shapes import NAMES
from judging.core.faults import shown
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.datasets import dataset_path, is_dataset
from judging.setup.intake.toml_table import Table

Column = str | int
"""The name of a column or, in a file without a header, its position, counted from 1."""
Columns = Mapping[str, Column]
"""Maps our fields to columns. An optional field is mapped to "" if the file has no column for it."""
CONTAINERS: Final = ("jsonl", "csv", "tsv", "irds")
"""The formats whose columns can be chosen. `irds` reads a collection of `ir_datasets`."""
WITH_POSITIONS: Final = ("csv", "tsv")
"""The formats whose files can lack a header. Without a header, columns are given by position."""


@dataclass(frozen=True)
class Field:
    """A field of a document, topic or grade.

    `label` is its name on pages. `names` lists the column names that are recognised for the field, starting
    with Plumbline's own name.
    """

    name: str
    label: str
    names: tuple[str, ...]
    needed: bool = True
    is_rare: bool = False
    """Whether few files have the field, so that examples of a header leave it out."""
    is_list: bool = False
    """Whether the value is a list: in JSON as it is, and in a cell as JSON."""


FIELDS: Final = {
    "documents": (
        Field("id", _("Document id"), ("id", "_id", "pid", *NAMES["document_id"])),
        Field("title", _("Title"), ("title", "headline"), needed=False),
        Field("text", _("Text"), ("text", "body", "contents", "content", "passage", "segment", "abstract")),
        Field("layout", _("Layout"), ("layout",), needed=False, is_rare=True),
        Field("markup", _("Markup"), ("markup",), needed=False, is_rare=True),
        Field("sources", _("Sources"), ("sources",), needed=False, is_rare=True, is_list=True),
    ),
    "topics": (
        Field("number", _("Topic number"), ("number", "_id", "id", "num", *NAMES["topic_id"])),
        Field("title", _("Title"), ("title", "text", "query", "question")),
        Field("description", _("Description"), ("description", "desc"), needed=False),
        Field("narrative", _("Narrative"), ("narrative", "narr"), needed=False),
    ),
    "grades": (
        Field("topic", _("Topic number"), ("topic", *NAMES["topic_id"])),
        Field("document", _("Document id"), ("document", "pid", *NAMES["document_id"])),
        Field("grade", _("Grade"), ("grade", *NAMES["gain"])),
    ),
}
"""The fields of each kind of file."""
BEIR: Final[dict[str, tuple[str, Columns]]] = {
    "documents": ("jsonl", {"id": "_id", "title": "title", "text": "text"}),
    "topics": ("jsonl", {"number": "_id", "title": "text"}),
    "grades": ("tsv", {"topic": "query-id", "document": "corpus-id", "grade": "score"}),
}
"""The formats and columns of BEIR's files `corpus.jsonl`, `queries.jsonl` and `qrels/*.tsv`."""
MS_MARCO: Final[dict[str, dict[int, Columns]]] = {
    "documents": {2: {"id": 1, "text": 2}, 4: {"id": 1, "title": 3, "text": 4}},
    "topics": {2: {"number": 1, "title": 2}},
}
"""The columns of MS MARCO's tab-separated files, for each kind of file and each number of columns.

Files of passages have two columns, and files of documents have four. MS MARCO's qrels have the columns of the
format `qrels`, separated by spaces or tabs.
"""
RECORDS: Final = ("jsonl", "csv", "tsv", "beir", "msmarco", "irds")
"""All formats that consist of records. `beir` and `msmarco` are named maps of columns."""


@dataclass(frozen=True)
class ColumnMap:
    """How to read the records of a file: its container, and the column of each field.

    `chosen` holds the fields for which somebody chose a column. The file must have the chosen columns, even
    those of optional fields. `is_foreign` is true if the file was not written for Plumbline. Numbers in such
    a file are read as text, exactly as they are written. Null is read as an empty string.
    """

    container: str
    columns: Columns = field(default_factory=dict)
    chosen: frozenset[str] = frozenset()
    is_foreign: bool = True

    @property
    def has_header(self) -> bool:
        """Return whether the first line of a CSV or TSV file names the columns."""
        return not any(isinstance(column, int) for column in self.columns.values())


def own_columns(kind: str) -> dict[str, Column]:
    """Return the map of columns for files that use Plumbline's own column names."""
    return {entry.name: entry.name for entry in FIELDS[kind]}


def chosen_columns(kind: str, container: str, columns: Columns) -> ColumnMap:
    """Return the map of columns for a file, given the columns that somebody chose.

    `columns` maps fields to column names or to positions. If it uses names, every other field gets the column
    with Plumbline's own name for that field. If it uses positions, the other fields get no column. With the
    container `irds`, the map contains only the chosen columns. `read_records` later guesses the others from
    the collection.
    """
    by_name = not any(isinstance(column, int) for column in columns.values())
    chosen = frozenset(name for name, column in columns.items() if column != "")
    if container == "irds":
        return ColumnMap(container, columns, chosen)  # the other columns are guessed from the collection
    whole = {**(own_columns(kind) if by_name else {}), **columns}
    return ColumnMap(container, {name: column for name, column in whole.items() if column != ""}, chosen)


def guess_columns(kind: str, names: Sequence[str]) -> dict[str, Column]:
    """Guess from the names of a file's columns which column holds which field. Ignore case.

    Return a dict from field to column. It omits each field for which no column has a recognised name.
    """
    known = {name.strip().lower(): name for name in reversed(names)}
    guesses = {
        entry.name: next((known[name] for name in entry.names if name in known), "") for entry in FIELDS[kind]
    }
    return {name: column for name, column in guesses.items() if column}


def guess_positions(kind: str, width: int) -> dict[str, Column]:
    """Return the likely positions of the fields in a file that has `width` columns and no header."""
    if kind == "grades":
        topic, *others = (entry.name for entry in FIELDS[kind])
        places = range(2 if width == len(FIELDS[kind]) else 3, width + 1)
        return {topic: 1, **dict(zip(others, places, strict=False))}
    return dict(MS_MARCO[kind].get(width, MS_MARCO[kind][2]))


def missing_fields(kind: str, columns: Columns) -> list[str]:
    """Return the needed fields that have no column."""
    return [entry.name for entry in FIELDS[kind] if entry.needed and not columns.get(entry.name)]


@dataclass(frozen=True)
class Format:
    """The format and the columns of the files that one table of the study file lists."""

    name: str
    columns: dict[str, Column] = field(default_factory=dict)


def read_format(
    table: Table, kind: str, formats: Collection[str], default: str = "", *, needed: bool = False
) -> Format:
    """Return the `format` and the `columns` of a table.

    A path such as `irds:beir/scifact/test` needs no format. If the path, the format and the columns do not
    fit together, add a fault and return a format without a name. Without a name, the table's files cannot be
    read.
    """
    from_datasets = {is_dataset(path) for path in _paths(table)}
    if True in from_datasets and "format" not in table:
        default, needed = "irds", False
    name = table.choice("format", formats, default, needed=needed)
    columns = table.columns("columns") if "columns" in table else {}
    if name in formats and not from_datasets <= {name == "irds"}:
        table.fault(
            "path",
            _(
                'The format "irds" is for ids of ir_datasets, which begin with {prefix}. Correct the format, '
                "or write an id such as {example} as the path."
            ),
            prefix=dataset_path(""),
            example=dataset_path("beir/scifact/test"),
        )
        return Format("")
    if columns and name in formats and name not in CONTAINERS:
        fixed = _(
            "The format {format} has fixed columns. Remove `columns`, or use one of these formats: {formats}."
        )
        table.fault("columns", fixed, format=shown(name), formats=", ".join(CONTAINERS))
        return Format("")
    if columns is None or (columns and not _are_valid(table, kind, name, columns)):
        return Format("")
    return Format(name, columns)


def _paths(table: Table) -> list[str]:
    if "path" not in table:
        return []
    if table.is_text("path"):
        return [table.text("path")]
    return table.texts("path") or []


def _are_valid(table: Table, kind: str, form: str, columns: Columns) -> bool:
    """Return whether a map of columns can be used with a format. Add a fault if not."""
    known = [entry.name for entry in FIELDS[kind]]
    guessed = own_columns(kind) if form == "irds" else {}
    positions = [column for column in columns.values() if isinstance(column, int)]
    with table.faults.watch() as watch:
        for name in columns.keys() - set(known):
            unknown = _("There is no field {field}. Use only these: {fields}.")
            table.fault("columns", unknown, field=shown(name), fields=", ".join(known))
        if positions and form not in WITH_POSITIONS:
            no_positions = _(
                "Columns in the format {format} have names, not numbers. Write the name of each column."
            )
            table.fault("columns", no_positions, format=form)
        elif positions and len(positions) < sum(column != "" for column in columns.values()):
            mixed = _(
                "Some columns are names and some are numbers. Use names for a file with a header, and numbers"
                " for a file without one."
            )
            table.fault("columns", mixed)
        elif missing := missing_fields(kind, {**guessed, **chosen_columns(kind, form, columns).columns}):
            no_column = _("No column is given for the field {field}. Add the field to `columns`.")
            table.fault("columns", no_column, field=", ".join(missing))
    return watch.clean
