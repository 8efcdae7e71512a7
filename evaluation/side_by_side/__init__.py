"""Arms side by side: judgments of the same documents on several scales, or by several rules, compared.

`compare_arms` compares what the arms cost, how long they took, what failed, how much judges agree within an
arm and between arms, how many pairs of runs each arm can tell apart for the same money, and how the arms rank
the runs. It names the better arm only where intervals do not overlap.
"""

from .arm import Arm, Work
from .comparing import compare_arms
from .result import SideBySide

__all__ = ["Arm", "SideBySide", "Work", "compare_arms"]
