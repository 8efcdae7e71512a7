"""The single values of a study file as form fields show them, and what was typed as a value.

What does not fit is kept as it was typed: the intake then says what is wrong with it, as of any study file.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from judging.intake.drafting import Values
from judging.intake.study_file import SHIPPED
from judging.protocol.settings import (
    CHECKS,
    DOCUMENTS,
    PAY,
    PLATFORM,
    SETTINGS,
    SLUG,
    STUDY,
    TEXTS,
    UNITS,
    Kind,
    Setting,
)


def shown(field: Setting, values: Values) -> str:
    """What the field holds, as text to type again; empty where the file does not have it."""
    table = values.get(field.table, {}) if field.table else values
    if not isinstance(table, Mapping) or field.key not in table:
        return shipped(field, values) if field.kind == Kind.MARKDOWN else ""
    value = table[field.key]
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if value.tzinfo else f"{value:%Y-%m-%d %H:%M}"
    return value if isinstance(value, str) else str(value)


def take(field: Setting, typed: str, values: Values) -> None:
    """Put what was typed into the values; an empty field takes its key away."""
    typed = typed.replace("\r\n", "\n").strip()
    table = values
    if field.table:
        found = values.setdefault(field.table, {})
        if not isinstance(found, dict):
            return
        table = found
    if not typed or (field.kind == Kind.MARKDOWN and typed == shipped(field, values)):
        table.pop(field.key, None)
    else:
        table[field.key] = _value(field, typed)
    if field.kind == Kind.MARKDOWN:
        values.pop(f"{field.key}_file", None)
    if field.table and not table:
        del values[field.table]


def shipped(field: Setting, values: Values) -> str:
    """The text that the field has by default, such as the instructions that come with the software."""
    path = SHIPPED / f"{field.key}.md"
    if field.kind != Kind.MARKDOWN or not path.exists():
        return ""
    units = values.get("units")
    default = SETTINGS["unit_size"].default
    size = units.get("unit_size", default) if isinstance(units, dict) else default
    return path.read_text(encoding="utf-8").strip().replace("{unit_size}", str(size))


def _value(field: Setting, typed: str) -> Any:
    if field.kind in (Kind.WHOLE, Kind.NUMBER):
        return as_number(typed)
    if field.kind == Kind.MOMENT:
        try:
            moment = datetime.fromisoformat(typed)
        except ValueError:
            return typed
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return typed


def as_number(typed: str) -> int | Decimal | str:
    """The number that was typed; the text itself where it is none."""
    if re.fullmatch(r"-?(0|[1-9]\d{0,18})", typed, re.ASCII):
        return int(typed)
    return Decimal(typed) if re.fullmatch(r"-?(0|[1-9]\d{0,18})\.\d{1,18}", typed, re.ASCII) else typed


SECTIONS: Final[dict[str, dict[str, tuple[Setting, ...]]]] = {
    "study": {"The study": (STUDY[0], SLUG, *STUDY[1:])},
    "texts": {"Texts": TEXTS, "Documents": DOCUMENTS},
    "terms": {"Units": UNITS, "Checks": CHECKS, "Pay": PAY, "Platform": PLATFORM},
}
"""Section → heading → its fields."""
