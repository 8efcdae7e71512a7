"""Rules that the data must always follow, even after a crash or a restore, or under high load.

Database constraints can check only single rows. For rules about several rows, the site depends on the
services. This package declares each of these rules as a query for the rows that break it. Checking a whole
site takes about one query per rule.
"""

from judging.integrity import answers, attempts, belonging, events, machines, sampling, units
from judging.integrity.rules import INVARIANTS, Breach, Invariant, breaches

__all__ = [
    "INVARIANTS",
    "Breach",
    "Invariant",
    "answers",
    "attempts",
    "belonging",
    "breaches",
    "events",
    "machines",
    "sampling",
    "units",
]
