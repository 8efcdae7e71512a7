"""The names of arms: the scales, or other settings, that a study compares side by side."""

import re
from typing import Final

from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

LONGEST_ARM: Final = 20
_NAME: Final = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")


def arm_name_fault(name: str) -> Sentence | None:
    """Return why a text cannot be the name of an arm, or None. The name ends the address of the arm."""
    if _NAME.fullmatch(name) and len(name) <= LONGEST_ARM:
        return None
    text = _(
        "The name of an arm is part of its web address. Use up to {number} letters and digits, with single"
        " hyphens between them."
    )
    return Sentence(text, {"number": LONGEST_ARM})


def arm_slug(front: str, name: str) -> str:
    """Return the slug of a further arm. The first arm has the slug of the study."""
    return f"{front}-{name}"
