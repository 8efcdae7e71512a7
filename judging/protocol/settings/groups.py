"""The groups of settings in forms. Each setting that a form shows names its group."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from judging.protocol.platforms import PLATFORMS
from judging.protocol.words import gettext_noop as _


@dataclass(frozen=True)
class Group:
    """A group of settings that forms show together.

    If `is_main` is true, forms always show the settings. Other groups are folded away while all their
    settings have their defaults. `is_used` returns whether a study uses these settings at all.
    """

    heading: str
    is_main: bool = False
    is_used: Callable[[Any], bool] = lambda study: True


STUDY: Final = Group(_("The study"), is_main=True)
DATES: Final = Group(_("Dates"))
TEXTS: Final = Group(_("Texts"), is_main=True)
DOCUMENTS: Final = Group(_("Documents"))
PROTOCOL: Final = Group(_("Protocol"), is_main=True)
UNITS: Final = Group(_("Units"), is_main=True)
RESERVATIONS: Final = Group(_("How workers get units"))
ANSWERS: Final = Group(_("How workers answer"))
RESULTS: Final = Group(_("Results"), is_main=True)
ADAPTIVE: Final = Group(_("Adaptive studies"), is_used=lambda study: study.allocation == "adaptive")
SAMPLE: Final = Group(_("Sample of the pool"))
CHECKS: Final = Group(_("Checks"), is_main=True)
CHECK_DETAILS: Final = Group(_("Details of the checks"))
GUESSING: Final = Group(_("Workers who seem to guess"))
PRACTICE: Final = Group(_("Practice and questions"))
PAY: Final = Group(_("Pay"), is_main=True)
FURTHER_PAY: Final = Group(_("Limits of pay, and pay for units that are not completed"))
MACHINES: Final = Group(_("Machine judges"))
PLATFORM: Final = Group(_("Platform"), is_main=True)
LINKS: Final = Group(
    _("Links, codes and fee of the platform"), is_used=lambda study: PLATFORMS[study.platform].is_external
)
