"""The settings of a study. Parsers, forms, files, bundles and the documentation use these declarations.

To add a setting, declare it in the module for its subject, and add the field to the model `Study` with a
migration.
"""

from collections.abc import Iterator
from typing import Final

from judging.protocol.settings.analysis import ANALYSIS, Purpose
from judging.protocol.settings.base import UNLIMITED, Change, Kind, Pattern, Setting
from judging.protocol.settings.checks import CHECKS, EARLY_NEXT, FAILURE_MESSAGES
from judging.protocol.settings.documents import DOCUMENTS
from judging.protocol.settings.pay import PAY
from judging.protocol.settings.platform import PLATFORM
from judging.protocol.settings.study import SLUG, STUDY
from judging.protocol.settings.texts import TEXTS
from judging.protocol.settings.units import ALLOCATIONS, ANCHORS_PER_UNIT, NUMBERS, SHOW_PREVIOUS, UNITS

__all__ = [
    "ALLOCATIONS",
    "ANALYSIS",
    "ANCHORS_PER_UNIT",
    "CHECKS",
    "DOCUMENTS",
    "EARLY_NEXT",
    "FAILURE_MESSAGES",
    "NUMBERS",
    "PAY",
    "PLATFORM",
    "SETTINGS",
    "SHOW_PREVIOUS",
    "SLUG",
    "STUDY",
    "TABLES",
    "TEXTS",
    "UNITS",
    "UNLIMITED",
    "Change",
    "Kind",
    "Pattern",
    "Purpose",
    "Setting",
    "markdown",
]

SETTINGS: Final = {
    setting.key: setting
    for setting in (*STUDY, *ANALYSIS, *TEXTS, *UNITS, *CHECKS, *PAY, *PLATFORM, *DOCUMENTS)
}
"""Maps the key of each setting to the setting, in the order of the study file."""
TABLES: Final = tuple(dict.fromkeys(setting.table for setting in SETTINGS.values()))
"""The tables of the study file that contain settings; the empty name stands for the top of the file."""


def markdown(table: str) -> Iterator[str]:
    """Yield the lines of Markdown that document the settings in one table of the study file."""
    yield "| key | type | default | meaning | may change |\n|---|---|---|---|---|\n"
    for setting in (SLUG, *SETTINGS.values()):
        if setting.table == table:
            meaning = " ".join(part for part in (setting.meaning, setting.more) if part)
            cells = (setting.type_in_docs(), setting.default_in_docs(), meaning, setting.change)
            yield f"| `{setting.key}` | {' | '.join(cells)} |\n"
