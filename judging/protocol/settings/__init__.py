"""The settings of a study. Parsers, forms, files, bundles and the documentation use these declarations.

To add a setting, declare it in the module for its subject, and add the field to the model `Study` with a
migration. A package of your own announces a `Setting` by an entry point in the group `plumbline.settings`. It
needs no field and no migration.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from judging.protocol.declared import by_name, installed
from judging.protocol.presets import PRESETS
from judging.protocol.settings.analysis import ANALYSIS, Purpose
from judging.protocol.settings.checks import CHECKS, EARLY_NEXT, FAILURE_MESSAGES
from judging.protocol.settings.groups import Group
from judging.protocol.settings.pay import PAY
from judging.protocol.settings.platform import PLATFORM
from judging.protocol.settings.sampling import SAMPLING
from judging.protocol.settings.scale import SCALE
from judging.protocol.settings.setting import UNLIMITED, Change, Kind, Pattern, Setting
from judging.protocol.settings.shown_documents import DOCUMENTS
from judging.protocol.settings.study import PRESET, SLUG, STUDY
from judging.protocol.settings.texts import TEXTS
from judging.protocol.settings.units import ALLOCATIONS, NUMBERS, SHOW_PREVIOUS, UNITS

__all__ = [
    "ALLOCATIONS",
    "ANALYSIS",
    "CHECKS",
    "DOCUMENTS",
    "EARLY_NEXT",
    "FAILURE_MESSAGES",
    "NUMBERS",
    "PAY",
    "PLATFORM",
    "PRESET",
    "SAMPLING",
    "SCALE",
    "SETTINGS",
    "SHOW_PREVIOUS",
    "SLUG",
    "STUDY",
    "TABLES",
    "TEXTS",
    "UNITS",
    "UNLIMITED",
    "Change",
    "Group",
    "Kind",
    "Pattern",
    "Purpose",
    "Setting",
    "arms_markdown",
    "departures",
    "markdown",
    "presets_markdown",
    "settings_with",
]

_OWN: Final = (
    *STUDY,
    *PRESET,
    *ANALYSIS,
    *SCALE,
    *TEXTS,
    *UNITS,
    *SAMPLING,
    *CHECKS,
    *PAY,
    *PLATFORM,
    *DOCUMENTS,
)
_FURTHER: Final = [replace(setting, package=True, later=True) for setting in installed("settings", Setting)]
_BY_KEY: Final = by_name([*_OWN, *_FURTHER], lambda setting: setting.key)
SETTINGS: Final = {setting.key: _BY_KEY[setting.key] for setting in (*_OWN, *_FURTHER)}
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
            yield f"| `{setting.written_key}` | {' | '.join(cells)} |\n"


def arms_markdown() -> Iterator[str]:
    """Yield the lines of a Markdown table with the settings that can differ between the arms of a study."""
    yield "| key | table |\n|---|---|\n"
    for setting in SETTINGS.values():
        if setting.by_arm:
            yield f"| `{setting.written_key}` | {f'`[{setting.table}]`' if setting.table else ''} |\n"


def settings_with(preset: str) -> dict[str, Setting]:
    """Return `SETTINGS` with the values of a preset as defaults. Other settings keep their own defaults."""
    values = PRESETS[preset].values
    return {
        key: replace(setting, default=values[key], source="") if key in values else setting
        for key, setting in SETTINGS.items()
    }


def departures(study: Any) -> list[Setting]:
    """Return the settings of a study whose values are not those of its preset."""
    values = PRESETS[study.preset].values
    return [SETTINGS[key] for key, value in values.items() if getattr(study, key) != value]


def presets_markdown() -> Iterator[str]:
    """Yield the lines of a Markdown table with each setting that a preset sets, and its values."""
    presets = [preset for preset in PRESETS.values() if preset.values]
    keys = [key for key in SETTINGS if any(key in preset.values for preset in presets)]
    yield f"| key | default | {' | '.join(f'`{preset.name}`' for preset in presets)} |\n"
    yield f"|---|---|{'---|' * len(presets)}\n"
    for key in keys:
        defaults = [SETTINGS[key], *(settings_with(preset.name)[key] for preset in presets)]
        yield f"| `{key}` | {' | '.join(f'`{setting.shown_default}`' for setting in defaults)} |\n"
