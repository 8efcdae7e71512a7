"""The result by one measure: a table of the runs, one sentence, warnings, a LaTeX table and a figure."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from .. import rendering
from ..comparison.choices import Choices
from ..options import checked
from ..rendering import Cell, Table, format_p, formatter
from ..sampling.result import SampledScores
from ..text import Text
from ..versions import versions
from .basis import Basis, Warning
from .sentences import sentence
from .table import BASELINE, MEANS, OF_BEST, Estimator

if TYPE_CHECKING:
    from ..figures import Figure, Width

DIGITS: Final = 3
MARK: Final = "*"
"""The mark of a run that cannot be told from the best run."""


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """Which run is best by a measure, by how much, and how sure that is.

    `table` has a row for each run, the best first, with these columns:

    - `run`, and `topics`, the number of topics with a score.
    - `mean`, by which the runs are ordered. If the `estimator` is "corrected", the estimated bias of noisy
      gains is subtracted, and if it is "observed", `mean` is the mean of the scores as they are. `observed`
      always is. If the `estimator` is "sampled", both are estimated from a sample of the documents, and
      `mean` is without the bias of noisy gains, too.
    - `low` and `high`: the interval of the mean for new topics.
    - `low_judged_anew` and `high_judged_anew`: the interval for the same topics, judged by other workers.
    - `difference`, `difference_low` and `difference_high`: the mean minus that of the best run over their
      common topics, with its interval for new topics.
    - `p`: the p-value of Wilcoxon's two-sided test against the best run, and `adjusted`: p, adjusted for all
      pairs. `in_top_set` is true for the best run, and for runs whose `adjusted` is not below
      `choices.alpha`.
    - `wins`, `ties` and `losses`: the topics in which the run is better than, like or worse than the best
      run.
    - the same columns from `difference` to `losses` against the baseline, with the prefix `baseline_`. There,
      `adjusted` is adjusted for the comparisons with the baseline.
    - `judged_share`: the mean share of judged documents down to the cut-off of the measure.

    A value that is unknown is null. `checksum` is the SHA-256 of the scores in each topic. `is_first` says
    that the measure was chosen beforehand; a result by another measure is a further look. `sample` has the
    estimates of each kind of evidence, if only a sample of the documents was judged.
    """

    measure: str
    estimator: Estimator
    table: pl.DataFrame
    choices: Choices
    basis: Basis
    warnings: tuple[Warning, ...]
    checksum: str
    is_first: bool = True
    sample: SampledScores | None = None

    @property
    def best(self) -> str | None:
        """The best run, or None if the runs are not compared."""
        return None if self.basis.is_random else str(self.table["run"][0])

    @property
    def top_set(self) -> list[str]:
        """The best run, and the runs that the test cannot tell from it."""
        return self.table.filter(pl.col("in_top_set"))["run"].to_list()

    @cached_property
    def sentence(self) -> Text:
        """The answer in one sentence. Its `str()` is English."""
        rows = self.table.filter(pl.col("topics") > 0).rows(named=True)
        return sentence(self.measure, rows, self.basis, self.sample)

    @property
    def cautions(self) -> list[Text]:
        """The warnings without which the sentence misleads."""
        return [warning.text for warning in self.warnings if warning.is_caution]

    @property
    def paragraph(self) -> list[Text]:
        """The answer with all warnings: the cautions, then the sentence, then the other warnings."""
        others = [warning.text for warning in self.warnings if not warning.is_caution]
        return [*self.cautions, self.sentence, *others]

    def to_polars(self) -> pl.DataFrame:
        """Return the table without the columns that have no value."""
        return self.table.select(column for column in self.table if column.null_count() < len(column))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON can store it: the content of `summary.json`."""
        choices, basis = self.choices, self.basis
        return {
            "sentence": str(self.sentence),
            "measure": self.measure,
            "is_further_look": not self.is_first,
            "best": self.best,
            "top_set": self.top_set,
            "gains": basis.gains,
            "normalisation": basis.method or None,
            "statistic": basis.statistic or None,
            "judges": [str(kind) for kind in basis.judges],
            "judgments": basis.judgments,
            "topics": max(self.table["topics"].to_list()),
            "estimator": self.estimator,
            "interval": choices.interval,
            "level": choices.level,
            "alpha": choices.alpha,
            "test": "wilcoxon",
            "correction": choices.correction,
            "baseline": choices.baseline,
            "sample": None if self.sample is None else self.sample.to_dict(choices.level),
            "runs": self.table.to_dicts(),
            "warnings": [{"code": each.code, "sentence": str(each.text)} for each in self.warnings],
            "seed": choices.seed,
            "versions": versions(),
            "checksum": self.checksum,
        }

    def to_json(self) -> str:
        """Return the content of `summary.json`: `to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)

    def to_latex(self, *, digits: int = DIGITS, caption: str | None = None, label: str | None = None) -> str:
        r"""Return a table for one column of a paper, as LaTeX with rules from the package booktabs.

        By default, the caption is the sentence. Raise `InputError` for `digits` outside 0–17.
        """
        return rendering.to_latex(
            self.to_table(digits), str(self.sentence) if caption is None else caption, label
        )

    def to_html(self, *, digits: int = DIGITS) -> str:
        """Return the table as an HTML `table` with caption and notes."""
        return rendering.to_html(self.to_table(digits))

    def to_markdown(self, *, digits: int = DIGITS) -> str:
        """Return the table in GitHub's Markdown, with notes."""
        return rendering.to_markdown(self.to_table(digits))

    def figure(self, *, width: "Width" = "column") -> "Figure":
        """Draw the means of the runs with their intervals, the best run first.

        Runs that cannot be told from the best run have a filled point. Figures need matplotlib: `pip install
        'plumbline-ir[figures]'`. Raise `InputError` for an unknown width.
        """
        from ..figures import mean_intervals  # imports matplotlib, which is optional

        table = self.table.select(
            pl.lit(self.measure).alias("measure"), "run", "mean", "low", "high", "in_top_set"
        )
        baseline = self.choices.baseline
        return mean_intervals(
            table,
            baseline=baseline if baseline in self.table["run"].to_list() else None,
            level=self.choices.level,
            width=width,
        )

    def _repr_html_(self) -> str:
        return rendering.to_html(self.to_table().shortened())

    def __repr__(self) -> str:
        return rendering.to_text(self.to_table().shortened())

    def to_table(self, digits: int = DIGITS) -> Table:
        """Return the table for one column of a paper: means, differences and p, with notes."""
        write = formatter(digits)
        has_baseline = self.table[BASELINE + "p"].null_count() < self.table.height
        is_compared = self.best is not None and self.table.height > 1
        header = ["run", self.measure]
        header += ["difference", "p"] * is_compared
        header += [f"− {self.choices.baseline}", "p (baseline)"] * has_baseline
        rows = []
        for row in self.table.iter_rows(named=True):
            is_tied = is_compared and row["in_top_set"] and row["run"] != self.best
            cells = [Cell(row["run"]), _cell(row, ("mean", "low", "high"), write, MARK if is_tied else "")]
            for prefix in ([""] if is_compared else []) + ([BASELINE] if has_baseline else []):
                cells += [
                    _cell(row, [prefix + name for name in OF_BEST[:3]], write),
                    Cell(format_p(row[prefix + "adjusted"], digits)),
                ]
            rows.append(tuple(cells))
        return Table(str(self.sentence), tuple(header), tuple(rows), 1, tuple(self._notes()))

    def _notes(self) -> list[str]:
        choices = self.choices
        of_mean = MEANS[self.estimator]
        notes = [str(warning.text) for warning in self.warnings]
        notes.append(f"{of_mean.capitalize()} with {choices.level * 100:g} % intervals for new topics.")
        if self.best is not None and self.table.height > 1:
            adjusted = (
                "adjusted by Holm's method for all pairs" if choices.correction == "holm" else "not adjusted"
            )
            notes.append(
                f"Differences are from {self.best}. p: Wilcoxon's test, {adjusted}. {MARK}: cannot be told "
                f"from {self.best} (p ≥ {choices.alpha:g})."
            )
        return notes


def _cell(
    row: Mapping[str, Any], names: Sequence[str], write: Callable[[float | None], str], mark: str = ""
) -> Cell:
    """Return a cell with a value and its interval, from three columns of the row."""
    value, low, high = (row[name] for name in names)
    return Cell(write(value), mark, "" if low is None else f"[{write(low)}, {write(high)}]")
