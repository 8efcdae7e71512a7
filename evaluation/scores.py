"""Score runs by measures in one call. The conventions, such as how to break ties, are parameters."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from .batches import Batch, scores_of
from .conventions import Average, Design, Empty, Missing, Ties, Unjudged
from .errors import InputError, shown
from .frames import Gains
from .means import refuse_topic_all
from .measures import Curves, Measure, Measures, RankedLists, parse, several
from .measures import curves as curves_of
from .measures.schemes import is_written, misfits
from .measures.unjudged import (
    adds_gains,
    floors_of_grades,
    refuse_floors,
    with_floors,
)
from .options import checked
from .origin import first
from .ranking import rank, rank_in_batches
from .score_table import Scores
from .sources import Source

ENTRIES_AT_ONCE: Final = 500_000
"""The number of retrieved judged documents whose measures are computed together: some 25 MB of them."""


@checked
def score(
    qrels: Source,
    runs: Source,
    measures: Measures,
    rel: Source | None = None,
    unjudged: Unjudged = "zero",
    ties: Ties = "trec_eval",
    missing: Missing = "zero",
    empty: Empty = "skip",
    average: Average = "mean_of_ratios",
    floors: Mapping[str, float] | None = None,
    depth: int | None = None,
    *,
    inclusion: Source | None = None,
    predictions: Sequence[Source] = (),
    design: Design = "systematic",
) -> Scores:
    """Score every run by every measure in every judged topic. The result names measures as you wrote them.

    `qrels` can be anything that `Gains` accepts: gains or qrels, a path, a dict of dicts, rows or a table.
    `runs` can be anything that `Runs` accepts. For a list of paths, each run is read only when its
    turn comes. After that, its judged documents stay in memory until its scores are computed, so that any
    number of runs can be scored. A single measure does not need a list: `"nDCG@10"`. The names of trec_eval,
    such as `map` and `ndcg_cut_10`, work too. `"official"` stands for all measures that trec_eval prints by
    default. The other parameters are conventions:

    - `rel`: separate judgments that decide which documents are relevant, in place of `qrels`.
    - `unjudged`: whether unjudged documents have gain 0 (`"zero"`), are removed from the lists (`"drop"`), or
      have the gain of a document that is not relevant (`"N"`). As with trec_eval's `-J`, `"drop"` also
      removes documents with only a negative code. `floors` gives the gain for `"N"` in each topic, such
      as the gain of the topic's N anchor. A topic that is missing from `floors` is an error. Without
      `floors`, this gain is the median gain of the documents with the topic's lowest grade in `rel`. Measures
      that count relevant documents never count an unjudged document as relevant.
    - `ties`: whether lists are ordered by score, as trec_eval 10 does (`"trec_eval"`), by score in 32 bits,
      as earlier versions do (`"trec_eval9"`), or by the rank column (`"as_ranked"`).
    - `missing`: whether a judged topic that a run does not answer counts as an empty list (`"zero"`) or is
      left out (`"skip"`).
    - `empty`: whether a topic without a relevant document has no value (`"skip"`) or counts as 0 (`"zero"`).
      For measures that add gains, this setting applies to topics without gain instead.
    - `average`: whether the mean of nCG, nDCG, AnCG, AnDCG, SR and MSR over topics is the mean of the topics'
      values (`"mean_of_ratios"`) or the ratio of the mean vectors (`"ratio_of_means"`).
    - `depth`: how many documents of each list count. The others are removed before anything else, as with
      trec_eval's `-M`. By default, all documents count.

    If only a sample of the documents was judged, `inclusion` has their chances to be sampled, `predictions`
    are sources of numbers that predict the gains, and `design` says how the sample was drawn, as in
    `plumbline_ir.sampling.estimate`. The scores are then estimated without bias, for measures that are linear
    in gains. `compare` has their intervals. The conventions above keep their defaults, because the estimate
    does not know the gains of the other documents.

    A run's topics that have no judgments are ignored. `Scores.notices` says which, and what else can mislead:
    topics that a run does not answer, topics without a relevant document, topics whose judged documents are
    all relevant or were judged for several subtopics, runs that retrieve no judged document, scores that are
    tied, at all or in 32 bits only, and ranks that contradict the scores.

    Raise `InputError` for arguments that cannot be read, for an unknown measure, for an invalid depth, and
    for two runs with the same tag. Also raise `InputError` for a judged topic named `all`, and for a judged
    value that a measure's gain scheme does not list, or that is too large for this scheme. If a measure
    without `gmax` needs whole gains, also raise `InputError` for a gain that is not a whole number.
    """
    if inclusion is not None:
        from .sampling.scoring import score_sample  # it stands on comparisons, which stand on this module

        conventions = {"rel": rel, "unjudged": unjudged, "ties": ties, "missing": missing, "empty": empty}
        conventions |= {"average": average, "floors": floors, "depth": depth}
        return score_sample(qrels, runs, measures, inclusion, predictions, design, conventions)
    gains = Gains(qrels)
    parsed = {str(measure): _measure(measure) for measure in several(measures)}
    for measure in parsed.values():
        _refuse_misfits(measure, gains)
    grades = None if rel is None else Gains(rel)
    refuse_topic_all(gains, *(() if grades is None else (grades,)))
    batches: list[Batch] = []
    failures: list[InputError] = []
    # The ideal list with unjudged documents depends on the longest list, so all runs stay together.
    most = None if unjudged == "N" else ENTRIES_AT_ONCE
    for ranking in rank_in_batches(gains, runs, grades, unjudged, ties, depth, most=most):
        try:
            of_gains = ranking.lists
            if unjudged == "N":
                of_gains = _floored(ranking.lists, gains, grades, floors, parsed.values())
            batches.append(Batch.of(ranking, of_gains, parsed, missing, empty, average))
        except InputError as error:
            failures.append(error)  # an invalid file of a later run is named first
    if failures:
        raise failures[0]
    return scores_of(batches, tuple(parsed))


def _floored(
    lists: RankedLists,
    gains: Gains,
    grades: Gains | None,
    floors: Mapping[str, float] | None,
    measures: Iterable[Measure],
) -> RankedLists:
    for measure in filter(adds_gains, measures):
        refuse_floors(measure)
    if floors is None:
        floors = {} if grades is None else floors_of_grades(gains, grades)
    return with_floors(lists, floors)


@checked
def curves(
    qrels: Source,
    runs: Source,
    measure: str | Measure,
    rel: Source | None = None,
    unjudged: Literal["zero", "drop"] = "zero",
    ties: Ties = "trec_eval",
) -> Curves:
    """Return, for each run and topic, the vectors from which a cumulated gain measure is computed.

    Runs keep the order of `runs`; topics are sorted. The result also gives effort, gap and stopping rank. Its
    methods `mean_of_ratios` and `ratio_of_means` average over topics. Raise `InputError` for a measure
    without such vectors, and in the same cases as `score`.
    """
    gains = Gains(qrels)
    parsed = _measure(measure)
    _refuse_misfits(parsed, gains)
    return curves_of(parsed, rank(gains, runs, rel, unjudged, ties).lists)


def _measure(measure: str | Measure) -> Measure:
    return measure if isinstance(measure, Measure) else parse(measure)


def _refuse_misfits(measure: Measure, gains: Gains) -> None:
    scheme = measure.parameters.get("gain", "linear")
    if (row := first(misfits(scheme, gains.values))) is not None:
        if is_written(scheme):
            raise InputError(
                "value-not-in-scheme",
                "the scheme {scheme} of {measure} does not list the judged value {value} (document "
                "{document} in topic {topic}); add this value to the scheme",
                gains.origin.at(row),
                scheme=shown(scheme),
                measure=str(measure),
                **gains.row_values(row),
            )
        raise InputError(
            "value-too-large-for-scheme",
            "the judged value {value} (document {document} in topic {topic}) is too large for the scheme "
            "{scheme}; divide all gains by the same number first",
            gains.origin.at(row),
            scheme=shown(scheme),
            **gains.row_values(row),
        )
    if (row := first(measure.unscaled(gains.values))) is not None:
        raise InputError(
            "gain-not-whole",
            "the gain {value} is not a whole number (document {document} in topic {topic}), so {measure} "
            "needs gmax; write it in one of these forms, which use the largest gain of each topic: {forms}",
            gains.origin.at(row),
            measure=str(measure),
            forms=measure.forms_by_topic(),
            **gains.row_values(row),
        )
