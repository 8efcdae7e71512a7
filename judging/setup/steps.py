"""The steps of a set-up, and at which of them a fault can be mended."""

from typing import Final

from judging.core.intake.study_values import TOPIC
from judging.protocol.settings import (
    CHECKS,
    DOCUMENTS,
    PAY,
    PLATFORM,
    SLUG,
    STUDY,
    TEXTS,
    UNITS,
    Setting,
)

STEPS: Final = (
    ("study", "The study"),
    ("texts", "Texts"),
    ("files", "Files and pool"),
    ("topics", "Topics and questions"),
    ("anchors", "Anchors"),
    ("terms", "Units, checks, pay"),
)
SECTIONS: Final[dict[str, dict[str, tuple[Setting, ...]]]] = {
    "study": {"The study": (STUDY[0], SLUG, *STUDY[1:])},
    "texts": {"Texts": TEXTS, "Documents": DOCUMENTS},
    "terms": {"Units": UNITS, "Checks": CHECKS, "Pay": PAY, "Platform": PLATFORM},
}
"""Step that is a form of settings → heading → its settings."""
_OF_TOPICS: Final = {"topic": "topics", "question": "topics", "anchor": "anchors", "document": "anchors"}
"""Table that a fault at a topic is about → its step."""


def settings_of(section: str) -> list[Setting]:
    """Return the settings of a step."""
    return [setting for settings in SECTIONS[section].values() for setting in settings]


def step_of(place: str, field: str) -> str:
    """Return the step at which a fault can be mended; `place` is a topic, a file, or empty (see `Places`)."""
    first = field.partition(".")[0]
    if place.startswith(TOPIC):
        return _OF_TOPICS.get(first, "topics")
    if place:
        return "files"
    sections = (step for step in SECTIONS if any(field in (one.name, one.key) for one in settings_of(step)))
    return next(sections, _OF_TOPICS.get(first, "files"))
