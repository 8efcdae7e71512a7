"""Build ranked lists from gains and runs, and handle ties, unjudged documents and missing topics."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from .arguments import refuse_unless_count
from .arrays import BoolArray, FloatArray, IntArray
from .conventions import Ties, Unjudged
from .errors import InputError, shown
from .frames import Gains
from .measures.lists import RankedLists, ScoreTies, SubtopicJudgments
from .notices import Notice
from .options import checked
from .order import TopicRows
from .origin import Origin
from .pairs import PAIR, HashArray, HashTable, hashes
from .run_notices import (
    notice_of_close_scores,
    notice_of_no_document,
    notices_of_order,
    notices_of_topics,
)
from .runs import Run, as_runs, refuse_repeated_tags
from .showing import short_repr
from .sources import Source
from .threads import each_in_threads


@short_repr
@dataclass(frozen=True, eq=False)
class Ranking:
    """Ranked lists, the topics that each run answers, and what does not fit between runs and judgments.

    `answered` (runs, topics) is true where a run has documents for a topic.
    """

    lists: RankedLists
    answered: BoolArray
    notices: tuple[Notice, ...]


class _Ranked(NamedTuple):
    """The judged documents of one run, sorted by topic and rank, and the length of its list in each topic."""

    tag: str
    origin: Origin
    topic: IntArray
    rank: IntArray
    document: IntArray
    score_ties: ScoreTies
    length: IntArray
    answered: BoolArray
    notices: tuple[Notice, ...]


@checked
def rank(
    gains: Source,
    runs: Source,
    rel: Source | None = None,
    unjudged: Unjudged = "zero",
    ties: Ties = "trec_eval",
    depth: int | None = None,
) -> Ranking:
    """Rank every run's documents in each judged topic and look up their gains.

    `gains` and `rel` can be anything that `Gains` accepts, and `runs` anything that `Runs` accepts. `runs`
    can also contain functions that each read a run. Then memory holds only the runs that are being ranked.

    `ties="trec_eval"` orders documents by score and then by id, both descending, as trec_eval 10 does.
    `"trec_eval9"` does the same, but compares scores as 32-bit floats, as earlier versions do. `"as_ranked"`
    follows the rank column. `unjudged="drop"` removes unjudged documents from the lists, as trec_eval's `-J`
    does. A document whose only judgment is a negative code is removed too. With `rel`, relevance comes
    from `rel` and not from `gains`. A document that is only in `rel` has gain 0, and a document that is only
    in `gains` is not relevant.

    With `depth`, only the documents at the ranks 1 … depth of each list count. As in trec_eval, unjudged
    documents are removed after that. So a list can have fewer documents than `depth`.

    Raise `InputError` for arguments that cannot be read, for two runs with the same tag, for `"as_ranked"`
    without ranks, and for a depth that is not a whole number of 1 or more.
    """
    (ranking,) = rank_in_batches(gains, runs, rel, unjudged, ties, depth, most=None)
    return ranking


@checked
def rank_in_batches(
    gains: Source,
    runs: Source,
    rel: Source | None,
    unjudged: Unjudged,
    ties: Ties,
    depth: int | None,
    *,
    most: int | None,
) -> Iterator[Ranking]:
    """Yield what `rank` returns, for a few runs at a time and in their order, so that memory holds few lists.

    A batch ends with the run that gives it `most` judged documents or more. With None, or without runs, there
    is one batch. Raise `InputError` as `rank` does: for two runs with the same tag after the last run is
    read, and before its batch.
    """
    if depth is not None:
        refuse_unless_count("depth", depth)
    judged = _Judged.of(Gains(gains), None if rel is None else Gains(rel))
    runs = as_runs(runs)
    batch: list[_Ranked] = []
    entries = 0
    tags: list[tuple[str, Origin]] = []
    for run_lists in each_in_threads(
        lambda run: _ranked(run if isinstance(run, Run) else run(), judged, unjudged, ties, depth), runs
    ):
        batch.append(run_lists)
        entries += len(run_lists.rank)
        tags.append((run_lists.tag, run_lists.origin))
        if most is not None and entries >= most and len(tags) < len(runs):
            yield _joined_runs(batch, judged)
            batch, entries = [], 0
    refuse_repeated_tags(tags)
    yield _joined_runs(batch, judged)


def _joined_runs(ranked: "list[_Ranked]", judged: "_Judged") -> Ranking:
    """Return the lists of several runs as one ranking."""
    shape = (len(ranked), len(judged.topics))
    lists = RankedLists(
        runs=tuple(run_lists.tag for run_lists in ranked),
        topics=tuple(judged.topics),
        length=np.array([run_lists.length for run_lists in ranked], dtype=np.int64).reshape(shape),
        cell=_joined([place * shape[1] + run_lists.topic for place, run_lists in enumerate(ranked)]),
        rank=_joined([run_lists.rank for run_lists in ranked]),
        document=_joined([run_lists.document for run_lists in ranked]),
        score_ties=_joined_ties(ranked),
        topic=judged.topic,
        gain=judged.gain,
        level=judged.level,
        code=judged.codes(),
        subtopics=judged.subtopics(),
    )
    return Ranking(
        lists,
        answered=np.array([run_lists.answered for run_lists in ranked], dtype=np.bool_).reshape(shape),
        notices=tuple(notice for run_lists in ranked for notice in run_lists.notices),
    )


@dataclass(frozen=True, eq=False)
class _Judged:
    """All judged documents, sorted by topic and document; `topics` maps each topic to its index.

    `rows` is the attribute `judgments` of the gains that decide relevance: `rel` or, if there is no `rel`,
    `gains`. `gain_rows` is that of `gains`.
    """

    topics: dict[str, int]
    topic: IntArray
    document_id: pl.Series
    gain: FloatArray
    level: FloatArray
    hashes: HashTable
    rows: pl.DataFrame | None
    gain_rows: pl.DataFrame | None

    @classmethod
    def of(cls, gains: Gains, rel: Gains | None) -> "_Judged":
        """Return all judged documents with their gains and levels. A missing gain or level is NaN."""
        table, rows = gains.table, (gains if rel is None else rel).judgments
        if rel is not None:
            levels = rel.table.rename({"gain": "level"})
            table = table.join(levels, on=PAIR, how="full", coalesce=True)
        table = table.sort(PAIR)
        topics = {name: place for place, name in enumerate(table["topic_id"].unique(maintain_order=True))}
        gain = table["gain"].fill_null(np.nan).to_numpy()
        level = gain if rel is None else table["level"].fill_null(np.nan).to_numpy()
        topic = _places(topics, table["topic_id"])
        return cls(
            topics, topic, table["document_id"], gain, level, HashTable(hashes(table)), rows, gains.judgments
        )

    def codes(self) -> FloatArray | None:
        """Return an array (documents,) with each document's negative code, or 0 if the document has none.

        Return None if no document has a code.
        """
        return self._codes_in(self.rows)

    def has_only_codes(self) -> BoolArray:
        """Return whether each document has no judgment but negative codes (documents,)."""
        without_value = np.ones(self.gain.shape, dtype=np.bool_)
        for values, rows in ((self.gain, self.gain_rows), (self.level, self.rows)):
            codes = self._codes_in(rows)
            without_value &= np.isnan(values) if codes is None else np.isnan(values) | (codes < 0)
        return without_value

    def _codes_in(self, rows: pl.DataFrame | None) -> FloatArray | None:
        if rows is None or not (rows["gain"] < 0).any():
            return None
        largest = np.full(len(self.topic), -np.inf)  # over the document's subtopics
        np.maximum.at(largest, self._places_of(rows), rows["gain"].to_numpy())
        return np.where((largest < 0) & np.isfinite(largest), largest, 0.0)

    def subtopics(self) -> SubtopicJudgments | None:
        """Return the judgments by subtopic, or None if documents were not judged by subtopic."""
        if self.rows is None or "subtopic_id" not in self.rows.columns:
            return None
        # Whole numbers are ordered as numbers, as in ndeval: the order can decide ties of rounded sums.
        number = pl.col("subtopic_id").cast(pl.Int64, strict=False)
        rows = self.rows.with_columns(
            pl.struct("topic_id", number.alias("number"), "subtopic_id").rank("dense").alias("subtopic"),
            pl.Series("document", self._places_of(self.rows)),
        ).sort("document", "subtopic")
        document, subtopic = rows["document"].to_numpy(), rows["subtopic"].to_numpy().astype(np.int64) - 1
        return SubtopicJudgments(document, subtopic, rows["gain"].to_numpy())

    def _places_of(self, rows: pl.DataFrame) -> IntArray:
        """Return the index of each row's document among the judged documents (rows,).

        All documents of `rows` must be judged.
        """
        row, document = self.match(_places(self.topics, rows["topic_id"]), rows, hashes(rows))
        place = np.empty(len(rows), dtype=np.int64)
        place[row] = document
        return place

    def match(self, topic: IntArray, table: pl.DataFrame, hashed: HashArray) -> tuple[IntArray, IntArray]:
        """Return the rows whose document is judged in the row's topic, and the indexes of their documents.

        The rows are in ascending order. `topic` has the index of each row's topic, and `hashed` is the result
        of `hashes` for the table.
        """
        row, document = self.hashes.find_equal(hashed)
        is_matched = np.zeros(len(table), dtype=np.bool_)
        is_matched[row] = True
        texts = table["document_id"].filter(is_matched)
        if len(texts) < len(row):  # a row's hash equals the hashes of several documents
            texts = table["document_id"][row]
        # Unequal pairs can share a hash, so the ids are compared too.
        text, place = texts == self.document_id[document], topic[row] == self.topic[document]
        if text.all() and place.all():
            return row, document
        same = text.to_numpy() & place
        return row[same], document[same]


def _ranked(run: Run, judged: _Judged, unjudged: Unjudged, ties: Ties, depth: int | None) -> _Ranked:
    if ties == "as_ranked" and "rank" not in run.table.columns:
        raise InputError(
            "run-without-ranks",
            "run {run} has no ranks; add a rank to every row, or use the order of trec_eval",
            run=shown(run.tag),
        )
    table, hashed, topic = run.table, run.hashes, _places(judged.topics, run.table["topic_id"])
    unknown = table["topic_id"].clear()
    if not (known := topic >= 0).all():
        unknown = table.filter(~known)["topic_id"]
        table, hashed, topic = table.filter(known), hashed[known], topic[known]
    if depth is not None:
        reached = _ranks(TopicRows(topic), table, ties) <= depth
        table, hashed, topic = table.filter(reached), hashed[reached], topic[reached]
    length = np.bincount(topic, minlength=len(judged.topics))
    answered, names = length > 0, list(judged.topics)
    notices = [*notices_of_topics(run.tag, names, answered, unknown)]
    row, document = judged.match(topic, table, hashed)
    if len(table) and not len(row):
        notices.append(notice_of_no_document(run.tag, table["document_id"], judged.document_id))
    if unjudged == "drop":
        is_kept = ~judged.has_only_codes()[document]
        row, document = row[is_kept], document[is_kept]
        table, topic, row = table[row], topic[row], np.arange(len(row))
        length = np.bincount(topic, minlength=len(judged.topics))
    rows = TopicRows(topic)
    rank, raw = _ranks(rows, table, ties), table["score"].to_numpy()
    if ties == "as_ranked":
        raw = -table["rank"].to_numpy()
    else:
        notices += notice_of_close_scores(run.tag, [names[at] for at in rows.topics_tied_in_32_bits(raw)])
    above, tied = rows.levels(raw)
    place = topic[row] * (len(topic) + 1) + rank[row]  # ascends with topic, then rank
    if not (place[1:] > place[:-1]).all():  # most files are already sorted
        order = np.argsort(place, kind="stable")
        row, document = row[order], document[order]
    topic, rank, above, tied = topic[row], rank[row], above[row], tied[row]
    if ties != "as_ranked":
        given = table["rank"].to_numpy()[row] if "rank" in table.columns else None
        notices += notices_of_order(run.tag, names, topic, above, tied, given)
    columns = topic, rank, document, ScoreTies.of(rank, above, tied)
    return _Ranked(run.tag, run.origin, *columns, length, answered, tuple(notices))


def _ranks(rows: TopicRows, table: pl.DataFrame, ties: Ties) -> IntArray:
    if ties == "as_ranked":
        return rows.ranks_as_given(table)
    return rows.ranks_by_score(table, in_32_bits=ties == "trec_eval9")


def _places(topics: dict[str, int], names: pl.Series) -> IntArray:
    """Return the index of each row's topic, or −1 for a topic without judgments."""
    blocks = names.rle().struct.unnest()
    places = np.array([topics.get(name, -1) for name in blocks["value"]], dtype=np.int64)
    return np.repeat(places, blocks["len"].to_numpy())


def _joined_ties(ranked: list[_Ranked]) -> ScoreTies:
    starts = np.cumsum([0, *(len(run_lists.rank) for run_lists in ranked)])
    return ScoreTies(
        entry=_joined(
            [start + run_lists.score_ties.entry for start, run_lists in zip(starts, ranked, strict=False)]
        ),
        above=_joined([run_lists.score_ties.above for run_lists in ranked]),
        tied=_joined([run_lists.score_ties.tied for run_lists in ranked]),
    )


def _joined(columns: list[IntArray]) -> IntArray:
    return np.concatenate(columns) if columns else np.zeros(0, dtype=np.int64)
