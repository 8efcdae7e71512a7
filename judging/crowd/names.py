"""The names of the crowds, and their labels on the pages of the site."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.crowds import CROWDS, TYPICAL, Crowd
from judging.core.services.errors import RefusedError

DEFAULT: Final = TYPICAL.name
LABELS: Final = {
    "careful": gettext_lazy("Careful crowd"),
    "typical": gettext_lazy("Typical crowd"),
    "poor": gettext_lazy("Poor crowd"),
}
"""Maps each name in `evaluation.crowds.CROWDS` to its label."""


def crowd_named(name: str) -> Crowd:
    """Return the crowd with this name, or raise RefusedError if there is none."""
    if name not in CROWDS:
        raise RefusedError(
            _("There is no crowd named {name}. Choose from these: {crowds}.").format(
                name=name, crowds=", ".join(CROWDS)
            )
        )
    return CROWDS[name]
