"""The outcome of a form that a worker sent."""

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    MOVED = "moved"
    """The form was applied, now or before. Go to the current step."""
    INVALID = "invalid"
    """Show the page again, with what the worker typed and a message for each field."""
    UNCHANGED = "unchanged"
    """The unit is as it was at the last failed attempt, so no check was run."""
    STALE = "stale"
    """An old form with different content. Nothing was overwritten. Show what the worker typed."""


@dataclass(frozen=True)
class Outcome:
    kind: Kind
    faults: dict[str, str] = field(default_factory=dict)
    position: int | None = None
    """The position of the document to show next, if the worker stays in the unit."""


MOVED = Outcome(Kind.MOVED)
UNCHANGED = Outcome(Kind.UNCHANGED)
STALE = Outcome(Kind.STALE)


def moved_to(position: int) -> Outcome:
    return Outcome(Kind.MOVED, position=position)


def invalid(**faults: str) -> Outcome:
    return Outcome(Kind.INVALID, faults)
