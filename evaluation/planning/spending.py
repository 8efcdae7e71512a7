"""Predict what each budget buys, if it is spent on a fixed study, an adaptive one or a sample."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ..arrays import FloatArray
from ..comparison.freedom import effective_freedom, student_quantile
from ..errors import InputError
from ..sampling.linear import LinearMeasure
from .budgets import Budget, Budgets, Way
from .cost import Terms
from .pilot import Pilot
from .refusals import refuse_difference, refuse_explained, refuse_shares, refuse_sizes, refuse_times
from .truths import Truths, t_test_power
from .variances import Variances

SHARES: Final = (0.1, 0.2, 0.3, 0.5)
DEPTHS: Final = (3, 5, 10)
"""The default numbers of judgments per document."""
START: Final = 3
"""The judgments of each document with which an adaptive study starts."""
RELATIVE: Final = 0.05
LEVEL: Final = 0.95


def plan_budgets(
    pilot: Pilot,
    *,
    rng: np.random.Generator,
    topics: Sequence[int] = (18,),
    shares: Sequence[float] = SHARES,
    judgments: Sequence[int] = DEPTHS,
    explained: Sequence[float] = (),
    terms: Terms | None = None,
    difference: float = RELATIVE,
    times: int = 400,
) -> Budgets:
    """Predict what each budget buys: half-widths, τ, power and money.

    There is a budget for each number of `topics`, each number of `judgments` per document, and each way:

    - `"fixed"`: all documents get this many judgments;
    - `"adaptive"`: this is the mean number of judgments. Numbers up to 3 are left out, because an adaptive
      study starts with 3 judgments of each document;
    - `"sampled"`: only a share of the documents is judged, one budget for each of `shares`;
    - `"predicted"`: the same with predictions of all gains. `explained` has shares of the variance of gains
      within a topic that they explain, one budget for each of them. The model that makes them costs
      `terms.model_cost` for each document of the pool, judged or not.

    The variance of a difference has these parts, which `Variances` computes from the documents of the pilot:
    the draw of the sample, the noise of judgments, and, for new topics, the differences between topics. The
    interval for these topics uses Student's distribution with `effective_freedom`, and the interval for new
    topics uses it with the number of topics minus 1.

    The expected τ is the mean over pairs of 2Φ(|δ|/s) − 1: δ is the true difference of a pair and s is its
    standard error, so that Φ(|δ|/s) is the chance of the right order. δ is drawn `times` times as in `plan`.

    Raise `InputError` for a pilot without runs, for a measure that is not linear in gains, for invalid
    topics, judgments, shares, `explained`, `difference` or `times`, and for shares that are too small to give
    each document the least chance.
    """
    refuse_sizes(topics, judgments)
    refuse_shares(shares)
    refuse_explained(explained)
    refuse_difference(difference)
    refuse_times(times)
    if pilot.lists is None:
        raise InputError(
            "budgets-without-runs",
            "a plan of budgets needs the runs of the pilot; give them to estimate_pilot",
        )
    linear = LinearMeasure.of(str(pilot.measure))
    terms = terms or Terms()
    variances = Variances.of(pilot, pilot.lists, linear, terms.unit_size - terms.anchors, rng)
    truths = Truths.of(pilot)
    purchases = list(
        _purchases(variances, sorted(set(shares)), sorted(set(judgments)), sorted(set(explained)))
    )
    budgets = []
    for count in sorted(set(topics)):
        true = truths.draw(count, rng, times)[-1]
        for purchase in purchases:
            budgets.append(purchase.budget(count, terms, truths, true, difference, variances))
    return Budgets(tuple(budgets), str(pilot.measure), len(pilot.lists.runs), variances.score, difference)


@dataclass(frozen=True, eq=False)
class _Purchase:
    """A way, share and number of judgments, and the variance of each pair in each topic (pairs, topics)."""

    way: Way
    explained: float | None
    share: float
    judgments: int
    variances: FloatArray

    def budget(
        self,
        topics: int,
        terms: Terms,
        truths: Truths,
        true: FloatArray,
        difference: float,
        variances: Variances,
    ) -> Budget:
        score, documents = variances.score, self.share * variances.pilot.documents
        units = terms.units(topics, documents, self.judgments)
        by_topic = self.variances.mean(axis=0)
        error = np.sqrt(by_topic.mean() / topics)
        # The planned topics are like those of the pilot, so their variances differ as much.
        freedom = effective_freedom(by_topic) * topics / len(by_topic)
        wider = power = None
        if topics > 1:
            of_means = np.sqrt((truths.between + by_topic.mean()) / topics)
            wider = float(student_quantile(LEVEL, topics - 1) * of_means / score)
            power = _power(difference * score, of_means, topics - 1)
        return Budget(
            way=self.way,
            explained=self.explained,
            topics=topics,
            share=self.share,
            judgments=self.judgments,
            documents=round(topics * documents),
            units=units,
            magnitudes=units * terms.unit_size,
            cost=terms.cost(units) + self._predicting(topics * variances.pilot.documents, terms),
            hours=terms.hours(units),
            half_width=float(student_quantile(LEVEL, freedom) * error / score),
            half_width_new_topics=wider,
            tau=_expected_tau(true, np.sqrt(self.variances.mean(axis=1) / topics)),
            power=_power(difference * score, error, freedom),
            power_new_topics=power,
        )

    def _predicting(self, documents: float, terms: Terms) -> float:
        """Return what the predictions of so many documents cost."""
        return documents * terms.model_cost if self.way == "predicted" else 0.0


def _purchases(
    variances: Variances, shares: Sequence[float], judgments: Sequence[int], explained: Sequence[float]
) -> Iterator[_Purchase]:
    for number in judgments:
        yield _Purchase("fixed", None, 1.0, number, variances.of_pairs(variances.complete(number)))
    for number in judgments:
        if number > START:
            added = variances.adaptive(number, START)
            yield _Purchase("adaptive", None, 1.0, number, variances.of_pairs(added))
    for known in (None, *explained):
        way: Way = "sampled" if known is None else "predicted"
        for share in shares:
            for number in judgments:
                added = variances.sampled(share, number, known or 0.0)
                yield _Purchase(way, known, share, number, variances.of_pairs(added))


def _expected_tau(true: FloatArray, errors: FloatArray) -> float:
    """Return the expected τ of means `true` (times, systems) plus noise, whose `errors` are for each pair."""
    first, second = np.triu_indices(true.shape[1], 1)
    apart = np.abs(true[:, first] - true[:, second])
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.where(errors > 0, apart / errors, np.inf)
    return float((2 * scipy.special.ndtr(distance) - 1).mean())


def _power(difference: float, error: float, freedom: float) -> float:
    return 1.0 if error == 0 else t_test_power(difference / error, freedom)
