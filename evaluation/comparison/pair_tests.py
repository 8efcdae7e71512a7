"""The tests that compare pairs of systems, with a name for each. Some also test all systems together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from ..showing import short_repr
from .anova import anova, tukey
from .choices import Choices
from .effects import cohen_d, cohen_g, rank_biserial, standardised_differences
from .friedman import conover, friedman
from .randomisation import randomisation
from .results import TestResult
from .sign import sign_test
from .student import paired_t
from .wilcoxon import wilcoxon

Pair = tuple[int, int]


class PairResult(NamedTuple):
    """The result for a pair of systems.

    A number is None if the test does not compute this number, or if the pair was not tested. `difference` is
    the mean of the first system minus that of the second, over the `n` topics of the test.
    """

    difference: float | None
    statistic: float | None
    p: float | None
    effect: float | None
    n: int
    method: str


class OverallResult(NamedTuple):
    """The result of a test of all systems together."""

    test: str
    statistic: float
    p: float
    n: int


Results = tuple[list[PairResult], OverallResult | None]


@short_repr
@dataclass(frozen=True)
class SystemTest:
    """A test: its title, the name of its effect size, and the function `run`.

    `run` takes the values of the systems (systems, topics), the pairs to compare, and the choices of the
    comparison. If `is_joint` is true, p already takes the number of pairs into account, so no correction
    applies.
    """

    title: str
    effect: str
    run: Callable[[FloatArray, Sequence[Pair], Choices], Results]
    is_joint: bool = False


def _of_pairs(
    test: Callable[[FloatArray, FloatArray, Choices], TestResult],
    effect: Callable[[FloatArray, FloatArray], float | None],
    least: int = 1,
) -> Callable[[FloatArray, Sequence[Pair], Choices], Results]:
    """Return the function `run` of a `SystemTest`. It applies `test` to each pair of systems.

    A pair is not tested if there are fewer than `least` topics in which both systems have a value.
    """

    def run(values: FloatArray, pairs: Sequence[Pair], choices: Choices) -> Results:
        def compare(x: FloatArray, y: FloatArray) -> PairResult:
            n = int((~np.isnan(x - y)).sum())
            if n < least:
                return PairResult(None, None, None, None, n, TOO_FEW)
            result = test(x, y, choices)
            difference = float(np.nanmean(x - y))
            return PairResult(difference, result.statistic, result.p, effect(x, y), result.n, result.method)

        return [compare(values[first], values[second]) for first, second in pairs], None

    return run


def _conover(values: FloatArray, pairs: Sequence[Pair], choices: Choices) -> Results:
    topics = _complete_topics(values)
    if len(topics) < 2:
        return _not_made(pairs, len(topics)), None
    ranks = friedman(values)
    p = conover(ranks, alpha=choices.alpha)
    method = "Friedman's p is not below alpha" if p is None else "Conover after Friedman"
    means = values[:, topics].mean(axis=1)
    results = [
        PairResult(
            float(means[first] - means[second]),
            None,
            None if p is None else float(p[first, second]),
            None,
            ranks.n,
            method,
        )
        for first, second in pairs
    ]
    return results, OverallResult("friedman", ranks.t2, ranks.p, ranks.n)


def _tukey(values: FloatArray, pairs: Sequence[Pair], choices: Choices) -> Results:
    topics = _complete_topics(values)
    if len(topics) < 2:
        return _not_made(pairs, len(topics)), None
    variance = anova(values)
    p, effects = tukey(variance), standardised_differences(variance)
    results = [
        PairResult(
            float(variance.means[first] - variance.means[second]),
            None,
            float(p[first, second]),
            float(effects[first, second]),
            variance.n,
            "Tukey's HSD",
        )
        for first, second in pairs
    ]
    return results, OverallResult("anova", variance.f, variance.p, variance.n)


def _complete_topics(values: FloatArray) -> IntArray:
    return np.flatnonzero(~np.isnan(values).any(axis=0))


def _not_made(pairs: Sequence[Pair], n: int) -> list[PairResult]:
    return [PairResult(None, None, None, None, n, TOO_FEW) for _ in pairs]


TOO_FEW: Final = "too few topics"
"""The `method` of a comparison that was not made, because too few topics have the required values."""

TESTS: Final[Mapping[str, SystemTest]] = {
    "wilcoxon": SystemTest(
        "Wilcoxon's signed-rank test",
        "rank-biserial correlation",
        _of_pairs(lambda x, y, _: wilcoxon(x, y), rank_biserial),
    ),
    "sign_test": SystemTest("sign test", "Cohen's g", _of_pairs(lambda x, y, _: sign_test(x, y), cohen_g)),
    "paired_t": SystemTest(
        "paired t test", "Cohen's d", _of_pairs(lambda x, y, _: paired_t(x, y), cohen_d, least=2)
    ),
    "randomisation": SystemTest(
        "randomisation test",
        "Cohen's d",
        _of_pairs(
            lambda x, y, choices: randomisation(
                x, y, rng=np.random.default_rng(choices.seed), flips=choices.flips
            ),
            cohen_d,
        ),
    ),
    "conover": SystemTest("Conover's test after Friedman's", "", _conover),
    "tukey": SystemTest("Tukey's test after an analysis of variance", "difference/√error", _tukey, True),
}
"""The tests, keyed by the names of their functions in `plumbline_ir.comparison`."""
