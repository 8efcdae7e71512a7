"""The sentences that answer which run is best. Pages, reports and comparisons have the same."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..conventions import Correction
from ..options import checked
from ..showing import short_repr
from ..text import Text

_MOST_NAMED: Final = 5


@short_repr
@dataclass(frozen=True)
class BestRun:
    """The best run by a measure: its mean over topics with its interval for new topics, where it has one."""

    run: str
    measure: str
    mean: float
    low: float | None
    high: float | None
    topics: int


@checked
def verdict(
    best: BestRun,
    tied: Sequence[str],
    *,
    runs: int,
    topics: int,
    alpha: float,
    correction: Correction = "holm",
) -> list[Text]:
    """Return sentences that name the best run, and the runs that Wilcoxon's test cannot separate from it.

    `tied` are these runs: p is `alpha` or more, once it is adjusted by the `correction` for all pairs. `runs`
    is the number of runs with a value, and `topics` the largest number of topics of any run. With n topics,
    the p-value of Wilcoxon's exact two-sided test is at least 2 / 2ⁿ. If this is `alpha` or more once it is
    adjusted, a sentence says that the test cannot separate any two runs.
    """
    if runs == 1:
        return [Text("{run} is the only run.", run=best.run)]
    first = _of_best(best)
    if not tied:
        return [first, Text("Wilcoxon’s test separates it from all other runs.")]
    named, others = ", ".join(tied[:_MOST_NAMED]), len(tied) - _MOST_NAMED
    second = Text("Wilcoxon’s test does not separate it from {others}.", others=named)
    if others > 0:
        second = Text.plural(
            "Wilcoxon’s test does not separate it from {others} and {number} more run.",
            "Wilcoxon’s test does not separate it from {others} and {number} more runs.",
            number=others,
            others=named,
        )
    least = min(1.0, (math.comb(runs, 2) if correction == "holm" else 1) * 2 / 2**topics)
    if least < alpha:
        return [first, second]
    few = Text(
        "With {topics} topics, p cannot be below {least}, so this test cannot separate any two runs.",
        topics=topics,
        least=f"{least:.3g}",
    )
    return [first, second, few]


def _of_best(best: BestRun) -> Text:
    values = {
        "run": best.run,
        "measure": best.measure,
        "mean": f"{best.mean:.3f}",
        "topics": Text.plural("{number} topic", "{number} topics", number=best.topics),
    }
    if best.low is None or best.high is None:
        return Text("{run} is best by {measure}: {mean} over {topics}.", **values)
    return Text(
        "{run} is best by {measure}: {mean} [{low}, {high}] over {topics}.",
        low=f"{best.low:.3f}",
        high=f"{best.high:.3f}",
        **values,
    )
