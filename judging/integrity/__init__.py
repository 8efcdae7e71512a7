"""What must be true of the data whatever happened to the site: after a crash, a restore, any load.

The database holds each row to its constraints; what joins several rows, only the services keep. Here it is
said rule by rule, as rows that would break it, so that a whole site is looked through in a few queries.
"""

from judging.integrity import answers, attempts, belonging, events, units
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
    "units",
]
