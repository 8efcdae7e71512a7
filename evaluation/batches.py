"""Scores of some of the runs at a time, so that memory does not hold the ranked lists of all runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import BoolArray, FloatArray
from .conventions import Average, Empty, Missing
from .coverage import FEW_JUDGED, judged_and_retrieved
from .fit import all_relevant
from .measures import Measure, RankedLists, summarised
from .measures.cumulated import pooled
from .measures.unjudged import adds_gains, adds_judgments
from .notices import Notice, Notices, about_topics
from .options import checked
from .ranking import Ranking
from .score_table import Scores
from .showing import short_repr
from .text import Text


@short_repr
@dataclass(frozen=True, eq=False)
class Batch:
    """The scores of some runs, without their lists.

    `values` (runs, topics, measures) is as in `Scores`. `ratios` (runs, measures) has the ratios of mean
    vectors, with NaN for a measure that has none, or is None if means of ratios are wanted. `judged` has, for
    each measure that counts unjudged documents of the first ranks as not relevant, how many of the documents
    at these ranks are judged, and how many documents there are.

    `of_runs` has the notices about the runs. `of_judgments` and, for each measure, `of_measures` depend on
    the judgments alone, so they are the same in every batch.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: FloatArray
    ratios: FloatArray | None
    judged: dict[str, tuple[int, int]]
    of_runs: tuple[Notice, ...]
    of_judgments: tuple[Notice, ...]
    of_measures: dict[str, tuple[Notice, ...]]

    @classmethod
    @checked
    def of(
        cls,
        ranking: Ranking,
        of_gains: RankedLists,
        measures: dict[str, Measure],
        missing: Missing,
        empty: Empty,
        average: Average,
    ) -> "Batch":
        """Return the scores of ranked runs. Measures that add gains are computed from the lists `of_gains`.

        `score` explains the conventions. Raise `InputError` if a measure cannot be computed.
        """
        lists = ranking.lists
        values = np.empty((*lists.shape, len(measures)))
        for place, measure in enumerate(measures.values()):
            values[..., place] = measure.values(of_gains if adds_gains(measure) else lists)
            if empty == "zero":
                values[:, measure.empty(lists), place] = measure.definition.bounds[0]
        if missing == "skip":
            values[~ranking.answered] = np.nan
        present = ranking.answered if missing == "skip" else np.ones_like(ranking.answered)
        return cls(
            lists.runs,
            lists.topics,
            values,
            _ratios_of_means(measures, of_gains, present) if average == "ratio_of_means" else None,
            {
                name: judged_and_retrieved(lists, measure.last_rank)
                for name, measure in measures.items()
                if measure.last_rank is not None and adds_judgments(measure)
            },
            ranking.notices,
            tuple(_notices_of_judgments(lists, measures)),
            {name: tuple(_notices_of_measure(lists, name, measure)) for name, measure in measures.items()},
        )


def _ratios_of_means(measures: dict[str, Measure], lists: RankedLists, present: BoolArray) -> FloatArray:
    """Return the ratios of mean vectors (runs, measures), with NaN for a measure that has none."""
    ratios = np.full((len(lists.runs), len(measures)), np.nan)
    for place, measure in enumerate(measures.values()):
        if (of_measure := pooled(measure, lists, present)) is not None:
            ratios[:, place] = of_measure
    return ratios


def scores_of(batches: Sequence[Batch], measures: tuple[str, ...]) -> Scores:
    """Return the scores of all batches, in their order. There is at least one batch."""
    values = np.concatenate([batch.values for batch in batches])
    over_topics = summarised(measures, values)
    parts = [batch.ratios for batch in batches if batch.ratios is not None]
    if parts:
        ratios = np.concatenate(parts)
        over_topics = ratios if over_topics is None else np.where(np.isnan(ratios), over_topics, ratios)
    runs = tuple(run for batch in batches for run in batch.runs)
    return Scores(runs, batches[0].topics, measures, values, _joined_notices(batches), over_topics)


def _joined_notices(batches: Sequence[Batch]) -> Notices:
    notices = [notice for batch in batches for notice in batch.of_runs]
    notices += batches[0].of_judgments
    for name, of_measure in batches[0].of_measures.items():
        counts = [batch.judged[name] for batch in batches if name in batch.judged]
        notices += _few_judged(name, sum(judged for judged, _ in counts), sum(number for _, number in counts))
        notices += of_measure
    return Notices(tuple(notices))


def _few_judged(name: str, judged: int, retrieved: int) -> Iterator[Notice]:
    if retrieved and (share := judged / retrieved) < FEW_JUDGED:
        text = Text(
            "only {share} % of the documents down to the cut-off are judged, and all others count as not "
            "relevant; compare runs with care, as the scores also show how many documents are judged",
            share=f"{share * 100:.0f}",
        )
        yield Notice("few-judged", text, measure=name, is_caution=True)


def _notices_of_judgments(lists: RankedLists, measures: dict[str, Measure]) -> Iterator[Notice]:
    each = measures.values()
    if any(measure.counts == "relevant" and measure.parameters["rel"] is None for measure in each):
        yield from all_relevant(lists)
    if any(not measure.definition.by_subtopic for measure in each):
        yield from _several_subtopics(lists)


def _notices_of_measure(lists: RankedLists, name: str, measure: Measure) -> Iterator[Notice]:
    if measure.depends_on_size(lists.gain):
        text = Text(
            "this form of ERR is made for grades, so that gains a few units below the largest hardly count; "
            "for magnitudes, use {better}",
            better=str(measure.for_magnitudes()),
        )
        yield Notice("form-for-grades", text, measure=name, is_caution=True)
    yield from about_topics(
        "topics-without-value",
        "no value for topics with too few relevant documents or no gain: {topics}",
        tuple(np.array(lists.topics, dtype=object)[measure.empty(lists)]),
        measure=name,
    )


def _several_subtopics(lists: RankedLists) -> Iterator[Notice]:
    if lists.subtopics is None:
        return
    document = lists.subtopics.document
    topic = lists.topic[document[1:][document[1:] == document[:-1]]]
    yield from about_topics(
        "several-subtopics",
        "topics with documents judged for several subtopics, whose largest gain counts: {topics}; only "
        "measures of subtopics use the others",
        [lists.topics[place] for place in np.unique(topic)],
    )
