"""From gains and runs to ranked lists: ties, unjudged documents and missing topics are settled here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from evaluation.arrays import BoolArray, FloatArray, IntArray
from evaluation.errors import InputError, shown
from evaluation.frames import Gains, Run
from evaluation.measures.lists import RankedLists

Unjudged = Literal["zero", "drop"]
Ties = Literal["trec_eval", "as_ranked"]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Ranked lists, with what the measures do not see: `answered` (runs, topics), topics in a run alone."""

    lists: RankedLists
    answered: BoolArray
    ignored: dict[str, tuple[str, ...]]


class _Ranked(NamedTuple):
    """One run's retrieved documents in the order of their ranks, as columns."""

    topic: IntArray
    rank: IntArray
    gain: FloatArray
    level: FloatArray


def rank(
    gains: Gains,
    runs: Sequence[Run],
    rel: Gains | None = None,
    unjudged: Unjudged = "zero",
    ties: Ties = "trec_eval",
) -> Ranking:
    """Order every run's documents per judged topic and look up their gains.

    `ties="trec_eval"` orders as `sort_by_score` does, `"as_ranked"` follows the rank column;
    `unjudged="drop"` leaves unjudged documents out of the lists.
    Relevance comes from `rel` where it is given: a document there alone has gain 0, one in `gains` alone is
    not relevant. Raises `InputError` for two runs of one tag, and for `"as_ranked"` without ranks.
    """
    tags = [run.tag for run in runs]
    for run in runs:
        if tags.count(run.tag) > 1:
            raise InputError(f"two runs bear the tag {shown(run.tag)}; give each run a tag of its own")
    judged = _judged(gains, rel)
    topics = judged.select(pl.col("topic_id").unique().sort()).with_row_index("topic")
    judged = judged.join(topics, on="topic_id").drop("topic_id")
    shape = (len(runs), len(topics))
    answered = np.zeros(shape, dtype=np.bool_)
    length = np.zeros(shape, dtype=np.int64)
    ignored: dict[str, tuple[str, ...]] = {}
    ranked: list[_Ranked] = []
    for place, run in enumerate(runs):
        known = run.table.join(topics, on="topic_id")
        answered[place, known["topic"].to_numpy()] = True
        if alone := set(run.table["topic_id"].unique()) - set(topics["topic_id"]):
            ignored[run.tag] = tuple(sorted(alone))
        ranked.append(_ranked(run, known, judged, unjudged, ties))
        length[place] = np.bincount(ranked[-1].topic, minlength=len(topics))
    gain = np.full((*shape, int(length.max(initial=0))), np.nan)
    level = gain if rel is None else gain.copy()
    for place, columns in enumerate(ranked):
        gain[place, columns.topic, columns.rank] = columns.gain
        level[place, columns.topic, columns.rank] = columns.level
    base_gain, base_level = _recall_base(judged, len(topics))
    names = tuple(topics["topic_id"])
    lists = RankedLists(tuple(tags), names, gain, level, length, base_gain, base_level)
    return Ranking(lists, answered, ignored)


def sort_by_score(table: pl.DataFrame, *above: str) -> pl.DataFrame:
    """Rows by the columns `above`, ascending, then as trec_eval ranks the columns `score, document_id`.

    That is scores compared as 32-bit floats, descending, then document ids, descending.
    """
    # Adding 0.0 makes −0.0 equal to 0.0 in sorting, as it is in comparing.
    by_score = -(pl.col("score").cast(pl.Float32) + 0.0)
    order = [*above, by_score, "document_id"]
    return table.sort(order, descending=[*[False] * len(above), False, True])


def _judged(gains: Gains, rel: Gains | None) -> pl.DataFrame:
    """Every judged document with its gain and its level, null where it has none."""
    if rel is None:
        return gains.table.with_columns(level="gain")
    levels = rel.table.rename({"gain": "level"})
    return gains.table.join(levels, on=["topic_id", "document_id"], how="full", coalesce=True)


def _ranked(run: Run, known: pl.DataFrame, judged: pl.DataFrame, unjudged: Unjudged, ties: Ties) -> _Ranked:
    how: Literal["inner", "left"] = "inner" if unjudged == "drop" else "left"
    found = known.join(judged, on=["topic", "document_id"], how=how)
    if ties == "trec_eval":
        found = sort_by_score(found, "topic")
    elif "rank" not in run.table.columns:
        raise InputError(f"run {shown(run.tag)} has no ranks; they are needed for as_ranked")
    else:
        found = sort_by_score(found, "topic", "rank")
    topic = found["topic"].to_numpy().astype(np.int64)
    position = np.arange(len(topic)) - np.searchsorted(topic, topic)
    return _Ranked(topic, position, *(found[name].fill_null(np.nan).to_numpy() for name in ("gain", "level")))


def _recall_base(judged: pl.DataFrame, topics: int) -> tuple[FloatArray, FloatArray]:
    """Gain and level of each topic's judged documents, (topics, documents), padded with NaN."""
    judged = judged.sort("topic", "document_id")
    topic = judged["topic"].to_numpy().astype(np.int64)
    position = np.arange(len(topic)) - np.searchsorted(topic, topic)
    matrices = np.full((2, topics, int(position.max(initial=-1)) + 1), np.nan)
    for matrix, name in zip(matrices, ("gain", "level"), strict=True):
        matrix[topic, position] = judged[name].fill_null(np.nan).to_numpy()
    return matrices[0], matrices[1]
