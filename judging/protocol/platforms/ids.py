"""The ids that a crowd platform puts into its links."""

import re
from enum import StrEnum
from typing import Final

_PLACEHOLDER: Final = re.compile(r"\{\{.*\}\}|\$\{.*\}|\{%.*%\}|^\{.*\}$|^\[.*\]$|^<.*>$|^%.+%$")


class IdFault(StrEnum):
    """Why the ids in a platform's link do not say who comes."""

    MISSING = "missing"
    PLACEHOLDER = "placeholder"


def id_fault(platform_id: str, submission_id: str) -> IdFault | None:
    """Return what is wrong with the ids of a link, None if a worker can be paid by them.

    A visit's id may be missing, but not be a placeholder: the platform would have filled in that one too.
    """
    if not platform_id:
        return IdFault.MISSING
    if is_placeholder(platform_id) or is_placeholder(submission_id):
        return IdFault.PLACEHOLDER
    return None


def is_placeholder(text: str) -> bool:
    """Return whether a text is what platforms replace by an id, such as `{{%PROLIFIC_PID%}}` or `${id}`."""
    return _PLACEHOLDER.search(text) is not None
