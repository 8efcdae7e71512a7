"""`figure`: drawing the figures of the catalogue, with a sentence for who cannot see them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import polars as pl

from evaluation import analyses, figures
from evaluation.analyses.schemes import W
from evaluation.compare import discrimination, stability
from evaluation.compare.subsets import caution
from evaluation.errors import InputError, shown
from evaluation.figures import Figure
from evaluation.frames import Scores
from judging.core.intake.columns import MAGNITUDES
from judging.core.services.jobs import Progress
from judging.understanding.reports.catalogue import FIGURES, FORMATS
from judging.understanding.reports.distributions import ANCHORS
from judging.understanding.reports.given import Given
from judging.understanding.reports.systems import ALPHA
from judging.understanding.reports.tables import kept
from judging.understanding.scoring import LETTERS

DRAWS: Final = 1000
TRIALS: Final = 1000
CURVES: Final = ("DCG", "nDCG")
DEPTH: Final = 100
Drawn = tuple[Figure, str]


def draw(
    given: Given, name: str, measures: Sequence[str], folder: Path, progress: Progress, grades: str = ""
) -> dict[str, object]:
    """Draw a figure of the catalogue into a folder; return `{"title", "alt", "tables"}` for its report.

    `grades` is the set of known grades, the first where it is empty. The files are `NAME.svg`, `.pdf`, `.png`
    and `.csv`. Raises InputError for what the study has not the data for, and OSError as the disk does.
    """
    title = FIGURES[name].title
    if grades:
        if grades not in given.known:
            raise InputError(
                "unknown-set-of-grades",
                "study {study} has no set of known grades named {grades}; choose from {known}",
                study=given.study.slug,
                grades=shown(grades),
                known=", ".join(given.known),
            )
        given, title = replace(given, chosen=grades), f"{title} by {grades}"
    figure, said = DRAWINGS[name](given, measures, progress)
    figure.save(*(folder / f"{name}.{form}" for form in FORMATS if form != "csv"))
    lettered = tuple({"grade"} & set(figure.table.columns))
    table = figure.table.with_columns(ANCHORS) if "anchors" in figure.table.columns else figure.table
    return {
        "title": title,
        "alt": f"{title}. {said}",
        "tables": [kept("numbers", "The numbers drawn", table, grades=lettered)],
    }


def _boxes(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    boxes, outliers = (make(given.medians, given.grades) for make in (analyses.boxes, analyses.outliers))
    said = ", ".join(f"{_letter(row)} {row['median']:.3g}" for row in boxes.iter_rows(named=True))
    return figures.box_plots(boxes, outliers, names=figures.NMRH), f"Medians by grade: {said}."


def _boxes_by_topic(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    boxes, outliers = (
        make(given.medians, given.grades, by_topic=True) for make in (analyses.boxes, analyses.outliers)
    )
    topics = boxes["topic_id"].n_unique()
    return figures.box_plots(boxes, outliers, names=figures.NMRH), f"Box plots of {_many(topics, 'topic')}."


def _profile(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    table = analyses.gain_profile(given.judgments, given.grades)
    said = "; ".join(
        f"{part['anchors'][0]} the anchors "
        + ", ".join(f"{_letter(row)} {row['median']:.3g}" for row in part.iter_rows(named=True))
        for part in table.with_columns(ANCHORS).partition_by("anchors", maintain_order=True)
    )
    return figures.gain_profiles(table, names=figures.NMRH), f"Medians by the N anchor: {said}."


def _anchor_ratios(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    ratios = analyses.unit_ratios(given.judgments)["ratio"]
    median = ratios.median()
    assert isinstance(median, float)
    said = f"Half of {_many(len(ratios), 'unit')} have H ÷ N of {median:.3g} or more."
    return figures.ratio_histogram(analyses.ratio_histogram(ratios)), said


def _grade_ratios(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    table = analyses.grade_ratios(given.medians, given.grades)
    median = table["median"][-1]
    said = "No topic has such pairs." if median is None else f"The median over all topics is {median:.3g}."
    return figures.grade_ratios(table), said


def _curves(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    table = analyses.gain_curves(given.medians, given.runs, measures=CURVES, schemes=("linear",), depth=DEPTH)
    return figures.gain_curves(table), _ends(table)


def _curves_by_grades(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    gains = given.known[given.chosen or next(iter(given.known))]
    schemes = W["w3"], W["w10"]
    table = analyses.gain_curves(gains, given.runs, measures=CURVES, schemes=schemes, depth=DEPTH)
    return figures.gain_curves(table), _ends(table)


def _systems(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    judged, known = _by_magnitudes(given, measures), analyses.scores_by(given.known, given.runs, measures)
    agreement = analyses.system_agreement({MAGNITUDES: judged}, known, alpha=ALPHA)
    table = analyses.system_scatter({MAGNITUDES: judged}, known, alpha=ALPHA)
    said = f"Kendall’s τ of {_many(len(given.runs), 'run')}: {_taus(agreement, 'tau_b')}."
    return figures.system_scatter(table), said


def _tau(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    table = analyses.tau_distributions(
        given.judgments,
        given.normalised,
        given.runs,
        given.known,
        rng=given.dice,
        measures=measures,
        times=DRAWS,
        progress=progress,
    )
    said = f"Median τ of {DRAWS} draws: {_taus(analyses.tau_summary(table), 'median')}."
    return figures.tau_distributions(table), said


def _rank_changes(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    scores = _by_magnitudes(given, measures)
    first = scores.measures[0]
    table = analyses.rank_changes(scores, by=first)
    rises = analyses.inconsistencies(table)
    said = "; ".join(
        f"{measure} rises {count} of {_many(steps, 'time')}" for measure, count, steps in rises.iter_rows()
    )
    return figures.rank_changes(table, by=first), f"Along the runs by {first}: {said}."


def _stability(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    found = stability(_by_magnitudes(given, measures), rng=given.dice, trials=TRIALS)
    table = analyses.stability_curves(found)
    return figures.stability_curves(table), _subsets(found.size, found.topics)


def _swap_rates(given: Given, measures: Sequence[str], progress: Progress) -> Drawn:
    found = discrimination(_by_magnitudes(given, measures), rng=given.dice, trials=TRIALS)
    table = analyses.discrimination_curves(found)
    return figures.swap_rate_curves(table), _subsets(found.size, found.topics)


def _by_magnitudes(given: Given, measures: Sequence[str]) -> Scores:
    return analyses.scores_by({MAGNITUDES: given.medians}, given.runs, measures)[MAGNITUDES]


def _taus(table: pl.DataFrame, column: str) -> str:
    return "; ".join(
        f"{measure}, {known}: " + ("none" if tau is None else f"{tau:.2f}")
        for measure, known, tau in table.select("measure", "known", column).iter_rows()
    )


def _letter(row: Mapping[str, float | None]) -> str:
    return LETTERS[row["grade"]]


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _subsets(size: int, topics: int) -> str:
    said = caution(topics, size)
    return f"{TRIALS} draws of {size} of {_many(topics, 'topic')}." + (f" {said}." if said else "")


def _ends(table: pl.DataFrame) -> str:
    runs, depth = table["run"].n_unique(), table["rank"].max()
    assert isinstance(depth, int)
    return f"Curves of {_many(runs, 'run')} down to rank {depth}."


DRAWINGS: Final[dict[str, Callable[[Given, Sequence[str], Progress], Drawn]]] = {
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
