"""The report `systems`: top sets, rankings by judgments and grades, gain schemes, reliability, preferences.

The tables are those of [T15] Turpin and others, SIGIR 2015; [JK02] Järvelin & Kekäläinen, TOIS 2002; [K05]
Kekäläinen, IP&M 2005; [S04] Sakai, AIRS 2005; and [ZY10] Zhou & Yao, 2010.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import polars as pl

from evaluation import analyses
from evaluation.analyses.systems import MEASURES
from evaluation.comparison.subsets import caution
from evaluation.errors import InputError
from evaluation.frames import Gains
from evaluation.score_table import Scores
from judging.core.intake.columns import MAGNITUDES
from judging.core.services.jobs import Progress
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.understanding.reports.catalogue import ALPHA, SECTIONS
from judging.understanding.reports.study_data import StudyData
from judging.understanding.reports.systems import NO_KNOWN_SCORES, agreement_table
from judging.understanding.reports.tables import Parts, StoredTable, table_to_store

TRIALS: Final = 1000
SIMULATED: Final = 100
BATTERY: Final = tuple(analyses.battery())
OF_MAGNITUDES: Final = (*MEASURES, *BATTERY[12:])
"""The measures whose reliability is computed from magnitudes.

The first twelve measures of the battery count relevant documents, and no magnitude is 0.
"""
RIGID: Final = 2
CUTOFFS: Final = (10, 100)
DISTANCES: Final = ("ndpm", "adm")
Tables = list[StoredTable]
Part = tuple[str | Sentence, Callable[[], Tables]]


def systems_content(data: StudyData, progress: Progress) -> dict[str, object]:
    """Return a dict with the keys `tables` and `missing`.

    The key of a table starts with the name of its section, as in `schemes/10/grade`. `missing` has, for each
    section, the parts that lack data, with reasons. Raise InputError if the study has fewer than two runs.
    """
    if len(data.runs) < 2:
        raise InputError(
            "study-with-too-few-runs",
            "the report compares runs, but the study has {number}; name two or more in the study file",
            number=len(data.runs),
        )
    sections = {name: Parts() for name in SECTIONS}
    parts = [(sections[name], part) for name, make in _MAKERS.items() for part in make(data)]
    for done, (section, (title, make_tables)) in enumerate(parts, start=1):
        section.add(title, make_tables)
        progress(done, len(parts))
    if not data.known:
        for name in ("grades", "schemes"):
            sections[name].leave_out(SECTIONS[name].title, NO_KNOWN_SCORES)
    return {
        "tables": [table for section in sections.values() for table in section.tables],
        "missing": {name: section.missing for name, section in sections.items()},
    }


def _all_gains(data: StudyData) -> dict[str, Gains]:
    return {MAGNITUDES: data.medians, **data.known}


def _by(title: str, name: str) -> Sentence:
    """Return the title of a table for one kind of gains."""
    return Sentence("{title}: {gains}", {"title": Sentence(title), "gains": name})


# --- top sets ----------------------------------------------------------------------------------------------


def _top_sets(data: StudyData) -> Iterator[Part]:
    for name, gains in _all_gains(data).items():
        title = _by(_("Top sets"), name)
        yield title, partial(_top_set, data, title, name, gains)


def _top_set(data: StudyData, title: Sentence, name: str, gains: Gains) -> Tables:
    table = analyses.top_sets(analyses.scores_by({name: gains}, data.runs), alpha=ALPHA).drop("gains")
    note = _(
        "A run is in the top set if its p is at least .05. p comes from Wilcoxon’s two-sided test against "
        "the best run, and is not adjusted. ERR appears twice: with the largest gain of each topic, and with "
        "the largest gain of all topics."
    )
    return [table_to_store(f"top-sets/{name}", title, table, note=note)]


# --- judgments against grades ------------------------------------------------------------------------------


def _grades(data: StudyData) -> Iterator[Part]:
    if not data.known:
        return
    yield _AGREEMENT, partial(_agreement, data)
    yield _RANGES, partial(_ranges, data)
    for name, gains in data.known.items():
        yield _by(_SIMULATED, name), partial(_simulated, data, name, gains)
    for name, gains in data.known.items():
        yield _by(_TRANSFORMED, name), partial(_transformed, data, name, gains)


_AGREEMENT: Final = _("Rankings by judgments and by grades")
_RANGES: Final = _("Units with a narrow and a wide range")
_SIMULATED: Final = _("Simulated systems")
_TRANSFORMED: Final = _("Other gains for the grades")


def _agreement(data: StudyData) -> Tables:
    judged, known = (analyses.scores_by(of, data.runs) for of in ({MAGNITUDES: data.medians}, data.known))
    note = _(
        "Means over the topics that have both judgments and grades. Overlap is the Jaccard index of the top "
        "sets. τ_AP treats the known grades as the truth."
    )
    return [table_to_store("grades/agreement", _AGREEMENT, agreement_table(judged, known), note=note)]


def _ranges(data: StudyData) -> Tables:
    table = analyses.range_table(data.judgments, data.normalised, data.known, data.runs, alpha=ALPHA)
    note = _(
        "A unit is wide if its H ÷ N is at least the median of all units. “Narrow” and “wide” use only the "
        "judgments of such units. A document without a narrow unit has its smallest normalised magnitude, "
        "and a document without a wide unit its largest."
    )
    return [table_to_store("grades/ranges", _RANGES, table, note=note)]


def _simulated(data: StudyData, name: str, gains: Gains) -> Tables:
    table = analyses.simulated_agreement(
        data.medians, {name: gains}, data.runs, rng=data.random, systems=SIMULATED, alpha=ALPHA
    )
    note = _(
        "If few documents have a grade, the grades say little about a whole run. Each simulated system "
        "therefore has, for each topic, the list of a random run, but only lists whose first 10 documents "
        "all have a grade. The column of complete lists counts them. The draws use the study’s seed."
    )
    return [table_to_store(f"grades/simulated/{name}", _by(_SIMULATED, name), table.drop("known"), note=note)]


def _transformed(data: StudyData, name: str, gains: Gains) -> Tables:
    table = analyses.transformation_table(gains, data.runs, alpha=ALPHA)
    note = _(
        "C is the gain of a grade. Each row compares the ranking by transformed gains with the ranking by C. "
        "If τ is close to 1, the ranking hardly depends on the gains that stand for the grades."
    )
    title = _by(_TRANSFORMED, name)
    return [table_to_store(f"grades/transformed/{name}", title, table, note=note)]


# --- gain schemes ------------------------------------------------------------------------------------------


def _schemes(data: StudyData) -> Iterator[Part]:
    for name, gains in data.known.items():
        yield _by(_MEANS, name), partial(_means, data, name, gains)
        yield _by(_TAUS, name), partial(_taus, data, name, gains)


_MEANS: Final = _("Means under gain schemes")
_TAUS: Final = _("τ between measures and schemes")


def _means(data: StudyData, name: str, gains: Gains) -> Tables:
    means = analyses.scheme_means(gains, data.runs, alpha=ALPHA)
    note = _(
        "Each scheme gives the gains of the grades N, M, R and H. “Differs” lists the letters of the runs "
        "that differ from the run by Conover’s comparison (p below .05). If Friedman’s p, in the last row, "
        "is .05 or more, no pairs are compared."
    )
    return [
        table_to_store(
            f"schemes/{measure}/{name}",
            Sentence(_("{measure} under gain schemes: {gains}"), {"measure": measure, "gains": name}),
            analyses.scheme_table(means, measure),
            note=note,
        )
        for measure in means["measure"].unique(maintain_order=True)
    ]


def _taus(data: StudyData, name: str, gains: Gains) -> Tables:
    pairs = analyses.scheme_correlations(gains, data.runs)
    names = pairs["first"].unique(maintain_order=True).to_list()
    note = _(
        "Kendall’s τ_b between two rankings of the runs. P counts relevant documents. The schemes are w1 "
        "(0-1-1-1), w3 (0-1-2-3), w10 (0-1-5-10) and w100 (0-1-10-100). A cell is empty if a measure ties "
        "all runs."
    )
    tables = []
    for cutoff in CUTOFFS:
        at_cutoff = [ranking for ranking in names if ranking.endswith(f"@{cutoff}")]
        title = Sentence(
            _("τ between measures and schemes at rank {cutoff}: {gains}"), {"cutoff": cutoff, "gains": name}
        )
        table = analyses.correlation_table(pairs, at_cutoff)
        tables.append(table_to_store(f"schemes/{cutoff}/{name}", title, table, note=note))
    title = Sentence(_("τ between all measures, schemes and cut-offs: {gains}"), {"gains": name})
    every = pairs.rename({"first": "ranking", "second": "other_ranking", "value": "tau_b"})
    return [*tables, table_to_store(f"schemes/all/{name}", title, every, note=note)]


# --- reliability -------------------------------------------------------------------------------------------


def _reliability(data: StudyData) -> Iterator[Part]:
    for name, gains in _all_gains(data).items():
        title = _by(SECTIONS["reliability"].title, name)
        yield title, partial(_reliable, data, name, gains)


def _reliable(data: StudyData, name: str, gains: Gains) -> Tables:
    is_rigid = bool((gains.table["gain"] >= RIGID).any())
    by_grades = [measure for measure in BATTERY if is_rigid or f"rel={RIGID}" not in measure]
    measures = OF_MAGNITUDES if name == MAGNITUDES else by_grades
    scores = analyses.scores_by({name: gains}, data.runs, measures)[name]
    result = analyses.measure_reliability(scores, rng=data.random, trials=TRIALS)
    drawn = Sentence(
        _("Each of {trials} draws has {size} of {topics} topics."),
        {"trials": TRIALS, "size": result.size, "topics": result.topics},
    )
    warning = caution(result.topics, result.size)
    draws = [drawn, Sentence("{warning}.", {"warning": warning})] if warning else [drawn]
    return [
        table_to_store(
            f"reliability/{part}/{name}",
            _by(title, name),
            table,
            note=[note, *([] if part == "rises" else draws)],
        )
        for part, title, table, note in _reliability_tables(result, scores)
    ]


def _reliability_tables(
    result: analyses.Reliability, scores: Scores
) -> Iterator[tuple[str, str, pl.DataFrame, str]]:
    yield (
        "measures",
        _("Stability and discrimination"),
        result.table,
        _(
            "Ties is the proportion of ties at a minority rate of 5 %. Absolute is the smallest difference "
            "that other topics confirm in 95 % of the draws, and relative is this difference divided by the "
            "largest mean. Power is the share of comparisons that reach the difference. Read all columns "
            "together: a measure that ties most runs makes few errors."
        ),
    )
    first = scores.measures[0]
    yield (
        "rises",
        _("Runs in another order"),
        analyses.inconsistencies(analyses.rank_changes(scores, by=first)),
        _(
            "The runs are sorted by the first measure of the table. A rise is a step to the next run at "
            "which a measure goes up, so that the measure contradicts this order."
        ),
    )
    yield (
        "confidence",
        _("Agreement between three orders of confidence"),
        result.confidence,
        _(
            "Three methods sort the pairs of runs by how certain their difference is: the sign test, the "
            "minority of wins at a fuzziness of .05, and the number of swaps. The numbers are τ_b between "
            "two of these orders."
        ),
    )
    yield (
        "stability",
        _("Minority rate and ties"),
        result.stability,
        _(
            "Two runs are tied if their means differ by less than the fuzziness, as a share of the larger "
            "mean. The minority rate is the share of draws in which the run that usually loses wins."
        ),
    )
    yield (
        "swaps",
        _("Swap rates"),
        result.discrimination,
        _(
            "A swap is a pair of runs that two halves of the topics put into different orders. Pairs are "
            "grouped by the difference of their means on the first half, in steps of .01."
        ),
    )


# --- preferences -------------------------------------------------------------------------------------------


def _preferences(data: StudyData) -> Iterator[Part]:
    for name, gains in _all_gains(data).items():
        title = _by(SECTIONS["preferences"].title, name)
        yield title, partial(_preferred, data, name, gains)


def _preferred(data: StudyData, name: str, gains: Gains) -> Tables:
    scores = analyses.preference_scores(gains, data.runs, distances=DISTANCES, scale="minmax")
    note = _(
        "1-ndpm uses only the order of the documents: 1 means that the run keeps every preference, and 0 "
        "that it reverses all of them. adm compares the run’s scores with the gains, both scaled to the "
        "range from 0 to 1. The other measures use the gains. Higher is better in every column."
    )
    taus = analyses.correlation_table(analyses.preference_correlations(scores))
    return [
        table_to_store(
            f"preferences/means/{name}",
            _by(_("Runs by preferences and by gains"), name),
            analyses.preference_table(scores),
            note=note,
        ),
        table_to_store(
            f"preferences/taus/{name}",
            _by(_("τ between preferences and gains"), name),
            taus,
            note=_("Kendall’s τ_b between the rankings of the runs by two measures."),
        ),
    ]


_MAKERS: Final[Mapping[str, Callable[[StudyData], Iterator[Part]]]] = {
    "top-sets": _top_sets,
    "grades": _grades,
    "schemes": _schemes,
    "reliability": _reliability,
    "preferences": _preferences,
}
