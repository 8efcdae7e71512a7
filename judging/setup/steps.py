"""The steps of a set-up, and the step at which a problem can be fixed."""

from typing import Final

from judging.protocol.settings import (
    CHECKS,
    DOCUMENTS,
    PAY,
    PLATFORM,
    PRESET,
    SAMPLING,
    SCALE,
    SLUG,
    STUDY,
    TEXTS,
    UNITS,
    Group,
    Setting,
)
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.study_values import TOPIC

STEPS: Final = (
    ("study", _("The study")),
    ("texts", _("Texts")),
    ("files", _("Files and pool")),
    ("topics", _("Topics and questions")),
    ("anchors", _("Anchors")),
    ("terms", _("Units, checks and pay")),
)
SECTIONS: Final[dict[str, tuple[Setting, ...]]] = {
    "study": (STUDY[0], SLUG, *STUDY[1:]),
    "texts": (*TEXTS, *DOCUMENTS),
    "terms": (*PRESET, *SCALE, *UNITS, *SAMPLING, *CHECKS, *PAY, *PLATFORM),
}
"""Maps each step that is a form of settings to these settings."""
_STEP_OF_TABLE: Final = {"topic": "topics", "question": "topics", "anchor": "anchors", "document": "anchors"}
"""Maps each table of a topic in the study file to the step at which its problems can be fixed."""


def groups_of(section: str) -> dict[Group, list[Setting]]:
    """Return the settings of a step by their groups, in the order of the form."""
    groups: dict[Group, list[Setting]] = {}
    for setting in SECTIONS[section]:
        if setting.group is not None:
            groups.setdefault(setting.group, []).append(setting)
    return groups


def step_of(place: str, field: str) -> str:
    """Return the step at which a problem can be fixed.

    `place` is a topic, a file, or empty: see `Places`.
    """
    table = field.partition(".")[0]
    if place.startswith(TOPIC):
        return _STEP_OF_TABLE.get(table, "topics")
    if place:
        return "files"
    sections = (
        step for step in SECTIONS if any(field in (setting.name, setting.key) for setting in SECTIONS[step])
    )
    return next(sections, _STEP_OF_TABLE.get(table, "files"))
