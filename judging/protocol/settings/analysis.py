"""The settings that say where a study's judgments come from, and what kind of numbers they are."""

from enum import StrEnum
from typing import Final

from judging.protocol.settings.base import Kind, Setting
from judging.protocol.words import gettext_noop as _


class Purpose(StrEnum):
    """What a study is for."""

    JUDGING = "judging"
    """Workers judge documents on this site."""
    ANALYSIS = "analysis"
    """The judgments come from a file, and the study is closed to workers."""


class Scale(StrEnum):
    """What kind of numbers the judgments are."""

    MAGNITUDE = "magnitude"
    RATING = "rating"
    """Numbers of 0 or more on a scale that all workers share, such as 0 to 3 or 0 to 100."""


ANALYSIS: Final = (
    Setting(
        "purpose",
        _("Purpose"),
        _("judging: workers judge documents here. analysis: the judgments come from a file."),
        Kind.CHOICE,
        default=Purpose.JUDGING.value,
        options=tuple(purpose.value for purpose in Purpose),
        later=True,
        more="See [`[judgments]`](#judgments).",
    ),
    Setting(
        "scale",
        _("Scale"),
        _(
            "magnitude: any positive numbers; their ratios matter. rating: numbers from 0 to 1000 on a "
            "scale that all workers share, such as 0 to 3 or 0 to 100."
        ),
        Kind.CHOICE,
        default=Scale.MAGNITUDE.value,
        options=tuple(scale.value for scale in Scale),
        later=True,
        more='`"rating"` needs `purpose = "analysis"`.',
    ),
)
