"""What must be true of the data whatever happened to the site: after a crash, a restore, any load.

The database holds each row to its constraints; what joins several rows, only the services keep. Here it is
said rule by rule, as rows that would break it, so that a whole site is looked through in a few queries.
"""

from judging.integrity.rules import Breach, Invariant, breaches
from judging.integrity.table import INVARIANTS

__all__ = ["INVARIANTS", "Breach", "Invariant", "breaches"]
