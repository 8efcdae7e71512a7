"""A report that compares runs: means with intervals, tests of pairs, correlations and top sets.

The numbers come from the functions of `plumbline_ir.comparison`; this module calls them for every measure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from .. import rendering
from ..conventions import RESAMPLES, Correction, Design, Family, Interval, Statistic
from ..errors import InputError, shown
from ..magnitudes.normalisation import Method
from ..measures import Measures
from ..options import checked, unknown_option
from ..rendering import Table
from ..result.computing import compute_results
from ..result.result import Result
from ..result.table import Estimator
from ..sampling.chances import Sampling
from ..score_table import Scores, pointer
from ..sources import Source
from . import report_tables
from .choices import Choices
from .compared import compared
from .matrix import correlation_matrix, rankings
from .pair_tests import TESTS
from .report_numbers import estimates_table, means_table, p_of_measures, test_tables, top_sets_table
from .report_tables import Part
from .results import refuse_few_systems
from .topset import no_values

if TYPE_CHECKING:
    import pandas as pd

    from ..figures import Figure, Width

DIGITS: Final = 3
"""The number of decimals in a report. Intervals are usually so wide that a fourth decimal says little."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The result of `compare`: polars tables, with methods that format them for readers.

    - `means`: `measure, run, topics, mean, low, high`. `topics` counts the topics with a value. The bounds of
      the interval are null if there are fewer than two such topics, or if `mean` is not a mean over topics.
    - `estimates`: `measure, target, evidence, run, minus, topics, mean, low, high, valid`, if only a sample
      of the documents was judged: the means for both targets and by each kind of evidence, as
      `sampling.SampledScores.means` explains them. If there is a baseline, rows with its name in `minus` have
      the differences from it. Without a sample, the table has no rows.
    - `pairs`: `measure, test, first, second, difference, statistic, p, adjusted, effect, n, method`, with a
      row for each comparison of two runs. If there is a baseline, `second` is the baseline.
    - `overall`: `measure, test, statistic, p, n`, with Friedman's test for `"conover"` and the analysis of
      variance for `"tukey"`.
    - `correlations`: `first, second, value`, with the correlation of every measure with every other measure
      and with itself.
    - `top_sets`: `measure, run, mean, p`, with the best run of each measure first.

    `results` has the `Result` by each measure with a value; `result` returns one of them. `choices` has the
    arguments of `compare`, and `scores` has the scores that were compared.
    """

    scores: Scores
    choices: Choices
    means: pl.DataFrame
    estimates: pl.DataFrame
    pairs: pl.DataFrame
    overall: pl.DataFrame
    correlations: pl.DataFrame
    top_sets: pl.DataFrame
    results: Mapping[str, Result]

    @checked
    def to_polars(self, part: Part = "means") -> pl.DataFrame:
        """Return the table named `part`. Raise `InputError` if there is no such part."""
        table: pl.DataFrame = self.result().table if part == "result" else getattr(self, part)
        return table

    @checked
    def to_pandas(self, part: Part = "means") -> "pd.DataFrame":
        """Return the table named `part` as a pandas table.

        Raise `InputError` if there is no such part, and if pandas is not installed.
        """
        return rendering.to_pandas(self.to_polars(part))

    @checked
    def to_text(self, part: Part = "means", *, digits: int = DIGITS) -> str:
        """Return the table named `part` for a terminal, with notes.

        Raise `InputError` in the same cases as `to_latex`.
        """
        return rendering.to_text(self._table(part, digits))

    @checked
    def to_latex(
        self,
        part: Part = "means",
        *,
        digits: int = DIGITS,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        r"""Return the table named `part` as a LaTeX `tabular`, with rules from the booktabs package.

        In the part `means`, each mean is followed by its marks, as superscripts, and by its interval. With a
        `caption` (plain text) or a `label` (for `\ref`), the `tabular` stands inside a `table`, followed by
        the notes that explain the marks. Raise `InputError` for an unknown part, and for `digits` outside
        0–17.
        """
        return rendering.to_latex(self._table(part, digits), caption, label)

    @checked
    def to_html(self, part: Part = "means", *, digits: int = DIGITS, caption: str | None = None) -> str:
        """Return the table named `part` as an HTML `table` with caption and notes.

        Raise `InputError` in the same cases as `to_latex`.
        """
        return rendering.to_html(self._table(part, digits, caption))

    @checked
    def to_markdown(self, part: Part = "means", *, digits: int = DIGITS) -> str:
        """Return the table named `part` in GitHub's Markdown, with notes.

        Raise `InputError` in the same cases as `to_latex`.
        """
        return rendering.to_markdown(self._table(part, digits))

    def figure(self, *, measures: Sequence[str] | None = None, width: "Width" = "column") -> "Figure":
        """Draw the means with their intervals, with one panel for each measure.

        A dashed line shows the mean of the baseline. Figures need matplotlib:
        `pip install 'plumbline-ir[figures]'`.
        Raise `InputError` for a measure that the comparison does not have, and for an unknown width.
        """
        from ..figures import mean_intervals  # imports matplotlib, which is optional

        chosen = self.scores.measures if measures is None else tuple(measures)
        for measure in chosen:
            if measure not in self.scores.measures:
                raise self._unknown(measure)
        table = pl.concat([self.means.clear(), *(self.means.filter(measure=name) for name in chosen)])
        return mean_intervals(table, baseline=self.choices.baseline, level=self.choices.level, width=width)

    def result(self, measure: str | None = None) -> Result:
        """Return the result by a measure: which run is best, by how much, and how sure that is.

        By default, the measure is the first one. The results by other measures are further looks. Raise
        `InputError` for a measure that the comparison does not have, and for one by which no run has a value.
        """
        chosen = self.scores.measures[0] if measure is None else measure
        if chosen not in self.scores.measures:
            raise self._unknown(chosen)
        if chosen not in self.results:
            raise no_values()
        return self.results[chosen]

    def _unknown(self, measure: str) -> InputError:
        return InputError(
            "measure-not-compared",
            "the comparison has no measure {measure}; choose from {known}",
            measure=shown(measure),
            known=", ".join(self.scores.measures),
        )

    def _answers(self) -> list[str]:
        """Return the sentence and the warnings of each result."""
        lines: list[str] = []
        for result in self.results.values():
            lines += map(str, result.paragraph)
        return list(dict.fromkeys(lines))

    def _repr_html_(self) -> str:
        paragraphs = (f"<p>{escape(text)}</p>" for text in self._answers())
        return "\n".join([*paragraphs, *map(rendering.to_html, self._shown())])

    def __repr__(self) -> str:
        paragraphs = (rendering.paragraph(text) for text in self._answers())
        return "\n\n".join([*paragraphs, *map(rendering.to_text, self._shown())])

    def _shown(self) -> Iterator[Table]:
        """Yield the parts to display. The pairs are left out, because there can be too many of them."""
        for part in ("means", "estimates", "overall", "correlations", "top_sets"):
            needs_several = part == "correlations" and len(self.scores.measures) < 2
            if not (needs_several or self.to_polars(part).is_empty()):
                table = self._table(part, DIGITS).shortened()
                if part == "means":
                    table = replace(table, notes=(*table.notes, *pointer(self.scores, ".scores.notices")))
                yield table

    def _table(self, part: Part, digits: int, caption: str | None = None) -> Table:
        if part == "result":
            table = self.result().to_table(digits)
        else:
            estimators = {result.estimator for result in self.results.values()} - {"observed"}
            estimator: Estimator = min(estimators, default="observed")
            table = report_tables.table_of(
                part, self.to_polars(part), self.pairs, self.choices, digits, estimator=estimator
            )
        if part != "overall":
            cautions = tuple(f"{caution}." for caution in self.scores.notices.cautions.sentences())
            table = replace(table, notes=(*cautions, *table.notes))
        return table if caption is None else replace(table, caption=caption)


@checked
def compare(
    qrels: Source | Scores,
    runs: Source | None = None,
    measures: Measures | None = None,
    baseline: str | None = None,
    correction: Correction = "holm",
    tests: str | Sequence[str] = "wilcoxon",
    *,
    family: Family = "measure",
    alpha: float = 0.05,
    interval: Interval = "t",
    level: float = 0.95,
    resamples: int = RESAMPLES,
    flips: int = 10_000,
    seed: int = 0,
    statistic: str = "tau_b",
    method: Method | None = None,
    gain: Statistic | None = None,
    inclusion: Source | None = None,
    predictions: Sequence[Source] = (),
    design: Design = "systematic",
    **conventions: Any,
) -> Comparison:
    """Compare runs by measures: means with intervals, tests of pairs, correlations and top sets.

    `qrels`, `runs` and `measures` are the same as for `score`. `conventions` are the other parameters of
    `score`, such as `unjudged="drop"`. If you already have scores, pass them in place of these arguments:
    `compare(scores)`. If you pass `Judgments` in place of the qrels, their gains are computed as by
    `normalise` (with this `method`) and `gains` (with the statistic `gain`), and the results correct the
    means for the noise of the judgments, as the report of a study does. If only a sample of the documents was
    judged, `inclusion`, `predictions` and `design` are the same as for `score`, and the results have the
    intervals of `plumbline_ir.sampling.estimate`. `compare` also has parameters of its own:

    - `baseline`: the tag of the run with which all others are compared. Without it, every pair is compared.
    - `tests`: one or more of `"wilcoxon"`, `"sign_test"`, `"paired_t"`, `"randomisation"`, `"conover"` (after
      Friedman's test) and `"tukey"` (after an analysis of variance).
    - `correction`: Holm's adjustment of p for the number of comparisons (`"holm"`), or `"none"`. The p-values
      of Tukey's test already take the number of pairs into account, so they are not adjusted.
    - `family`: which comparisons of a test are adjusted together. `"measure"` adjusts the comparisons for
      each measure separately, and `"all"` adjusts the comparisons for all measures together.
    - `alpha`: the limit below which an adjusted p gets a mark. It is also the limit for the top sets, and for
      Friedman's test before `"conover"`.
    - `interval`: the kind of interval for each mean, at the confidence `level`. `"t"` is Student's interval,
      and `"bootstrap"` computes it from `resamples` bootstrap samples of the topics.
    - `flips`: the number of random sign flips for `"randomisation"`.
    - `seed`: the seed of the bootstrap and of the flips. Each mean and each pair gets a new generator with
      this seed, so the results for a run do not depend on other runs or measures.
    - `statistic`: the rank correlation that compares two measures by the runs' means. It is one of
      `STATISTICS`.

    Raise `InputError` for fewer than two runs, for a baseline that is not one of the runs, and in the same
    cases as `score`. Also raise `InputError` for an unknown test or any other invalid choice, and for a
    number out of bounds.

    Example: `compare(qrels, runs, ["nDCG@10", "AP"], baseline="bm25", tests=["paired_t", "wilcoxon"])`.
    """
    choices = Choices(
        baseline, correction, _names(tests), family, alpha, interval, level, resamples, flips, seed, statistic
    )
    sampling = None if inclusion is None else Sampling(inclusion, predictions, design)
    data = compared(qrels, runs, measures, conventions, choices, method, gain, sampling)
    scores = data.scores
    _refuse_choices(choices, scores)
    pairs, overall = test_tables(scores, choices)
    results = compute_results(
        scores,
        choices,
        basis=data.basis,
        intervals=data.intervals,
        shares=data.shares,
        p_of_pairs=p_of_measures(scores, choices, pairs),
        samples=data.samples,
    )
    return Comparison(
        scores,
        choices,
        means_table(scores, results),
        estimates_table(data.samples, choices),
        pairs,
        overall,
        correlation_matrix(rankings(scores), statistic),
        top_sets_table(results),
        results,
    )


def _names(tests: str | Iterable[str]) -> tuple[str, ...]:
    return (tests,) if isinstance(tests, str) else tuple(dict.fromkeys(tests))


def _refuse_choices(choices: Choices, scores: Scores) -> None:
    refuse_few_systems(len(scores.runs))
    if choices.baseline is not None and choices.baseline not in scores.runs:
        raise InputError(
            "unknown-baseline",
            "the baseline {baseline} is not one of the runs; choose from {known}",
            baseline=shown(choices.baseline),
            known=", ".join(scores.runs),
        )
    if unknown := [name for name in choices.tests if name not in TESTS]:
        raise unknown_option("tests", unknown[0], TESTS)
