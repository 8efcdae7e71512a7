"""Judgments, gains and runs: each is a table whose rows have been checked.

`Gains(source)`, `Run(source)` and `Judgments(source)` accept a path, an id of `ir_datasets`, a dict of dicts,
rows or a table. The class method `from_columns` accepts the columns one by one. Ids are text: a whole number
is written as digits, and text does not change (`007`, `1e5`). All of these raise `InputError` for the first
invalid row.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from typing import Final, Literal, NamedTuple, Self

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.columns import Column, ids, marks, numbers, refuse_magnitudes, table_of
from evaluation.errors import InputError, shown
from evaluation.origin import NO_FILE, Origin, first
from evaluation.pairs import PAIR, HashArray, first_repetition, hashes
from evaluation.sources import (
    GAINS,
    JUDGMENTS,
    RUN,
    Columns,
    Source,
    columns_of,
    holds_numbers,
    is_path,
    is_row,
    is_table,
    refusal,
)
from evaluation.subtopics import largest_of_subtopics, refuse_judged_twice, subtopics_in

UNIT: Final = ("topic_id", "unit_id", "worker_id")
"""The columns that together identify a unit. A file without workers has only the first two."""
Negative = Literal["error", "zero"]


@dataclass(frozen=True, eq=False, init=False)
class _Frame:
    """A checked table, and the file and lines of its rows."""

    table: pl.DataFrame
    origin: Origin

    @classmethod
    def from_checked(cls, table: pl.DataFrame, origin: Origin = NO_FILE) -> Self:
        """Return a frame with these rows, without checking them again."""
        frame = object.__new__(cls)
        frame.__dict__.update(table=table, origin=origin)
        return frame

    def replaced(self, *, table: pl.DataFrame | None = None, origin: Origin | None = None) -> Self:
        """Return a copy of the frame with another table or another origin. The new rows are not checked."""
        frame = object.__new__(type(self))
        # Only the fields: what was computed from the old table, such as hashes, is not copied.
        frame.__dict__.update({part.name: getattr(self, part.name) for part in fields(self)})
        frame.__dict__.update(
            table=self.table if table is None else table, origin=self.origin if origin is None else origin
        )
        return frame


@dataclass(frozen=True, eq=False, init=False)
class Judgments(_Frame):
    """Magnitudes: `topic_id, unit_id, document_id, relevance_score`, optionally `worker_id` and `gold`.

    `source` is a path to a CSV file, rows, or a table with these columns. The column `gold` marks the anchors
    of each unit. It is ignored unless you set `gold=True`.

    Example: `Judgments([("401", "u", "d1", 10), ("401", "u", "d2", 2.5)])`.
    """

    def __init__(self, source: Source, *, gold: bool = False) -> None:
        if is_path(source):
            from evaluation.files.judgments import read_judgments  # which imports this module

            judgments = read_judgments(source, gold=gold)
        elif isinstance(source, Judgments):
            judgments = source
        else:
            columns = columns_of(source, JUDGMENTS)
            if not gold:
                columns.pop("gold", None)
            judgments = Judgments.from_columns(**columns)
        self.__dict__.update(judgments.__dict__)

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
        """Return the judgments in these columns, one for each row; magnitudes are from 1e-100 to 1e100.

        `gold` marks a unit's anchors: `H` is the highly relevant document, `N` the one that is not relevant.
        For all other documents it is empty or None. Raise `InputError` for the first invalid row.
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
        judgments = cls.from_checked(table_of(columns), origin)
        refuse_magnitudes("relevance_score", judgments.magnitudes, origin)
        return judgments

    @property
    def magnitudes(self) -> FloatArray:
        """The raw magnitudes, in row order."""
        return self.table["relevance_score"].to_numpy()

    @property
    def unit_keys(self) -> list[str]:
        """The columns that together identify a unit: topic, unit and, if the table has workers, worker."""
        return [name for name in UNIT if name in self.table.columns]

    def first_repetition(self) -> int | None:
        """Return the first row that repeats a document within its unit, or None."""
        is_repeated = ~self.table.select(
            pl.struct(*self.unit_keys, "document_id").is_first_distinct()
        ).to_series()
        return first(is_repeated.to_numpy())


@dataclass(frozen=True, eq=False, init=False)
class Gains(_Frame):
    """Qrels or gains: `topic_id, document_id, gain`. A gain is what a judged document is worth, from 0 up.

    `source` is a path to a qrels file, an id of `ir_datasets` such as `irds:beir/scifact/test`, a dict of
    dicts, rows, or a table. `negative="zero"` counts codes such as −1 and −2 as 0.

    `judgments` has the rows as they were given, or None if the table contains the same. Its columns are
    `topic_id, document_id, gain`, including negative codes, and `subtopic_id` if documents are judged by
    subtopic.

    Example: `Gains({"401": {"d1": 3.5, "d2": 0}})`.
    """

    judgments: pl.DataFrame | None = None

    def __init__(self, source: Source, *, negative: Negative = "error") -> None:
        if is_path(source):
            from evaluation.files.qrels import read_gains  # which imports this module

            gains = read_gains(source, negative=negative)
        elif isinstance(source, Gains):
            gains = source
        else:
            columns = columns_of(source, GAINS)
            columns["subtopic_id"] = subtopics_in(columns.get("subtopic_id"))
            gains = Gains.from_columns(**columns, negative=negative)
        self.__dict__.update(gains.__dict__)

    @classmethod
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
        """Return the gains in these columns: one judged document in each row, and none twice in a topic.

        `negative="zero"` counts codes such as −1 and −2 as 0; only measures for incomplete judgments see the
        codes. With `subtopic_id`, a document occurs at most once for each subtopic, and its gain in the topic
        is the largest of its subtopics. Raise `InputError` for the first invalid row.
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
                "gain {value} is not finite (document {document} in topic {topic}); give a number from 0 up",
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
                "gain {value} is negative (document {document} in topic {topic}); correct it, or count it "
                "as 0: --negative zero",
                origin.at(row),
                **cls.from_checked(table, origin).row_values(row),
            )
        if subtopic_id is not None:
            refuse_judged_twice(table, origin)
            return cls.from_checked(*largest_of_subtopics(table, origin))._judged_as(judgments)
        if (row := first_repetition(table)) is not None:
            raise InputError(
                "document-judged-twice",
                "document {document} is judged a second time in topic {topic}; remove one of the two",
                origin.at(row),
                document=shown(table["document_id"][row]),
                topic=shown(table["topic_id"][row]),
            )
        return cls.from_checked(table, origin)._judged_as(judgments if has_negative else None)

    def _judged_as(self, judgments: pl.DataFrame | None) -> "Gains":
        """Return these new gains with `judgments`, the rows that they come from, or None."""
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


Qrels = Gains
"""Another name for `Gains`: the usual name for published judgments."""


@dataclass(frozen=True, eq=False, init=False)
class Run(_Frame):
    """One system's ranked lists: `topic_id, document_id, score`, optionally `rank`.

    `source` is a path to a run file, an `ir_datasets` id of a collection with a run, a dict of dicts, rows,
    or a table. `tag` is the system's name. By default it is the tag in the file or table, or `run`.

    Example: `Run({"401": {"d1": 12.5, "d2": 11}}, tag="bm25")`.
    """

    tag: str

    def __init__(self, source: Source, tag: str | None = None) -> None:
        if is_path(source):
            from evaluation.files.runs import read_run  # which imports this module

            run = read_run(source)
        elif isinstance(source, Run):
            run = source
        else:
            run, *others = _runs_of_columns(columns_of(source, RUN), DEFAULT_TAG)
            if others:
                raise InputError(
                    "several-runs",
                    "the rows belong to several runs, such as {first} and {second}; read them with Runs",
                    first=shown(run.tag),
                    second=shown(others[0].tag),
                )
        self.__dict__.update(run.__dict__ if tag is None else run.__dict__ | {"tag": tag})

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
        """Return the run in these columns: one retrieved document in each row, and none twice in a topic.

        A score can be infinite but not NaN. Raise `InputError` for the first invalid row.
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
        run = cls.from_checked(table, origin)
        run.__dict__.update(tag=tag)
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


ReadRun = Callable[[], Run]
"""A function that reads a run when it is needed, so that the run does not stay in memory."""


class Runs(tuple[Run, ...]):
    """Several runs, each with its own tag, in the order of the source.

    `source` can be anything that `Run` accepts, or a list of such sources. It can also be a dict from tags to
    such sources, or a table with the tag of each row in the column `tag` or `run`. A single run without a tag
    gets the tag `run`. In a list, runs without tags get `run 1`, `run 2` and so on, by their places. Raise
    `InputError` if two runs have the same tag.

    Example: `Runs({"bm25": {"401": {"d1": 12.5}}, "dense": "dense.run"})`.
    """

    __slots__ = ()

    def __new__(cls, source: Source) -> Self:
        """Read the runs and check that their tags differ."""
        runs = super().__new__(cls, _runs_of(source, DEFAULT_TAG))
        refuse_repeated_tags((run.tag, run.origin) for run in runs)
        return runs


DEFAULT_TAG: Final = "run"
"""The tag of a run whose source does not name it."""


def _runs_of(source: Source, default_tag: str) -> Iterator[Run]:
    if isinstance(source, Run):
        yield source
    elif is_path(source):
        yield Run(source)
    elif isinstance(source, Mapping) and not (is_table(source) or holds_numbers(source)):
        for tag, run_source in source.items():
            yield Run(run_source, str(tag))
    elif isinstance(source, str | Mapping) or is_table(source):
        yield from _runs_of_columns(columns_of(source, RUN), default_tag)
    elif isinstance(source, Iterable):
        items = list(source)
        if items and is_row(items[0]):
            yield from _runs_of_columns(columns_of(items, RUN), default_tag)
        else:
            for place, item in enumerate(items, start=1):
                yield from _runs_of(item, f"{default_tag} {place}")
    else:
        raise refusal(source, RUN)


def _runs_of_columns(columns: Columns, default_tag: str) -> Iterator[Run]:
    """Yield one run for each tag in the column `tag`, in the order of their first rows."""
    tags = list(map(str, columns.pop("tag", ())))
    if len({*tags}) < 2:
        yield Run.from_columns(tags[0] if tags else default_tag, **columns)
        return
    rows = pl.DataFrame({"tag": tags}).with_row_index("row").group_by("tag", maintain_order=True).agg("row")
    for tag, places in rows.iter_rows():
        run_columns: Columns = {name: [values[row] for row in places] for name, values in columns.items()}
        yield Run.from_columns(tag, **run_columns)


def as_runs(source: Source) -> Sequence[Run | ReadRun]:
    """Return `Runs(source)`. In a list, each path becomes a function that reads its run.

    This way, the runs of a list need not be in memory at the same time. Functions that return a run stay in
    the list.
    """
    if isinstance(source, list | tuple) and all(
        isinstance(item, Run) or callable(item) or is_path(item) for item in source
    ):
        return [partial(Run, item) if is_path(item) else item for item in source]
    return Runs(source)


def refuse_repeated_tags(runs: Iterable[tuple[str, Origin]]) -> None:
    """Raise `InputError` for the first run with the tag of an earlier run; `runs` are tags and origins."""
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
    """Topics that the scores leave out, or that need attention, by run or measure."""

    ignored: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each run, its topics without judgments."""
    unanswered: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each run, the judged topics for which it has no list."""
    empty: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each measure, the topics without a relevant document or without gain."""
    all_relevant: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each measure that counts relevant documents, the topics in which no judged value is 0."""
    several_subtopics: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each measure without subtopics, the topics with documents judged for several subtopics."""

    def sentences(self) -> list[str]:
        """Return one sentence for each notice."""
        return [
            *(
                f"run {run}: topics ignored because they have no judgments: {_some(names)}"
                for run, names in self.ignored.items()
            ),
            *(f"run {run}: topics without a list: {_some(names)}" for run, names in self.unanswered.items()),
            *(
                f"{measure}: no value for topics with too few relevant documents or no gain: {_some(names)}"
                for measure, names in self.empty.items()
            ),
            *(
                f"{measure}: topics without a judged value of 0, so that all judged documents are relevant: "
                f"{_some(names)}; to count fewer as relevant, set rel="
                for measure, names in self.all_relevant.items()
            ),
            *(
                f"{measure}: topics with documents judged for several subtopics, whose largest gain counts: "
                f"{_some(names)}"
                for measure, names in self.several_subtopics.items()
            ),
        ]


@dataclass(frozen=True, eq=False)
class Scores:
    """Runs × topics × measures, without gaps; NaN in `values` means that there is no value."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    values: FloatArray
    notices: Notices = Notices()
    pooled: FloatArray | None = None
    """Values over all topics that are not a mean over topics (runs, measures); NaN if they are a mean."""

    @property
    def rows(self) -> list[ScoreRow]:
        """One row for each run, topic and measure, sorted in this order."""
        return [
            ScoreRow(run, topic, measure, _or_none(self.values[r, t, m]))
            for r, run in enumerate(self.runs)
            for t, topic in enumerate(self.topics)
            for m, measure in enumerate(self.measures)
        ]

    def means(self) -> list[ScoreRow]:
        """Return a row for each run and measure, with topic `all`: the mean over topics, or `pooled`.

        The mean leaves out topics without a value.
        """
        pooled = np.full((len(self.runs), len(self.measures)), np.nan) if self.pooled is None else self.pooled
        return [
            ScoreRow(run, "all", measure, _mean(self.values[r, :, m], _or_none(pooled[r, m])))
            for r, run in enumerate(self.runs)
            for m, measure in enumerate(self.measures)
        ]

    def by_run(self, *, per_topic: bool) -> list[ScoreRow]:
        """Return the means, run by run, for a report.

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
