"""The ids that a crowd platform puts into its links, and the settings of a study that they depend on."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

PLATFORM_KEYS: Final = (
    "id_parameter",
    "submission_parameter",
    "completion_url",
    "no_work_url",
    "screen_out_url",
)
"""The settings of a study that only count with the platform "generic"."""
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


def ignored_keys(settings: Mapping[str, Any]) -> list[str]:
    """Return the keys that are set for a crowd platform although the study says that it has none.

    Workers of such a study would come with ids that nobody stores, so nobody could pay them.
    """
    if settings["platform"] != "direct":
        return []
    return [key for key in PLATFORM_KEYS if settings[key]]
