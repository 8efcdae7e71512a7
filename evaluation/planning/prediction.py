"""Predict the results of planned studies, by simulating them from the parts of a pilot."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import numpy as np
import polars as pl

from ..showing import short_repr
from .cost import Terms
from .pilot import Pilot
from .refusals import refuse_difference, refuse_goals, refuse_sizes, refuse_times
from .truths import Range, Truths

TOPICS: Final = (6, 12, 18, 25, 50)
JUDGMENTS: Final = (1, 3, 5, 10, 15)
DIFFERENCE: Final = 0.05


@short_repr
@dataclass(frozen=True)
class Prediction:
    """What to expect from a study with `topics` topics and `judgments` judgments for each document.

    `documents`, `units` and `magnitudes` are totals of the study. `documents` leaves out the anchors, and
    `magnitudes` includes their judgments. `factor` says how wide the intervals of documents are: a 95 %
    interval reaches from the gain divided by `factor` to the gain times `factor`. Without ratios, `factor` is
    None, and the interval reaches from the gain minus `margin` to the gain plus `margin`.

    Three numbers are Kendall's τ_b between the study's ranking of the systems and another ranking. For `tau`,
    the other ranking is by the true gains of the same topics. For `tau_replicate`, it is that of an
    independent study of the same topics. For `tau_topics`, it is by the true gains of very many topics like
    these.

    `power` is the chance that a two-sided paired t-test over topics finds a difference (see `plan`). Without
    runs, `power` and the three values of τ_b are None. `power` is also None with a single topic, and if all
    systems always have equal scores.
    """

    topics: int
    judgments: int
    documents: int
    units: int
    magnitudes: int
    cost: float
    hours: float
    factor: float | None
    tau: Range | None = None
    tau_replicate: Range | None = None
    tau_topics: Range | None = None
    power: float | None = None
    margin: float | None = None


@short_repr
@dataclass(frozen=True)
class Plan:
    """Predictions for combinations of topics and judgments, sorted by topics, then judgments.

    `noise` is the standard deviation of the numbers of a document, or of their logarithms. `spread` is the
    standard deviation of the true levels in a topic. `measure` is the name of the measure that scores the
    systems. `difference` is an assumed difference between the scores of two systems. The `power` of a
    prediction is the chance that the study detects this difference.
    """

    predictions: tuple[Prediction, ...]
    noise: float
    spread: float
    systems: int
    measure: str | None
    difference: float

    def at(self, topics: int, judgments: int) -> Prediction:
        """Return the prediction for these numbers. Raise KeyError if the plan has none."""
        for prediction in self.predictions:
            if (prediction.topics, prediction.judgments) == (topics, judgments):
                return prediction
        raise KeyError((topics, judgments))

    def reaching(
        self,
        *,
        tau: float | None = None,
        factor: float | None = None,
        margin: float | None = None,
        power: float | None = None,
    ) -> "Plan":
        """Return a plan with the predictions that reach all goals, those with the fewest units first.

        The arguments are limits for a prediction's values of the same names. `tau` and `power` are lower
        limits, and `factor` and `margin` are upper limits. The limit `tau` applies to the mean of the
        prediction's range. A limit of None sets no goal. If a prediction has no value for a goal, it does not
        reach the goal: no prediction has both a factor and a margin. Raise `InputError` for a τ or a power
        outside (0, 1], for a factor that is not above 1, and for a margin that is not above 0.
        """
        refuse_goals(tau=tau, factor=factor, margin=margin, power=power)

        def reaches(prediction: Prediction) -> bool:
            mean = None if prediction.tau is None else prediction.tau.mean
            lower = ((tau, mean), (power, prediction.power))
            upper = ((factor, prediction.factor), (margin, prediction.margin))
            return all(
                goal is None or (value is not None and value >= goal) for goal, value in lower
            ) and all(goal is None or (value is not None and value <= goal) for goal, value in upper)

        reached = sorted(filter(reaches, self.predictions), key=lambda prediction: prediction.units)
        return replace(self, predictions=tuple(reached))

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each prediction.

        Each range becomes three columns, such as `tau`, `tau_low` and `tau_high`.
        """
        rows = []
        for prediction in self.predictions:
            row = asdict(prediction)
            for name in RANGES:
                mean, low, high = row[name] or (None, None, None)
                row |= {name: mean, f"{name}_low": low, f"{name}_high": high}
            rows.append(row)
        return pl.DataFrame(rows, schema=_COLUMNS)


RANGES: Final = ("tau", "tau_replicate", "tau_topics")
_COLUMNS: Final = {
    **dict.fromkeys(("topics", "judgments", "documents", "units", "magnitudes"), pl.Int64),
    **dict.fromkeys(("cost", "hours", "factor", "margin"), pl.Float64),
    **dict.fromkeys((f"{name}{end}" for name in RANGES for end in ("", "_low", "_high")), pl.Float64),
    "power": pl.Float64,
}


def plan(
    pilot: Pilot,
    *,
    rng: np.random.Generator,
    topics: Sequence[int] = TOPICS,
    judgments: Sequence[int] = JUDGMENTS,
    terms: Terms | None = None,
    difference: float = DIFFERENCE,
    times: int = 400,
) -> Plan:
    """Predict the results of studies with each combination of `topics` and `judgments`.

    Each combination is simulated `times` times. The topics of a planned study are new, but like those of the
    pilot. So every simulated topic is one of the pilot's topics, with newly drawn levels of its documents.
    The noise of a document's gain comes from `judgments` random residuals of the pilot. The measure scores
    the runs three times: once based on the levels, once on the gains of the study, and once on the gains of a
    second study.

    A system's score in a topic is its mean over very many topics plus its deviation in this topic. A pilot
    has few topics, so the means in the pilot differ more than the systems do. Each simulation therefore draws
    the systems' means from their distribution given the pilot. The drawn means have the variance that
    `cross_topic_variance` estimates.

    `power` is for two systems whose mean scores over very many topics differ by `difference`. Their scores
    come from gains with as much noise as those of the study. `power` comes from the noncentral t distribution
    at α = .05. The distribution needs the standard deviation, over topics, of the difference between two
    systems. This standard deviation is the root mean square over all pairs of systems, and includes the
    noise.

    Raise `InputError` if `topics` or `judgments` is empty or has a number below 1, if `difference` is not
    above 0, and if `times` is below 2.
    """
    refuse_sizes(topics, judgments)
    refuse_difference(difference)
    refuse_times(times)
    terms = terms or Terms()
    truths = Truths.of(pilot) if pilot.lists is not None else None
    by_judgments = {}
    for number in sorted(set(judgments)):
        noise = pilot.judged(number, rng)
        width = float(np.diff(np.quantile(noise[:, ~pilot.is_anchor], (0.025, 0.975)))[0] / 2)
        studies = None
        if truths is not None:
            # The noise of each draw is independent. So the noise of the next draw gives a second study.
            studies = truths.judged(noise), truths.judged(np.roll(noise, 1, axis=0))
        by_judgments[number] = width, studies
    predictions = []
    for count in sorted(set(topics)):
        for number, (width, studies) in by_judgments.items():
            units = terms.units(count, pilot.documents, number)
            prediction = Prediction(
                topics=count,
                judgments=number,
                documents=round(count * pilot.documents),
                units=units,
                magnitudes=units * terms.unit_size,
                cost=terms.cost(units),
                hours=terms.hours(units),
                factor=float(np.exp(width)) if pilot.is_log else None,
                margin=None if pilot.is_log else width,
            )
            if truths is not None and studies is not None:
                ranges = truths.taus(studies, count, rng, times)
                power = truths.power(studies[0], count, difference)
                tau, replicate, many = ranges
                prediction = replace(
                    prediction, tau=tau, tau_replicate=replicate, tau_topics=many, power=power
                )
            predictions.append(prediction)
    return Plan(
        tuple(predictions),
        pilot.noise,
        pilot.spread,
        0 if pilot.lists is None else len(pilot.lists.runs),
        None if pilot.measure is None else str(pilot.measure),
        difference,
    )
