"""All invariants, in the order in which they are looked through."""

from judging.integrity import answers, attempts, belonging, events, units
from judging.integrity.rules import Invariant

INVARIANTS: tuple[Invariant, ...] = (
    *belonging.INVARIANTS,
    *units.INVARIANTS,
    *attempts.INVARIANTS,
    *answers.INVARIANTS,
    *events.INVARIANTS,
)
