"""Whether the data is whole after whatever a test did."""

from judging.integrity import INVARIANTS, breaches
from judging.models import Study


def broken_invariants(study: Study) -> list[str]:
    """A line for each invariant broken in the study; none is how it should be."""
    return [str(breach) for breach in breaches(INVARIANTS, study)]
