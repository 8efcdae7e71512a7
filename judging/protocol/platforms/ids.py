"""The ids in the links of a crowd platform."""

import re
from enum import StrEnum
from typing import Final

_PLACEHOLDER: Final = re.compile(r"\{\{.*\}\}|\$\{.*\}|\{%.*%\}|^\{.*\}$|^\[.*\]$|^<.*>$|^%.+%$")


class IdFault(StrEnum):
    """Why the ids in a platform's link do not identify the worker."""

    MISSING = "missing"
    PLACEHOLDER = "placeholder"


def id_fault(platform_id: str, submission_id: str) -> IdFault | None:
    """Return the problem with the ids of a link, or None if they can be used to pay the worker.

    The id of the visit can be missing. If one of the ids is still a placeholder, the platform did not fill in
    the ids.
    """
    if not platform_id:
        return IdFault.MISSING
    if is_placeholder(platform_id) or is_placeholder(submission_id):
        return IdFault.PLACEHOLDER
    return None


def is_placeholder(text: str) -> bool:
    """Return whether a string is a placeholder for an id, such as `{{%PROLIFIC_PID%}}` or `${id}`."""
    return _PLACEHOLDER.search(text) is not None
