"""The settings that say where a study's judgments come from, and what kind of numbers they are."""

from enum import StrEnum
from typing import Final

from judging.protocol.scales import DEFAULT, SCALES, only_from_files
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
    Setting(
        "scale",
        _("Scale"),
        "",
        Kind.CHOICE,
        default=DEFAULT,
        options=tuple(SCALES),
        extensible=True,
        option_help=tuple(scale.words.description for scale in SCALES.values()),
        later=True,
        more=" ".join(f'`"{name}"` needs `purpose = "analysis"`.' for name in only_from_files()),
        by_arm=True,
    ),
)
