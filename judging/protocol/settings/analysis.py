"""The setting that says where a study's judgments come from."""

from enum import StrEnum
from typing import Final

from judging.protocol.settings.setting import Kind, Setting
from judging.protocol.words import gettext_noop as _


class Purpose(StrEnum):
    """What a study is for."""

    JUDGING = "judging"
    """Workers judge documents on this site."""
    ANALYSIS = "analysis"
    """The judgments come from a file, and the study is closed to workers."""


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
)
