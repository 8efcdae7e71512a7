"""The runs, measures and scores of [S04]: the 30 best runs by relaxed AP, and the battery of 24 measures."""

from dataclasses import replace
from typing import Final

from ...comparison import Discrimination, Stability, discrimination, rankings, stability
from ...comparison.results import levels_of_rows
from ...report.data import ReportData
from ...report.of_reliability import BATTERY, battery_of
from ...runs import Run
from ...score_table import Scores
from ...scores import score
from ...text import Text

MOST_RUNS: Final = 30
"""The number of runs in [S04], the best by relaxed AP."""
RELAXED_AP: Final = BATTERY[0]
_WITHOUT_GRADES: Final = BATTERY[-1]
"""The measure that chooses the runs of a study without known grades, to which AP would be blind."""
LEVELS: Final = {"rel=1": "relaxed", "rel=2": "rigid"}
"""The words of [S04] for the two levels of relevance."""
_DISCOUNT: Final = '(discount="jk", base=2)'


def label(measure: str) -> str:
    """Return the short name of a measure of the battery, such as "relaxed AP" for `AP(rel=1)`.

    Q and R_measure are computed only at the relaxed level, so their short names leave it out.
    """
    measure = measure.replace(_DISCOUNT, "")
    for level, word in LEVELS.items():
        if f"({level})" in measure:
            plain = measure.replace(f"({level})", "")
            return plain if plain in ("Q", "R_measure") else f"{word} {plain}"
    return measure


LABELS: Final = tuple(map(label, BATTERY))
"""The short names of the battery, in its order."""


def best_runs(data: ReportData) -> list[Run]:
    """Return the best 30 runs in the order of the study, or all runs if there are not more.

    They are the best by relaxed AP with the first set of known grades. Without known grades, they are the
    best by the last measure of the battery with the crowd's gains. Of tied runs, the first names are chosen.
    """
    if len(data.runs) <= MOST_RUNS:
        return list(data.runs)
    gains = next(iter(data.known.values()), data.gains)
    scores = score(gains, data.runs, [RELAXED_AP if data.known else _WITHOUT_GRADES])
    (means,) = rankings(scores).values()
    levels = levels_of_rows(means[None])[0]
    best_first = sorted(range(len(levels)), key=lambda place: (-levels[place], scores.runs[place]))
    chosen = {scores.runs[place] for place in best_first[:MOST_RUNS]}
    return [run for run in data.runs if run.tag in chosen]


def battery_scores(data: ReportData, name: str) -> Scores:
    """Return the scores of the best runs by the measures that these gains allow, under their short names."""
    scores = score(data.all_gains[name], best_runs(data), battery_of(data, name))
    return replace(scores, measures=tuple(map(label, scores.measures)))


def measure_subsets(data: ReportData, scores: Scores) -> tuple[Stability, Discrimination]:
    """Return the stability and the discrimination of the scores, with the seed and trials of the study."""
    rng, trials = data.parameters.random, data.parameters.trials
    return stability(scores, rng=rng, trials=trials), discrimination(scores, rng=rng, trials=trials)


def describe_runs(data: ReportData, scores: Scores) -> Text:
    """Return a sentence about the number of runs, and how they were chosen if some are left out."""
    if len(data.runs) <= MOST_RUNS:
        return Text("n = {runs} runs.", runs=len(scores.runs))
    return Text(
        "n = {runs} runs, the best of {all} by {measure}.",
        runs=len(scores.runs),
        all=len(data.runs),
        measure=label(RELAXED_AP if data.known else _WITHOUT_GRADES),
    )
