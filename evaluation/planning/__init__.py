"""Planning: how many topics and judgments a study needs for rankings and medians that are certain enough.

A plan starts from a real pilot, or from one that is simulated under stated assumptions. `estimate_pilot`
estimates three parts of the pilot: the noise of single judgments, the levels of the documents without this
noise, and the scores of the systems. `plan` then simulates planned studies from these parts, and predicts
their results. `plan_budgets` predicts what a budget buys if only a sample of the documents is judged, or if
the documents that matter most get more judgments.
"""

from .assumptions import Assumptions, assumed_pilot, grades_like
from .budgets import WAYS, Budget, Budgets
from .cost import Terms
from .pilot import Pilot, estimate_pilot
from .prediction import JUDGMENTS, TOPICS, Plan, Prediction, plan
from .spending import plan_budgets
from .truths import Range

__all__ = [
    "JUDGMENTS",
    "TOPICS",
    "WAYS",
    "Assumptions",
    "Budget",
    "Budgets",
    "Pilot",
    "Plan",
    "Prediction",
    "Range",
    "Terms",
    "assumed_pilot",
    "estimate_pilot",
    "grades_like",
    "plan",
    "plan_budgets",
]
