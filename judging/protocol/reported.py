"""Why a worker cannot judge a document."""

from enum import StrEnum
from typing import Final

from judging.protocol.words import gettext_noop as _


class Fault(StrEnum):
    BROKEN = "broken"
    LANGUAGE = "language"
    OTHER = "other"


FAULTS: Final = {
    Fault.BROKEN: _("The text is broken, or part of it is missing."),
    Fault.LANGUAGE: _("The text is in a language that I do not read."),
    Fault.OTHER: _("Something else is wrong with the document."),
}
"""Maps each fault to the sentence that workers choose."""
