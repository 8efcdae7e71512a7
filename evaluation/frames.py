"""Judgments and gains: each is a table whose rows have been checked. Runs are in the module `runs`.

`Gains(source)` accepts a path, an `ir_datasets` id, a dict of dicts, rows or a table. `Judgments(source)`
accepts a path, rows or a table. The class method `from_columns` takes each column as a separate argument. Ids
are stored as text: a whole number is written as digits, and text stays unchanged (`007`, `1e5`). The
constructors and `from_columns` raise `InputError` for the first invalid row.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from .arrays import BoolArray, FloatArray
from .columns import (
    UNIT,
    Column,
    ids,
    marks,
    numbers,
    refuse_outside,
    table_of,
)
from .compared import COMPARED_WITH, compared_column
from .conventions import Negative
from .errors import InputError, shown
from .frame import Frame
from .options import checked
from .origin import NO_FILE, Origin, first
from .pairs import PAIR, first_repetition
from .parsing.judgment_table import JudgmentTable, read_table
from .parsing.numbers import parse_numbers
from .parsing.qrels import qrels_columns
from .scales import DEFAULT, ScaleName, scale_named, scale_of
from .shapes import GAINS, JUDGMENTS
from .sources import Source, columns_of, is_path
from .subtopics import largest_of_subtopics, refuse_judged_twice, subtopics_in


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Judgments(Frame):
    """Judgments: `topic_id, unit_id, document_id, relevance_score`, and optionally other columns.

    `source` is a path to a CSV file, rows, or a table with these columns. The others are `worker_id`, `gold`
    and `compared_with`. The column `gold` marks the anchors
    of each unit. It is ignored unless you set `gold=True`.

    `scale` says what the numbers are:

    - `"magnitude"`, the default: a number from 1e-100 to 1e100. Only the ratios between magnitudes have a
      meaning.
    - `"0-100"`: a number from 0 to 100 on a scale that all workers share.
    - `"grades"`: a whole number from 0 to 6, the number of a label. Only the order has a meaning.
    - `"preference"`: the judgment compares `document_id` with the document in the column `compared_with`. The
      number is 1 if `document_id` is preferred, 0 if the other is, and 0.5 if both are equally relevant.
    - `"rating"`: a number from 0 to 1000 on a scale that all workers share, for files of other studies.

    If `source` is already a `Judgments` object, it keeps its scale and its column `gold`.

    Example: `Judgments([("401", "u", "d1", 10), ("401", "u", "d2", 2.5)])`.
    """

    scale: str = DEFAULT

    @checked
    def __init__(self, source: Source, *, gold: bool = False, scale: ScaleName = DEFAULT) -> None:
        if is_path(source):
            judgments = _judgments_of_table(read_table(source), gold=gold, scale=scale)
        elif isinstance(source, JudgmentTable):
            judgments = _judgments_of_table(source, gold=gold, scale=scale)
        elif isinstance(source, Judgments):
            judgments = source
        else:
            columns = columns_of(source, JUDGMENTS)
            if not gold:
                columns.pop("gold", None)
            judgments = Judgments.from_columns(**columns, scale=scale)
        self.__dict__.update(judgments.__dict__)

    @classmethod
    @checked
    def from_columns(
        cls,
        topic_id: Column,
        unit_id: Column,
        document_id: Column,
        relevance_score: Column,
        worker_id: Column | None = None,
        gold: Column | None = None,
        compared_with: Column | None = None,
        *,
        scale: ScaleName = DEFAULT,
        origin: Origin = NO_FILE,
    ) -> "Judgments":
        """Return the judgments in these columns, one for each row.

        `scale` is the scale of `relevance_score`. `gold` marks a unit's anchors: `H` is the highly relevant
        document, and `N` is the document that is not relevant. For all other documents, `gold` is empty or
        None. `compared_with` has the second document of each judgment on a scale that compares two documents,
        and `gold` then marks the first. On other scales, it must be empty or None. Raise `InputError` for the
        first invalid row.
        """
        columns = {
            "topic_id": ids("topic_id", topic_id, origin),
            "unit_id": ids("unit_id", unit_id, origin),
            "document_id": ids("document_id", document_id, origin),
            "relevance_score": numbers("relevance_score", relevance_score, origin),
        }
        if worker_id is not None:
            columns["worker_id"] = ids("worker_id", worker_id, origin, may_be_empty=True)
        if gold is not None:
            columns["gold"] = marks("gold", gold, origin)
        pairs = compared_column(scale_named(scale), compared_with, columns["document_id"], origin)
        if pairs is not None:
            columns[COMPARED_WITH] = pairs
        judgments = cls.from_checked(table_of(columns), origin).on_scale(scale)
        refuse_outside(scale_of(judgments), "relevance_score", judgments.magnitudes, origin)
        return judgments

    @checked
    def on_scale(self, scale: ScaleName) -> "Judgments":
        """Return the same judgments with another `scale`. The numbers are neither converted nor checked."""
        judgments = self.replaced()
        judgments.__dict__.update(scale=scale)
        return judgments

    def _details(self) -> list[str]:
        return [scale_of(self).numbers]

    @property
    def magnitudes(self) -> FloatArray:
        """The raw numbers, such as magnitudes or ratings, in row order."""
        return self.table["relevance_score"].to_numpy()

    def refuse_without_ratios(self) -> None:
        """Raise `InputError` if ratios of the judgments have no meaning, as those of ratings."""
        if (words := scale_of(self).without_ratios) is not None:
            raise words.error(self.origin.path or "")

    @property
    def unit_keys(self) -> list[str]:
        """The columns that together identify a unit: topic, unit and, if the table has workers, worker."""
        return [name for name in UNIT if name in self.table.columns]

    @property
    def has_anchors(self) -> bool:
        """Whether any judgment is marked as one of an anchor."""
        return "gold" in self.table.columns and bool((self.table["gold"] != "").any())

    @property
    def is_of_anchors(self) -> BoolArray:
        """Whether each judgment is only of anchors: of one, or of a pair in which both documents are.

        The checks of a unit depend on these judgments.
        """
        if "gold" not in self.table.columns:
            return np.zeros(len(self.table), dtype=np.bool_)
        marked = self.table["gold"] != ""
        if COMPARED_WITH in self.table.columns:
            anchors = self.table.filter(marked).select(pl.struct(*PAIR)).to_series().implode()
            first_ones, second_ones = (
                self.table.select(pl.struct("topic_id", document_id=name).is_in(anchors)).to_series()
                for name in ("document_id", COMPARED_WITH)
            )
            marked = first_ones & second_ones
        return marked.to_numpy()

    @property
    def documents(self) -> pl.DataFrame:
        """The documents of all judgments: `topic_id, document_id`, a row for each document of a judgment.

        A judgment that compares two documents has two rows: first all first documents, then all second ones.
        """
        first_ones = self.table.select(*PAIR)
        if COMPARED_WITH not in self.table.columns:
            return first_ones
        return pl.concat([first_ones, self.table.select("topic_id", document_id=COMPARED_WITH)])

    def first_repetition(self) -> int | None:
        """Return the index of the first row that repeats a document or pair of its unit, or None."""
        keys = [*self.unit_keys, "document_id", COMPARED_WITH]
        present = [name for name in keys if name in self.table.columns]
        is_repeated = ~self.table.select(pl.struct(present).is_first_distinct()).to_series()
        return first(is_repeated.to_numpy())


def _judgments_of_table(table: JudgmentTable, *, gold: bool, scale: ScaleName) -> Judgments:
    """Return the judgments in row order. Raise `InputError` that names up to 20 of the invalid rows."""
    columns, origin = table.judgment_columns(gold=gold), table.origin
    try:
        columns["relevance_score"] = parse_numbers("relevance_score", columns["relevance_score"], origin)
        return Judgments.from_columns(**columns, scale=scale, origin=origin)
    except InputError as fault:
        rows = table.invalid_rows(gold=gold, scale=scale)
        first_row = next((row for row in rows if origin.at(row) == fault.where), -1)
        raise origin.naming_others(fault, rows, first_row) from None


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Gains(Frame):
    """Qrels or gains: `topic_id, document_id, gain`. A gain, 0 or more, says how much a document is worth.

    `source` is a path to a qrels file, an `ir_datasets` id such as `irds:beir/scifact/test`, a dict of
    dicts, rows, or a table. With `negative="zero"`, negative codes such as −1 and −2 count as 0. By default,
    they are errors.

    The attribute `table` has one row for each document in each topic. If these are also the original rows,
    the attribute `judgments` is None. Otherwise, `judgments` is a table of the original rows, including
    negative codes. Its columns are `topic_id, document_id, gain` and, if documents are judged by subtopic,
    `subtopic_id`.

    Example: `Gains({"401": {"d1": 3.5, "d2": 0}})`.
    """

    judgments: pl.DataFrame | None = None

    @checked
    def __init__(self, source: Source, *, negative: Negative = "error") -> None:
        if is_path(source):
            columns, origin = qrels_columns(source)
            gains = Gains.from_columns(**columns, negative=negative, origin=origin)
        elif isinstance(source, Gains):
            gains = source
        else:
            columns = columns_of(source, GAINS)
            columns["subtopic_id"] = subtopics_in(columns.get("subtopic_id"))
            gains = Gains.from_columns(**columns, negative=negative)
        self.__dict__.update(gains.__dict__)

    @classmethod
    @checked
    def from_columns(
        cls,
        topic_id: Column,
        document_id: Column,
        gain: Column,
        subtopic_id: Column | None = None,
        *,
        negative: Negative = "error",
        origin: Origin = NO_FILE,
    ) -> "Gains":
        """Return the gains in these columns. Each row is the judgment of a document in a topic.

        A document can have only one row in each topic. With `subtopic_id`, it can have one row for each
        subtopic, and its gain in the topic is the largest gain in these rows.

        With `negative="zero"`, negative codes such as −1 and −2 count as 0. Only measures for incomplete
        judgments use the codes themselves. Raise `InputError` for the first invalid row.
        """
        columns = {
            "topic_id": ids("topic_id", topic_id, origin),
            "document_id": ids("document_id", document_id, origin),
            "gain": numbers("gain", gain, origin),
        }
        if subtopic_id is not None:
            columns["subtopic_id"] = ids("subtopic_id", subtopic_id, origin)
        table = judgments = table_of(columns)
        values = table["gain"].to_numpy()
        if (row := first(~np.isfinite(values))) is not None:
            raise InputError(
                "gain-not-finite",
                "gain {value} is not finite (document {document} in topic {topic}); give a finite "
                "number that is at least 0",
                origin.at(row),
                **cls.from_checked(table, origin).row_values(row),
            )
        has_negative = bool((values < 0).any())
        if negative == "zero":
            # Clipping keeps −0.0; adding 0.0 turns it into 0.0.
            table = table.with_columns(pl.Series("gain", np.maximum(values, 0.0) + 0.0))
        elif (row := first(values < 0)) is not None:
            raise InputError(
                "negative-gain",
                "gain {value} is negative (document {document} in topic {topic}); correct it, or use "
                "--negative zero to count it as 0",
                origin.at(row),
                **cls.from_checked(table, origin).row_values(row),
            )
        if subtopic_id is not None:
            refuse_judged_twice(table, origin)
            return cls.from_checked(*largest_of_subtopics(table, origin))._judged_as(judgments)
        if (row := first_repetition(table)) is not None:
            raise InputError(
                "document-judged-twice",
                "document {document} has two judgments in topic {topic}; remove one of them",
                origin.at(row),
                document=shown(table["document_id"][row]),
                topic=shown(table["topic_id"][row]),
            )
        return cls.from_checked(table, origin)._judged_as(judgments if has_negative else None)

    def _judged_as(self, judgments: pl.DataFrame | None) -> "Gains":
        """Set the attribute `judgments` of these new gains, and return the gains."""
        self.__dict__["judgments"] = judgments
        return self

    @property
    def values(self) -> FloatArray:
        """The gains, in row order."""
        return self.table["gain"].to_numpy()

    def row_values(self, row: int) -> dict[str, str]:
        """Return the `topic`, `document` and `value` of a row for an error message."""
        topic, document, value = self.table.select(*PAIR, "gain").row(row)
        return {"topic": shown(topic), "document": shown(document), "value": f"{value:g}"}


class Qrels(Gains):
    """`Gains` under the usual name for published judgments."""
