"""The report `plan`: what to expect from studies with other numbers of topics and judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import isnan, nan
from typing import Any, Final, Literal

import numpy as np

from evaluation.scales import DEFAULT
from judging.core.services.jobs import Progress
from judging.protocol.anchor_pairs import ANCHORS_PER_PAIR
from judging.understanding.reports.study_data import StudyData

CROWDS: Final = ("careful", "typical", "poor")
"""The names of `evaluation.crowds.CROWDS`, which is slow to import. A test compares the two."""
Width = Literal["factor", "margin"]
"""How wide the intervals of gains are: see `evaluation.planning.Prediction`."""
SEED: Final = 20261125
_LEFT_OUT: Final = ("cost", "hours", "units", "magnitudes", "documents")
_RANGES: Final = ("tau", "tau_replicate", "tau_topics")
EXPLAINED: Final = (0.1, 0.25, 0.5)
"""The shares of the variance of gains that predictions may explain, in plans of budgets."""
TOPICS: Final = (6, 12, 18, 25, 50)
"""The default of `evaluation.planning.plan`, whose import is slow. A test compares the two."""
_SHARES: Final = (0.1, 0.2, 0.3, 0.5)
_BUDGET_MEASURE: Final = "DCG@10"
_QUICK: Final = {"draws": 50, "times": 200, "topics": 12}
"""A page waits for a plan from assumptions, so it is simulated less often than a report."""


def plan_content(data: StudyData, progress: Progress) -> dict[str, Any]:
    """Return the plan from a study's own judgments and runs, in the form that `content_of` returns.

    With fewer than two runs, or fewer than two topics, the plan says nothing about systems. Otherwise, the
    entry `budgets` has what each budget buys. Raise InputError if no document besides the anchors has two
    judgments.
    """
    from evaluation.planning import estimate_pilot, plan

    runs = data.runs if len(data.runs) > 1 and data.judgments.table["topic_id"].n_unique() > 1 else ()
    rng = data.random
    pilot = estimate_pilot(data.judgments, runs, rng=rng, normalized=data.normalised)
    progress(1, 3)
    content = content_of(plan(pilot, rng=rng))
    progress(2, 3)
    content["budgets"] = None
    if runs:
        linear = estimate_pilot(
            data.judgments, runs, rng=rng, normalized=data.normalised, measure=_BUDGET_MEASURE
        )
        content["budgets"] = _budgets_of(linear, rng)
    progress(3, 3)
    return content


@lru_cache(maxsize=64)
def assumed_content(
    crowd: str, documents: int, systems: int, difference: float, scale: str = DEFAULT
) -> dict[str, Any]:
    """Return the plan from assumptions, in the form that `plan_content` returns.

    `crowd` is one of `CROWDS`. `documents` is the number of documents per topic, not counting anchors. The
    grades have the default proportions of `evaluation.planning.Assumptions`. `systems` is the number of
    systems. `difference` is the difference in scores for which the plan states the power. `scale` is
    the library's name of the scale on which the crowd judges. The same assumptions always give the same plan.
    """
    from evaluation.crowds import CROWDS as KNOWN
    from evaluation.planning import Assumptions, assumed_pilot, estimate_pilot, grades_like, plan

    rng = np.random.default_rng(SEED)
    grades = grades_like(documents + ANCHORS_PER_PAIR)
    assumed = Assumptions(KNOWN[crowd], documents=grades, systems=systems, scale=scale)
    judgments, runs = assumed_pilot(assumed, rng, topics=_QUICK["topics"])
    pilot = estimate_pilot(judgments, runs, rng=rng, draws=_QUICK["draws"])
    content = content_of(plan(pilot, rng=rng, difference=difference, times=_QUICK["times"]))
    linear = estimate_pilot(judgments, runs, rng=rng, draws=_QUICK["draws"], measure=_BUDGET_MEASURE)
    content["budgets"] = _budgets_of(linear, rng, times=_QUICK["times"])
    return content


@dataclass(frozen=True)
class Goals:
    """The goals of a study: see `evaluation.planning.Plan.reaching`. A field that is None sets no goal."""

    tau: float | None = None
    factor: float | None = None
    margin: float | None = None
    power: float | None = None

    @property
    def are_stated(self) -> bool:
        """Return whether there is any goal."""
        return self != Goals()


def width_of(content: Mapping[str, Any]) -> Width:
    """Return which number says how wide the intervals of gains are in a plan, as `content_of` returns it."""
    return "margin" if content["predictions"][0]["factor"] is None else "factor"


def rows_reaching(content: Mapping[str, Any], goals: Goals, units: Sequence[int]) -> list[int]:
    """Return the positions of the predictions that reach all goals, sorted by number of units, fewest first.

    `content` is a plan as returned by `content_of`. `units` has the number of units of each prediction.
    """
    from evaluation.planning import Plan, Prediction, Range

    predictions = []
    for row, number in zip(content["predictions"], units, strict=True):
        ranges = {
            name: None if row[name] is None else Range(*(nan if part is None else part for part in row[name]))
            for name in _RANGES
        }
        nothing = {"documents": 0, "magnitudes": 0, "cost": 0.0, "hours": 0.0}
        predictions.append(Prediction(**{**row, **ranges, **nothing, "units": number}))
    own = {name: content[name] for name in ("noise", "spread", "systems", "measure", "difference")}
    reached = Plan(tuple(predictions), **own).reaching(**asdict(goals)).predictions
    return [predictions.index(prediction) for prediction in reached]


def budgets_reaching(
    rows: Sequence[Mapping[str, Any]], half_width: float, target: Any, work: Sequence[tuple[int, float]]
) -> list[int]:
    """Return the positions of the budgets that reach a half-width for a target, the cheapest first.

    `rows` are budgets of a plan as returned by `content_of`. `work` has the number of units of each budget,
    and its cost.
    """
    from evaluation.planning import Budget, Budgets

    nothing = {"documents": 0, "magnitudes": 0, "hours": 0.0}
    budgets = [
        Budget(**{**row, **nothing, "units": units, "cost": cost})
        for row, (units, cost) in zip(rows, work, strict=True)
    ]
    reached = Budgets(tuple(budgets), _BUDGET_MEASURE, 0, 1.0, 1.0).reaching(half_width, target)
    return [budgets.index(budget) for budget in reached.budgets]


def _budgets_of(pilot: Any, rng: np.random.Generator, **options: Any) -> dict[str, Any]:
    """Return what each budget buys, in a form that JSON can store. Costs and times are left out."""
    from evaluation.planning import plan_budgets

    found = plan_budgets(pilot, rng=rng, topics=TOPICS, shares=_SHARES, explained=EXPLAINED, **options)
    rows = [
        {name: value for name, value in asdict(budget).items() if name not in _LEFT_OUT}
        for budget in found.budgets
    ]
    return {"measure": found.measure, "score": found.score, "difference": found.difference, "rows": rows}


def content_of(plan: Any) -> dict[str, Any]:
    """Return the content of a plan, in a form that JSON can store.

    Leave out the costs and times, because pages compute them from the pay and other settings of the study.
    """
    content = asdict(plan)
    content["predictions"] = [
        {name: _storable(value) for name, value in prediction.items() if name not in _LEFT_OUT}
        for prediction in content["predictions"]
    ]
    return content


def _storable(value: Any) -> Any:
    if isinstance(value, tuple):
        return [None if isnan(part) else part for part in value]
    return value
