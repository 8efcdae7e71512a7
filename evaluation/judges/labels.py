"""The labels of several judges, by the judges' names."""

from collections.abc import Mapping
from typing import Final

from ..distances.ratings import Ratings
from ..errors import InputError, shown
from ..labels import labels_of
from ..sources import Source

PEOPLE: Final = "people"
"""How tables call people. No judge has this name."""
ALL: Final = "all"
"""How tables call all sets of labels together. No judge has this name."""


def named_labels(sources: Mapping[str, Source]) -> dict[str, Ratings]:
    """Return the sets of labels by the names of their judges.

    Raise `InputError` if there are none, for a name that tables use for something else, and as `labels_of`.
    """
    if not sources:
        raise InputError("no-labels", "there is no set of labels; give at least one")
    for name in sources:
        if name in (PEOPLE, ALL, ""):
            raise InputError(
                "judge-name-reserved",
                "a judge cannot have the name {name}; give it another one",
                name=shown(name),
            )
    return {name: labels_of(source) for name, source in sources.items()}
