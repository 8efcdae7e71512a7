"""Valid columns: judgments, gains and runs, each a table whose rows have been checked.

Ids are text and are never converted: `007` and `1e5` stay as they are. Every `from_columns`
raises `InputError` for the first row at fault.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.columns import Column, ids, marks, numbers, refuse_magnitudes, table_of
from evaluation.errors import InputError, shown
from evaluation.origin import NO_FILE, Origin, first
from evaluation.pairs import HashArray, first_repetition, hashes

UNIT: Final = ("topic_id", "unit_id", "worker_id")
"""The columns that together identify a unit; a file may have no workers."""
Negative = Literal["error", "zero"]


@dataclass(frozen=True, eq=False)
class Judgments:
    """Magnitudes: `topic_id, unit_id, document_id, relevance_score`, optionally `worker_id` and `gold`."""

    table: pl.DataFrame
    origin: Origin = NO_FILE

    @classmethod
    def from_columns(
        cls,
        topic_id: Column,
        unit_id: Column,
        document_id: Column,
        relevance_score: Column,
        worker_id: Column | None = None,
        gold: Column | None = None,
        *,
        origin: Origin = NO_FILE,
    ) -> "Judgments":
        """Check the columns; each row is a judgment, with a finite magnitude from 1e-100 to 1e100.

        `gold` marks a unit's anchors: `H` its highly relevant document, `N` the one that is not relevant. It
        is empty or None for all other documents. Raise `InputError` for the first row at fault.
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
        judgments = cls(table_of(columns), origin)
        refuse_magnitudes("relevance_score", judgments.magnitudes, origin)
        return judgments

    @property
    def magnitudes(self) -> FloatArray:
        """The raw magnitudes, in row order."""
        return self.table["relevance_score"].to_numpy()

    @property
    def unit_keys(self) -> list[str]:
        """The columns that together identify a unit: topic, unit and, if present, worker."""
        return [name for name in UNIT if name in self.table.columns]

    def first_repetition(self) -> int | None:
        """Return the first row that judges a document a second time in its unit, or None."""
        is_repeated = ~self.table.select(
            pl.struct(*self.unit_keys, "document_id").is_first_distinct()
        ).to_series()
        return first(is_repeated.to_numpy())


@dataclass(frozen=True, eq=False)
class Gains:
    """What each judged document of a topic is worth: `topic_id, document_id, gain`, finite and ≥ 0."""

    table: pl.DataFrame
    origin: Origin = NO_FILE

    @classmethod
    def from_columns(
        cls,
        topic_id: Column,
        document_id: Column,
        gain: Column,
        *,
        negative: Negative = "error",
        origin: Origin = NO_FILE,
    ) -> "Gains":
        """Check the columns; each row is a judged document, and no document occurs twice in a topic.

        `negative="zero"` counts codes such as −1 and −2 as 0. Raise `InputError` for the first row at fault.
        """
        table = table_of(
            {
                "topic_id": ids("topic_id", topic_id, origin),
                "document_id": ids("document_id", document_id, origin),
                "gain": numbers("gain", gain, origin),
            }
        )
        values = table["gain"].to_numpy()
        if (row := first(~np.isfinite(values))) is not None:
            raise InputError(
                "gain-not-finite",
                "gain {value} is not finite (document {document} in topic {topic}); give a number from 0 up",
                origin.at(row),
                **cls(table, origin).row_values(row),
            )
        if negative == "zero":
            # Clipping keeps −0.0; adding 0.0 turns it into 0.0.
            table = table.with_columns(pl.Series("gain", np.maximum(values, 0.0) + 0.0))
        elif (row := first(values < 0)) is not None:
            raise InputError(
                "negative-gain",
                "gain {value} is negative (document {document} in topic {topic}); correct it, or count it "
                "as 0: --negative zero",
                origin.at(row),
                **cls(table, origin).row_values(row),
            )
        if (row := first_repetition(table)) is not None:
            raise InputError(
                "document-judged-twice",
                "document {document} is judged a second time in topic {topic}; remove one of the two",
                origin.at(row),
                document=shown(table["document_id"][row]),
                topic=shown(table["topic_id"][row]),
            )
        return cls(table, origin)

    @property
    def values(self) -> FloatArray:
        """The gains, in row order."""
        return self.table["gain"].to_numpy()

    def row_values(self, row: int) -> dict[str, str]:
        """Return the `topic`, `document` and `value` of a row, for an error."""
        topic, document, value = self.table.row(row)
        return {"topic": shown(topic), "document": shown(document), "value": f"{value:g}"}


@dataclass(frozen=True, eq=False)
class Run:
    """One system's ranked lists: `topic_id, document_id, score`, optionally `rank`.

    `tag` is the system's name.
    """

    tag: str
    table: pl.DataFrame
    origin: Origin = NO_FILE

    @classmethod
    def from_columns(
        cls,
        tag: str,
        topic_id: Column,
        document_id: Column,
        score: Column,
        rank: Column | None = None,
        *,
        origin: Origin = NO_FILE,
    ) -> "Run":
        """Check the columns; each row is a retrieved document, and none occurs twice in a topic.

        A score can be infinite but not NaN. Raise `InputError` for the first row at fault.
        """
        columns = {
            "topic_id": ids("topic_id", topic_id, origin),
            "document_id": ids("document_id", document_id, origin),
            "score": numbers("score", score, origin),
        }
        if rank is not None:
            columns["rank"] = numbers("rank", rank, origin)
        table = table_of(columns)
        if (row := first(np.isnan(table["score"].to_numpy()))) is not None:
            raise InputError(
                "score-is-nan",
                "score is NaN, which cannot be ranked; give a number",
                origin.at(row),
            )
        if rank is not None:
            ranks = table["rank"].to_numpy()
            if (row := first(~np.isfinite(ranks) | (np.floor(ranks) != ranks))) is not None:
                raise InputError(
                    "rank-not-whole",
                    "rank {rank} is not a whole number; number the documents 1, 2, 3 …",
                    origin.at(row),
                    rank=str(ranks[row]),
                )
        run = cls(tag, table, origin)
        if (row := first_repetition(table, run.hashes)) is not None:
            raise InputError(
                "document-retrieved-twice",
                "document {document} is retrieved a second time in topic {topic}; remove one of the two",
                origin.at(row),
                document=shown(table["document_id"][row]),
                topic=shown(table["topic_id"][row]),
            )
        return run

    @cached_property
    def hashes(self) -> HashArray:
        """The hash of each row's topic and document (rows,)."""
        return hashes(self.table)


def refuse_other_types(gains: object, runs: object, rel: object = None) -> None:
    """Raise `InputError` if gains or runs have the wrong type; the error says what to pass."""
    for name, argument in {"gains": gains, "rel": gains if rel is None else rel}.items():
        if not isinstance(argument, Gains):
            raise InputError(
                "gains-of-another-type",
                "{argument} must be Gains, not {type}; pass "
                'evaluation.files.read_gains("qrels.txt") or Gains.from_columns(topics, documents, gains)',
                argument=name,
                type=type(argument).__name__,
            )
    if not isinstance(runs, Sequence) or isinstance(runs, str | bytes):
        raise InputError(
            "runs-not-a-list",
            "runs must be a list of Run, not {type}; pass "
            'evaluation.files.read_runs(["a.run"]) or [Run.from_columns(tag, topics, documents, scores)]',
            type=type(runs).__name__,
        )
    others = [type(run).__name__ for run in runs if not (isinstance(run, Run) or callable(run))]
    if others:
        raise InputError(
            "run-of-another-type",
            "runs must be a list of Run, but it contains {type}; pass "
            'evaluation.files.read_runs(["a.run"]) or [Run.from_columns(tag, topics, documents, scores)]',
            type=others[0],
        )


def refuse_repeated_tags(runs: Iterable[tuple[str, Origin]]) -> None:
    """Raise `InputError` for the first run, given as tag and origin, that has the tag of an earlier one."""
    origins: dict[str, Origin] = {}
    for tag, origin in runs:
        if tag in origins and origin.path is None:
            raise InputError(
                "tag-used-twice", "two runs have the tag {tag}; give each run its own tag", tag=shown(tag)
            )
        if tag in origins:
            raise InputError(
                "tag-of-another-file",
                "the run in {other} also has the tag {tag}; give each run its own tag",
                origin.at(0),
                other=origins[tag].path,
                tag=shown(tag),
            )
        origins[tag] = origin


class ScoreRow(NamedTuple):
    """One cell of a table of scores; `value` is None if the measure has no value."""

    run: str
    topic: str
    measure: str
    value: float | None


@dataclass(frozen=True)
class Notices:
    """What was left out of the scores; each notice names its topics."""

    ignored: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each run: its topics without judgments."""
    unanswered: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each run: judged topics without a list."""
    empty: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each measure: topics without a relevant document, or without gain."""
    all_relevant: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each measure that counts relevant documents: topics in which no judged value is 0."""

    def sentences(self) -> list[str]:
        """Return each notice in words, on one line."""
        return [
            *(
                f"run {run}: topics ignored because they have no judgments: {_some(names)}"
                for run, names in self.ignored.items()
            ),
            *(f"run {run}: topics without a list: {_some(names)}" for run, names in self.unanswered.items()),
            *(
                f"{measure}: topics with too little relevance for a value: {_some(names)}"
                for measure, names in self.empty.items()
            ),
            *(
                f"{measure}: topics whose judged documents are all relevant, because no judged value is 0: "
                f"{_some(names)}; set rel= if fewer are meant"
                for measure, names in self.all_relevant.items()
            ),
        ]


@dataclass(frozen=True, eq=False)
class Scores:
    """Runs × topics × measures, with every cell filled; NaN in `values` stands for no value."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    values: FloatArray
    notices: Notices = Notices()
    pooled: FloatArray | None = None
    """Means of runs × measures that are not the mean over topics; NaN if they are."""

    @property
    def rows(self) -> list[ScoreRow]:
        """The rows: one for each run, topic and measure, sorted in this order."""
        return [
            ScoreRow(run, topic, measure, _or_none(self.values[r, t, m]))
            for r, run in enumerate(self.runs)
            for t, topic in enumerate(self.topics)
            for m, measure in enumerate(self.measures)
        ]

    def means(self) -> list[ScoreRow]:
        """Return a row for each run and measure, with topic `all`: the mean over the topics, or `pooled`.

        Topics without a value are left out of the mean.
        """
        pooled = np.full((len(self.runs), len(self.measures)), np.nan) if self.pooled is None else self.pooled
        return [
            ScoreRow(run, "all", measure, _mean(self.values[r, :, m], _or_none(pooled[r, m])))
            for r, run in enumerate(self.runs)
            for m, measure in enumerate(self.measures)
        ]

    def by_run(self, *, per_topic: bool) -> list[ScoreRow]:
        """Return the means run by run, as a report prints them.

        With `per_topic`, each run's `rows` come before its means.
        """
        rows = [*self.rows, *self.means()] if per_topic else self.means()
        return sorted(rows, key=lambda row: self.runs.index(row.run))


def _some(topics: tuple[str, ...], limit: int = 5) -> str:
    named = ", ".join(topics[:limit]) + (", …" if len(topics) > limit else "")
    return f"{len(topics)} ({named})"


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _mean(values: FloatArray, pooled: float | None) -> float | None:
    present = values[~np.isnan(values)]
    if not present.size or pooled is not None:
        return pooled
    return float(present.mean())
