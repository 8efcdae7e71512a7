"""How good is a judge? Labels of a model, or of anybody else, against the judgments of people.

`assess` compares sets of labels with the judgments of people: how well they agree, where the labels are
biased, how they rank the runs, and how many judgments of people they save. `followers` finds the workers
whose numbers follow stored labels more than those of others do.
"""

from .assessing import assess
from .assessment import Assessment
from .following import followers

__all__ = ["Assessment", "assess", "followers"]
