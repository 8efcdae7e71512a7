"""The single values of a study file as form fields show them, and what was typed as a value.

What does not fit is kept as it was typed: the intake then says what is wrong with it, as of any study file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from judging.intake.drafting import Values
from judging.intake.study_file import SHIPPED
from judging.protocol.layout import Layout

TEXT, LONG, NUMBER, MONEY, CHOICE, MOMENT = "text", "long", "number", "money", "choice", "moment"


@dataclass(frozen=True)
class Field:
    """One key of the study file; `table` is empty at its top. Forms and faults name it `table.key`."""

    key: str
    label: str
    table: str = ""
    kind: str = TEXT
    hint: str = ""
    default: str = ""
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.table}.{self.key}" if self.table else self.key


def shown(field: Field, values: Values) -> str:
    """What the field holds, as text to type again; empty where the file does not have it."""
    table = values.get(field.table, {}) if field.table else values
    if not isinstance(table, Mapping) or field.key not in table:
        return shipped(field, values) if field.kind == LONG else ""
    value = table[field.key]
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if value.tzinfo else f"{value:%Y-%m-%d %H:%M}"
    return value if isinstance(value, str) else str(value)


def take(field: Field, typed: str, values: Values) -> None:
    """Put what was typed into the values; an empty field takes its key away."""
    typed = typed.replace("\r\n", "\n").strip()
    table = values
    if field.table:
        found = values.setdefault(field.table, {})
        if not isinstance(found, dict):
            return
        table = found
    if not typed or (field.kind == LONG and typed == shipped(field, values)):
        table.pop(field.key, None)
    else:
        table[field.key] = _value(field, typed)
    if field.kind == LONG:
        values.pop(f"{field.key}_file", None)
    if field.table and not table:
        del values[field.table]


def shipped(field: Field, values: Values) -> str:
    """The text that the field has by default, such as the instructions that come with the software."""
    path = SHIPPED / f"{field.key}.md"
    if field.kind != LONG or not path.exists():
        return ""
    units = values.get("units")
    size = units.get("unit_size", 8) if isinstance(units, dict) else 8
    return path.read_text(encoding="utf-8").strip().replace("{unit_size}", str(size))


def _value(field: Field, typed: str) -> Any:
    if field.kind == NUMBER:
        return as_number(typed)
    if field.kind == MOMENT:
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


STUDY: Final = (
    Field("title", "Title", hint="What workers see above every page; up to 200 characters."),
    Field("slug", "Name in addresses", hint="Letters, digits, - and _; workers come to /s/NAME/."),
    Field("requester", "Who asks", hint="As the workers are told."),
    Field("contact", "Contact", hint="Where workers can write, such as an e-mail address."),
    Field(
        "seed", "Seed", kind=NUMBER, default="0", hint="All draws follow from it: units, and drawn anchors."
    ),
    Field(
        "opens_at", "Opens at (UTC)", kind=MOMENT, hint="Such as 2030-01-31 12:00; empty: when you open it."
    ),
    Field("closes_at", "Closes at (UTC)", kind=MOMENT, hint="Empty: when you close it."),
)
TEXTS: Final = (
    Field(
        "information",
        "Information sheet",
        kind=LONG,
        hint="Who asks and why, what is to do, how long it takes, what is stored, how to stop.",
    ),
    Field("consent", "Consent", kind=LONG, hint="What the worker agrees to."),
    Field(
        "consent_version",
        "Version of the consent",
        default="1",
        hint="Change it with the text; it is stored.",
    ),
    Field(
        "instructions_magnitude",
        "Instructions on magnitudes",
        kind=LONG,
        hint="What magnitude estimation is, before the practice.",
    ),
    Field(
        "instructions_task",
        "Instructions on the task",
        kind=LONG,
        hint="How documents are judged, before the topic.",
    ),
)
DOCUMENTS: Final = (
    Field(
        "layout",
        "Line breaks in documents",
        "documents",
        CHOICE,
        "paragraphs: only blank lines count. lines: every line break is kept, for poems and lists."
        " preformatted: every space too, for code and tables.",
        Layout.PARAGRAPHS.value,
        tuple(layout.value for layout in Layout),
    ),
)
UNITS: Final = (
    Field("unit_size", "Documents in a unit", "units", NUMBER, "The two anchors are among them.", "8"),
    Field(
        "judgments_per_document",
        "Judgments per document",
        "units",
        NUMBER,
        "Each document gets at least so many.",
        "10",
    ),
    Field(
        "lapse_minutes", "Minutes until a unit lapses", "units", NUMBER, "Left so long, it goes back.", "60"
    ),
    Field(
        "reservations_per_address",
        "Units held from one address",
        "units",
        NUMBER,
        "Workers on one network, such as a class, may hold this many units at once.",
        "60",
    ),
    Field(
        "topic_choice",
        "Next topic",
        "units",
        CHOICE,
        "Likelier where most units are left, or all alike.",
        "weighted",
        ("weighted", "uniform"),
    ),
)
CHECKS: Final = (
    Field("seconds_per_document", "Least seconds on a document", "checks", NUMBER, "Check (d).", "20"),
    Field(
        "anchor_ties", "Equal numbers for H and N", "checks", CHOICE, "Check (c).", "fail", ("fail", "pass")
    ),
    Field(
        "check_attempts",
        "Failed finishes",
        "checks",
        NUMBER,
        "Then the unit is over; or write unlimited.",
        "3",
    ),
    Field("practice_attempts", "Tries at the practice", "checks", NUMBER, "Check (a).", "3"),
    Field("comprehension_attempts", "Wrong answers", "checks", NUMBER, "Check (b), over all topics.", "3"),
    Field(
        "visit_minutes",
        "Most minutes of a visit",
        "checks",
        NUMBER,
        "The most that one stretch counts.",
        "15",
    ),
)
PAY: Final = (
    Field("pay_per_unit", "Pay for a unit", "pay", MONEY, "Two decimals at most.", "0.00"),
    Field("pay_screened_out", "Pay if screened out", "pay", MONEY, "When the tries are used up.", "0.00"),
    Field(
        "pay_cancelled", "Pay for a cancelled unit", "pay", MONEY, "When a forced closing takes it.", "0.00"
    ),
    Field("currency", "Currency", "pay", TEXT, "Three capital letters.", "USD"),
    Field(
        "expected_minutes",
        "Minutes for a unit",
        "pay",
        NUMBER,
        "As workers are told; measure it in a pilot.",
        "10",
    ),
)
PLATFORM: Final = (
    Field(
        "platform",
        "Platform",
        "platform",
        CHOICE,
        "A plain link, or a crowd platform's.",
        "direct",
        ("direct", "generic"),
    ),
    Field(
        "entry",
        "Who may begin",
        "platform",
        CHOICE,
        "Whoever has the link; with direct, who has a personal one; with generic, who comes by a signed one.",
        "open",
        ("open", "invite", "signed"),
    ),
    Field("id_parameter", "Parameter with the worker’s id", "platform", TEXT, "Needed with generic."),
    Field("submission_parameter", "Parameter with the visit’s id", "platform"),
    Field("completion_url", "Address after a unit", "platform", TEXT, "May hold {code} and {submission}."),
    Field("no_work_url", "Address without work", "platform"),
    Field("screen_out_url", "Address if screened out", "platform"),
    Field(
        "platform_fee",
        "The platform’s fee, per cent",
        "platform",
        MONEY,
        "On top of all pay, in per cent of it, such as 33.33.",
        "0.00",
    ),
)
SECTIONS: Final[dict[str, dict[str, tuple[Field, ...]]]] = {
    "study": {"The study": STUDY},
    "texts": {"Texts": TEXTS, "Documents": DOCUMENTS},
    "terms": {"Units": UNITS, "Checks": CHECKS, "Pay": PAY, "Platform": PLATFORM},
}
"""Section → heading → its fields."""
