"""The report `figure`: a figure of the catalogue, drawn as files and described in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import polars as pl

from evaluation import analyses, figures
from evaluation.analyses.schemes import W
from evaluation.comparison import discrimination, stability
from evaluation.comparison.subsets import caution
from evaluation.errors import InputError, shown
from evaluation.figures import Figure
from evaluation.score_table import Scores
from judging.core.intake.columns import MAGNITUDES
from judging.core.services.jobs import Progress
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _
from judging.understanding.reports.catalogue import ALPHA, FIGURES, FORMATS
from judging.understanding.reports.distributions import (
    ANCHORS,
    has_ratios,
    with_shown_grades,
)
from judging.understanding.reports.study_data import StudyData
from judging.understanding.reports.tables import table_to_store
from judging.understanding.reports.words import stored

DRAWS: Final = 1000
TRIALS: Final = 1000
CURVES: Final = ("DCG", "nDCG")
DEPTH: Final = 100
Drawn = tuple[Figure, list[Sentence]]
"""A figure, and sentences that describe it to people who cannot see it."""


def draw(
    data: StudyData, name: str, measures: Sequence[str], folder: Path, progress: Progress, grades: str = ""
) -> dict[str, object]:
    """Draw a figure of the catalogue, and save it in a folder. Return the content of its report.

    The content is a dict with the keys `title`, `alt` and `tables`. `grades` is the name of a set of known
    grades. If it is "", the first set is used. The files are `NAME.svg`, `.pdf`, `.png` and `.csv`. Raise
    InputError if the study lacks data for the figure, and OSError if a file cannot be written.
    """
    heading = Sentence("{title}.", {"title": Sentence(FIGURES[name].title)})
    if grades:
        if grades not in data.known:
            raise InputError(
                "unknown-set-of-grades",
                "study {study} has no set of known grades named {grades}; choose from {known}",
                study=data.study.slug,
                grades=shown(grades),
                known=", ".join(data.known),
            )
        data = replace(data, chosen=grades)
        values = {"title": Sentence(FIGURES[name].title), "grades": grades}
        heading = Sentence(_("{title} by {grades}."), values)
    figure, description = DRAWINGS[name](data, measures, progress)
    figure.save(*(folder / f"{name}.{form}" for form in FORMATS if form != "csv"))
    table = figure.table.with_columns(ANCHORS) if "anchors" in figure.table.columns else figure.table
    table = with_shown_grades(data, data.grades_shown, table)
    return {
        "title": FIGURES[name].title,
        "alt": [stored(heading), *map(stored, description)],
        "tables": [table_to_store("numbers", _("Numbers in the figure"), table)],
    }


def _boxes(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    boxes, outliers = (make(data.medians, data.grades) for make in (analyses.boxes, analyses.outliers))
    description = Sentence(_("Medians by grade: {medians}."), {"medians": _medians(data, boxes)})
    return _box_plots(data, boxes, outliers), [description]


def _box_plots(data: StudyData, boxes: pl.DataFrame, outliers: pl.DataFrame) -> Figure:
    value, log = data.judgments.scale, has_ratios(data)
    return figures.box_plots(boxes, outliers, value=value, names=_names(data), log=log)


def _boxes_by_topic(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    boxes, outliers = (
        make(data.medians, data.grades, by_topic=True) for make in (analyses.boxes, analyses.outliers)
    )
    topics = boxes["topic_id"].n_unique()
    description = _counted(
        ngettext_noop("Box plots of {number} topic.", "Box plots of {number} topics."), topics
    )
    return _box_plots(data, boxes, outliers), [description]


def _profile(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    table = analyses.gain_profile(data.judgments, data.grades)
    texts = {
        "with": _("Medians relative to the N anchor, anchors included: {medians}."),
        "without": _("Medians relative to the N anchor, anchors left out: {medians}."),
    }
    description = [
        Sentence(texts[part["anchors"][0]], {"medians": _medians(data, part)})
        for part in table.with_columns(ANCHORS).partition_by("anchors", maintain_order=True)
    ]
    return figures.gain_profiles(table, names=_names(data)), description


def _anchor_ratios(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    ratios = analyses.unit_ratios(data.judgments)["ratio"]
    median = ratios.median()
    assert isinstance(median, float)
    texts = ngettext_noop(
        "The median of H ÷ N in {number} unit is {median}.",
        "The median of H ÷ N in {number} units is {median}.",
    )
    description = _counted(texts, len(ratios), median=f"{median:.3g}")
    return figures.ratio_histogram(analyses.ratio_histogram(ratios)), [description]


def _grade_ratios(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    data.judgments.refuse_ratings()
    if data.grades_shown in data.numbered:
        raise InputError(
            "no-letters-for-figure", "the figure needs grades N, M, R and H, but the grades are numbers"
        )
    table = analyses.grade_ratios(data.medians, data.grades)
    median = table["median"][-1]
    if median is None:
        description = Sentence(_("No topic has judgments of both an H document and an R or M document."))
    else:
        description = Sentence(_("The median over all topics is {median}."), {"median": f"{median:.3g}"})
    return figures.grade_ratios(table), [description]


def _curves(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    table = analyses.gain_curves(data.medians, data.runs, measures=CURVES, schemes=("linear",), depth=DEPTH)
    return figures.gain_curves(table), [_curves_in_words(table)]


def _curves_by_grades(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    gains = data.known[data.grades_shown]
    schemes = ("linear",) if data.grades_shown in data.numbered else (W["w3"], W["w10"])
    table = analyses.gain_curves(gains, data.runs, measures=CURVES, schemes=schemes, depth=DEPTH)
    return figures.gain_curves(table), [_curves_in_words(table)]


def _systems(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    judged, known = _by_magnitudes(data, measures), analyses.scores_by(data.known, data.runs, measures)
    agreement = analyses.system_agreement({MAGNITUDES: judged}, known, alpha=ALPHA)
    table = analyses.system_scatter({MAGNITUDES: judged}, known, alpha=ALPHA)
    texts = ngettext_noop(
        "Kendall’s τ between the rankings of {number} run: {taus}.",
        "Kendall’s τ between the rankings of {number} runs: {taus}.",
    )
    description = _counted(texts, len(data.runs), taus=_taus(agreement, "tau_b"))
    return figures.system_scatter(table), [description]


def _tau(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    table = analyses.tau_distributions(
        data.judgments,
        data.normalised,
        data.runs,
        data.known,
        rng=data.random,
        measures=measures,
        times=DRAWS,
        progress=progress,
    )
    taus = _taus(analyses.tau_summary(table), "median")
    description = Sentence(_("Median τ of {draws} draws: {taus}."), {"draws": DRAWS, "taus": taus})
    return figures.tau_distributions(table), [description]


def _rank_changes(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    scores = _by_magnitudes(data, measures)
    first = scores.measures[0]
    table = analyses.rank_changes(scores, by=first)
    rises = analyses.inconsistencies(table)
    texts = ngettext_noop(
        "{measure} rises at {rises} of {number} step down the ranking by {first}.",
        "{measure} rises at {rises} of {number} steps down the ranking by {first}.",
    )
    description = [
        _counted(texts, steps, first=first, measure=measure, rises=count)
        for measure, count, steps in rises.iter_rows()
    ]
    return figures.rank_changes(table, by=first), description


def _stability(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    result = stability(_by_magnitudes(data, measures), rng=data.random, trials=TRIALS)
    table = analyses.stability_curves(result)
    return figures.stability_curves(table), _subsets(result.size, result.topics)


def _swap_rates(data: StudyData, measures: Sequence[str], progress: Progress) -> Drawn:
    result = discrimination(_by_magnitudes(data, measures), rng=data.random, trials=TRIALS)
    table = analyses.discrimination_curves(result)
    return figures.swap_rate_curves(table), _subsets(result.size, result.topics)


def _by_magnitudes(data: StudyData, measures: Sequence[str]) -> Scores:
    return analyses.scores_by({MAGNITUDES: data.medians}, data.runs, measures)[MAGNITUDES]


def _taus(table: pl.DataFrame, column: str) -> str:
    return "; ".join(
        f"{measure}, {known}: " + ("–" if tau is None else f"{tau:.2f}")
        for measure, known, tau in table.select("measure", "known", column).iter_rows()
    )


def _names(data: StudyData) -> Mapping[float, str] | None:
    """Return a dict from each gain to the letter of its grade, or None if the grades are numbers."""
    return None if data.grades_shown in data.numbered else figures.NMRH


def _medians(data: StudyData, table: pl.DataFrame) -> str:
    """Return the medians of a table by grade, such as `N 1, M 2.5`."""
    rows = table.select("grade", "median").iter_rows()
    return ", ".join(f"{data.shown_grade(data.grades_shown, grade)} {median:.3g}" for grade, median in rows)


def _counted(texts: tuple[str, str], number: int, **values: object) -> Sentence:
    """Return a sentence in the singular or plural, depending on `number`. `texts` holds both forms."""
    return Sentence(texts[0], {"number": number, **values}, texts[1])


def _subsets(size: int, topics: int) -> list[Sentence]:
    texts = ngettext_noop(
        "Each of {trials} draws has {size} of {number} topic.",
        "Each of {trials} draws has {size} of {number} topics.",
    )
    sentences = [_counted(texts, topics, trials=TRIALS, size=size)]
    if warning := caution(topics, size):
        sentences.append(Sentence("{warning}.", {"warning": warning}))
    return sentences


def _curves_in_words(table: pl.DataFrame) -> Sentence:
    runs, depth = table["run"].n_unique(), table["rank"].max()
    assert isinstance(depth, int)
    texts = ngettext_noop(
        "Curves of {number} run down to rank {depth}.", "Curves of {number} runs down to rank {depth}."
    )
    return _counted(texts, runs, depth=depth)


DRAWINGS: Final[dict[str, Callable[[StudyData, Sequence[str], Progress], Drawn]]] = {
    "magnitudes-by-grade": _boxes,
    "magnitudes-by-topic": _boxes_by_topic,
    "gain-profile": _profile,
    "anchor-ratios": _anchor_ratios,
    "grade-ratios": _grade_ratios,
    "gain-curves": _curves,
    "gain-curves-by-grades": _curves_by_grades,
    "systems": _systems,
    "tau": _tau,
    "rank-changes": _rank_changes,
    "stability": _stability,
    "swap-rates": _swap_rates,
}
