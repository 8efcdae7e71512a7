"""What became of a form that a worker sent."""

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    MOVED = "moved"
    """Done, or done before: on to the step that is current now."""
    INVALID = "invalid"
    """The page again, with what was typed and a message per field."""
    UNCHANGED = "unchanged"
    """Nothing changed since the last check: no check was run."""
    STALE = "stale"
    """An old form with other content: nothing was overwritten, what was typed is shown."""


@dataclass(frozen=True)
class Outcome:
    kind: Kind
    faults: dict[str, str] = field(default_factory=dict)
    in_unit: bool = False
    """Whether another document of the same unit is known to be the current step."""


MOVED = Outcome(Kind.MOVED)
MOVED_IN_UNIT = Outcome(Kind.MOVED, in_unit=True)
UNCHANGED = Outcome(Kind.UNCHANGED)
STALE = Outcome(Kind.STALE)


def invalid(**faults: str) -> Outcome:
    return Outcome(Kind.INVALID, faults)
