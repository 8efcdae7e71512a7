"""A report that compares runs: means with intervals, tests of pairs, correlations and top sets.

The numbers come from the functions of `plumbline_ir.comparison`; this module calls them for every measure.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from .. import rendering
from ..conventions import RESAMPLES, Correction, Family, Interval
from ..errors import InputError, shown
from ..measures import Measures
from ..options import checked, unknown_option
from ..rendering import Table
from ..score_table import Scores, pointer
from ..scores import score
from ..sources import Source
from ..text import Text, joined
from . import report_tables
from .choices import Choices
from .matrix import correlation_matrix, rankings
from .pair_tests import TESTS
from .report_numbers import means_table, test_tables, top_sets_table
from .report_tables import Part
from .results import refuse_few_systems
from .verdict import BestRun, verdict

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
    - `pairs`: `measure, test, first, second, difference, statistic, p, adjusted, effect, n, method`, with a
      row for each comparison of two runs. If there is a baseline, `second` is the baseline.
    - `overall`: `measure, test, statistic, p, n`, with Friedman's test for `"conover"` and the analysis of
      variance for `"tukey"`.
    - `correlations`: `first, second, value`, with the correlation of every measure with every other measure
      and with itself.
    - `top_sets`: `measure, run, mean, p`, with the best run of each measure first.

    `choices` has the arguments of `compare`, and `scores` has the scores that were compared.
    """

    scores: Scores
    choices: Choices
    means: pl.DataFrame
    pairs: pl.DataFrame
    overall: pl.DataFrame
    correlations: pl.DataFrame
    top_sets: pl.DataFrame

    @checked
    def to_polars(self, part: Part = "means") -> pl.DataFrame:
        """Return the table named `part`. Raise `InputError` if there is no such part."""
        table: pl.DataFrame = getattr(self, part)
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
                raise InputError(
                    "measure-not-compared",
                    "the comparison has no measure {measure}; choose from {known}",
                    measure=shown(measure),
                    known=", ".join(self.scores.measures),
                )
        table = pl.concat([self.means.clear(), *(self.means.filter(measure=name) for name in chosen)])
        return mean_intervals(table, baseline=self.choices.baseline, level=self.choices.level, width=width)

    def verdict(self, measure: str) -> list[Text]:
        """Return sentences that name the best run by a measure, and the runs that the test finds no worse.

        Their `str()` is English. There are none for a measure without any value.
        """
        in_top_set = self.top_sets.filter(measure=measure)["run"].to_list()
        if not in_top_set:
            return []
        best, *tied = in_top_set
        means = self.means.filter(pl.col("measure") == measure, pl.col("topics") > 0)
        of_best = means.row(by_predicate=pl.col("run") == best, named=True)
        return verdict(
            BestRun(best, measure, *(of_best[name] for name in ("mean", "low", "high", "topics"))),
            tied,
            runs=means.height,
            topics=max(means["topics"].to_list()),
            alpha=self.choices.alpha,
            correction=self.choices.correction,
        )

    def _verdicts(self) -> list[str]:
        return [joined(sentences) for name in self.scores.measures if (sentences := self.verdict(name))]

    def _repr_html_(self) -> str:
        paragraphs = (f"<p>{escape(text)}</p>" for text in self._verdicts())
        return "\n".join([*paragraphs, *map(rendering.to_html, self._shown())])

    def __repr__(self) -> str:
        paragraphs = (rendering.paragraph(text) for text in self._verdicts())
        return "\n\n".join([*paragraphs, *map(rendering.to_text, self._shown())])

    def _shown(self) -> Iterator[Table]:
        """Yield the parts to display. The pairs are left out, because there can be too many of them."""
        for part in ("means", "overall", "correlations", "top_sets"):
            needs_several = part == "correlations" and len(self.scores.measures) < 2
            if not (needs_several or self.to_polars(part).is_empty()):
                table = self._table(part, DIGITS).shortened()
                if part == "means":
                    table = replace(table, notes=(*table.notes, *pointer(self.scores, ".scores.notices")))
                yield table

    def _table(self, part: Part, digits: int, caption: str | None = None) -> Table:
        table = report_tables.table_of(part, self.to_polars(part), self.pairs, self.choices, digits)
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
    interval: Interval = "bootstrap",
    level: float = 0.95,
    resamples: int = RESAMPLES,
    flips: int = 10_000,
    seed: int = 0,
    statistic: str = "tau_b",
    **conventions: Any,
) -> Comparison:
    """Compare runs by measures: means with intervals, tests of pairs, correlations and top sets.

    `qrels`, `runs` and `measures` are the same as for `score`. `conventions` are the other parameters of
    `score`, such as `unjudged="drop"`. If you already have scores, pass them in place of these arguments:
    `compare(scores)`. `compare` also has parameters of its own:

    - `baseline`: the tag of the run with which all others are compared. Without it, every pair is compared.
    - `tests`: one or more of `"wilcoxon"`, `"sign_test"`, `"paired_t"`, `"randomisation"`, `"conover"` (after
      Friedman's test) and `"tukey"` (after an analysis of variance).
    - `correction`: Holm's adjustment of p for the number of comparisons (`"holm"`), or `"none"`. The p-values
      of Tukey's test already take the number of pairs into account, so they are not adjusted.
    - `family`: which comparisons of a test are adjusted together. `"measure"` adjusts the comparisons for
      each measure separately, and `"all"` adjusts the comparisons for all measures together.
    - `alpha`: the limit below which an adjusted p gets a mark. It is also the limit for the top sets, and for
      Friedman's test before `"conover"`.
    - `interval`: the kind of interval for each mean, at the confidence `level`. `"bootstrap"` computes it
      from `resamples` bootstrap samples of the topics, and `"t"` is Student's interval.
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
    scores = _scores(qrels, runs, measures, conventions)
    choices = Choices(
        baseline, correction, _names(tests), family, alpha, interval, level, resamples, flips, seed, statistic
    )
    _refuse_choices(choices, scores)
    pairs, overall = test_tables(scores, choices)
    top_sets = top_sets_table(scores, choices, pairs)
    return Comparison(
        scores,
        choices,
        means_table(scores, choices),
        pairs,
        overall,
        correlation_matrix(rankings(scores), statistic),
        top_sets,
    )


def _scores(
    qrels: Source | Scores, runs: Source | None, measures: Measures | None, conventions: dict[str, Any]
) -> Scores:
    if isinstance(qrels, Scores):
        if runs is not None or measures is not None or conventions:
            raise InputError(
                "ready-scores-with-more",
                "the first argument already contains scores; pass it alone, or pass qrels, runs and "
                "measures instead",
            )
        return qrels
    if runs is None or measures is None:
        raise InputError(
            "nothing-to-compare",
            "runs or measures are missing; pass qrels, runs and measures, or scores alone",
        )
    return score(qrels, runs, measures, **conventions)


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
