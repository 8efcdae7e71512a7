"""Adaptive allocation: collect more judgments of the documents that matter for the ranking of the runs.

After a first round of judgments, `decide` says whether the ranking is settled, and plans the next units if it
is not. The same judgments, runs and seed always give the same decision.
"""

from .decision import RULE, Decision, Settings, decide
from .evidence import Evidence

__all__ = ["RULE", "Decision", "Evidence", "Settings", "decide"]
