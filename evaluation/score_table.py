"""Scores of runs, and their conversion to tables for people and for other tools.

A table has one row of means for each run, and one column for each measure. With `per_topic`, it has one row
of scores for each run and topic instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np
import polars as pl

from . import rendering
from .arrays import FloatArray, mean_over_topics
from .errors import InputError, shown
from .means import ALL
from .notices import NO_NOTICES, Notices
from .options import checked
from .rendering import Cell, Table
from .showing import counted

if TYPE_CHECKING:
    import pandas as pd

Shape = Literal["wide", "long"]
DIGITS: Final = 4
"""The number of decimals of a printed score, as in trec_eval."""
_LONG: Final = {"run": pl.String, "topic": pl.String, "measure": pl.String, "value": pl.Float64}


class ScoreRow(NamedTuple):
    """The value of a measure for a run in a topic. `value` is None if there is no value."""

    run: str
    topic: str
    measure: str
    value: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """The scores of all runs in all topics by all measures.

    `values` has the shape (runs, topics, measures); NaN means that there is no value. Terminals and notebooks
    show the means, with a row for each run and a column for each measure. The methods `to_…` return the means
    or, with `per_topic=True`, the scores in each topic.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    values: FloatArray
    notices: Notices = NO_NOTICES
    pooled: FloatArray | None = None
    """Values computed from all topics together, for each run and measure (runs, measures).

    Where `pooled` is NaN, the mean over topics is used instead.
    """

    @property
    def rows(self) -> list[ScoreRow]:
        """One row for each run, topic and measure, sorted in this order."""
        return [row for place in range(len(self.runs)) for row in self._rows_of(place)]

    def _rows_of(self, place: int) -> Iterator[ScoreRow]:
        """Yield a run's row for each topic and measure. `place` is the index of the run."""
        for topic, values in zip(self.topics, self.values[place], strict=True):
            for measure, value in zip(self.measures, values, strict=True):
                yield ScoreRow(self.runs[place], topic, measure, _or_none(value))

    def means(self) -> list[ScoreRow]:
        """Return a row for each run and measure, with the topic `all`.

        The value comes from `pooled`. Where `pooled` has no value, the row has the mean over the topics that
        have a value.
        """
        return [row for place in range(len(self.runs)) for row in self._means_of(place)]

    def _means_of(self, place: int) -> Iterator[ScoreRow]:
        """Yield a run's row for each measure. `place` is the index of the run."""
        for number, measure in enumerate(self.measures):
            pooled = None if self.pooled is None else _or_none(self.pooled[place, number])
            value = _mean(self.values[place, :, number], pooled)
            yield ScoreRow(self.runs[place], ALL, measure, value)

    def by_run(self, *, per_topic: bool) -> Iterator[ScoreRow]:
        """Yield the means, run by run, for a report.

        With `per_topic`, each run's `rows` come before its means.
        """
        for place in range(len(self.runs)):
            if per_topic:
                yield from self._rows_of(place)
            yield from self._means_of(place)

    def to_dict(self, *, per_topic: bool = False) -> dict[str, Any]:
        """Return the means as `{run: {measure: mean}}`, with None for no value.

        With `per_topic`, return `{run: {topic: {measure: value}}}`. The dict of each run then has the form
        that pytrec_eval returns.

        Example: `score(qrels, runs, "nDCG@10").to_dict()["bm25"]["nDCG@10"]`.
        """
        result: dict[str, Any] = {run: {} for run in self.runs}
        for run, topic, measure, value in self.rows if per_topic else self.means():
            of_run = result[run].setdefault(topic, {}) if per_topic else result[run]
            of_run[measure] = value
        return result

    @checked
    def to_polars(self, *, per_topic: bool = False, shape: Shape = "wide") -> pl.DataFrame:
        """Return a polars table with the column `run` and a column for each measure.

        With `per_topic`, the table also has the column `topic`. With `shape="long"`, it has a row for each
        value, with the columns `run, topic, measure, value`; the topic of a mean is `all`. A null means that
        there is no value.

        Raise `InputError` for an unknown shape, and if a measure has the same name as the column `run` or
        `topic` of a wide table.
        """
        rows = self.rows if per_topic else self.means()
        long = pl.DataFrame(rows, schema=[*_LONG.items()], orient="row")
        if shape == "long":
            return long
        keys = ["run", "topic"] if per_topic else ["run"]
        if clash := {*keys} & {*self.measures}:
            raise InputError(
                "measure-named-like-column",
                'the measure {measure} has the same name as a column of the wide table; use shape="long"',
                measure=shown(min(clash)),
            )
        step = max(1, len(self.measures))
        columns = {name: long["value"].gather_every(step, m) for m, name in enumerate(self.measures)}
        return long.select(keys).gather_every(step).with_columns(**columns)

    @checked
    def to_pandas(self, *, per_topic: bool = False, shape: Shape = "wide") -> "pd.DataFrame":
        """Return the table of `to_polars` as a pandas table. NaN means that there is no value.

        Raise `InputError` in the same cases as `to_polars`, and if pandas is not installed.
        """
        return rendering.to_pandas(self.to_polars(per_topic=per_topic, shape=shape))

    def to_latex(
        self,
        *,
        per_topic: bool = False,
        digits: int = DIGITS,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        r"""Return a LaTeX `tabular` with the horizontal lines of the package booktabs.

        With a `caption` (plain text) or a `label` (for `\ref`), the `tabular` is inside a `table`. Raise
        `InputError` for `digits` outside 0–17.
        """
        return rendering.to_latex(self._table(per_topic, digits), caption, label)

    def to_html(self, *, per_topic: bool = False, digits: int = DIGITS, caption: str | None = None) -> str:
        """Return an HTML `table` with a caption and header cells.

        Raise `InputError` for `digits` outside 0–17.
        """
        return rendering.to_html(self._table(per_topic, digits, caption))

    def to_markdown(self, *, per_topic: bool = False, digits: int = DIGITS) -> str:
        """Return a table in GitHub's Markdown. Raise `InputError` for `digits` outside 0–17."""
        return rendering.to_markdown(self._table(per_topic, digits))

    def _repr_html_(self) -> str:
        return rendering.to_html(self._shown())

    def __repr__(self) -> str:
        return rendering.to_text(self._shown())

    def _shown(self) -> Table:
        """Return the means, shortened to fit on a screen, with a note that counts the notices."""
        table = self._table(False, DIGITS)
        return replace(table, notes=(*table.notes, *pointer(self, ".notices"))).shortened()

    def _table(self, per_topic: bool, digits: int, caption: str | None = None) -> Table:
        write = rendering.formatter(digits)
        rows = self.rows if per_topic else self.means()
        step = len(self.measures)
        heads = ("run", "topic") if per_topic else ("run",)
        where = "in each of" if per_topic else "over"
        runs, topics = counted(len(self.runs), "run"), counted(len(self.topics), "topic")
        return Table(
            f"Scores of {runs} {where} {topics}" if caption is None else caption,
            (*heads, *self.measures),
            tuple(
                (
                    *(Cell(str(getattr(rows[start], head))) for head in heads),
                    *(Cell(write(row.value)) for row in rows[start : start + step]),
                )
                for start in range(0, len(rows), step)
            )
            if step
            else (),
            len(heads),
            tuple(f"{caution}." for caution in self.notices.cautions.sentences()),
        )


def pointer(scores: Scores, name: str) -> tuple[str, ...]:
    """Return a tuple with a note that says how many more notices the scores have and where to find them.

    `name` is the attribute that holds the notices, such as `.notices`. The cautions are not counted, because
    they stand beside the scores. The tuple is empty if there are no other notices.
    """
    number = len(scores.notices.further.sentences())
    return (f"{counted(number, 'notice')}: see {name}.sentences()",) if number else ()


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _mean(values: FloatArray, pooled: float | None) -> float | None:
    if pooled is not None or np.isnan(values).all():
        return pooled
    return mean_over_topics(values)
