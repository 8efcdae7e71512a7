"""Planning: how many topics and judgments a study needs for rankings and medians that are certain enough.

A plan starts from a real pilot, or from one that is simulated under stated assumptions. `estimate_pilot`
estimates three parts of the pilot: the noise of single judgments, the levels of the documents without this
noise, and the scores of the systems. `plan` then simulates planned studies from these parts, and predicts
their results.
"""

from .assumptions import Assumptions, assumed_pilot, grades_like
from .cost import Terms
from .pilot import Pilot, estimate_pilot
from .prediction import JUDGMENTS, TOPICS, Plan, Prediction, Range, plan

__all__ = [
    "JUDGMENTS",
    "TOPICS",
    "Assumptions",
    "Pilot",
    "Plan",
    "Prediction",
    "Range",
    "Terms",
    "assumed_pilot",
    "estimate_pilot",
    "grades_like",
    "plan",
]
