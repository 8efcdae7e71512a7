"""Entries of the audit log as the console lists them: of a study or of the whole site, the latest first."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final

from django.db.models import QuerySet, Value
from django.db.models.functions import Coalesce, NullIf

from judging.core.selectors.ordering import Sortable, by_columns
from judging.models import AuditEntry, Study

COMMAND_LINE = "the command line"
_CHANGE: Final = ("before", "after")
_LONG: Final = 60
"""Longer values are folded away."""


@dataclass(frozen=True)
class AuditFilter:
    """What is looked for; None and "" do not narrow. Both days are whole days in UTC and belong to it."""

    actor: str = ""
    verb: str = ""
    first_day: date | None = None
    last_day: date | None = None


@dataclass(frozen=True)
class AuditRow:
    """An entry in words. `actor` is the name as it was; `study` "" is the site."""

    at: datetime
    actor: str
    words: str
    details: str
    changes: list["Change"]
    study: str


@dataclass(frozen=True)
class Change:
    """What one field was and is now; `name` is "" where the entry is about one thing alone."""

    name: str
    before: str
    after: str

    @property
    def is_long(self) -> bool:
        """Whether the values need lines of their own."""
        return any(len(text) > _LONG or "\n" in text for text in (self.before, self.after))


def entries_of(study: Study | None) -> QuerySet[AuditEntry]:
    """The entries of one study; with None those of all studies, there still or not, and of the site."""
    return AuditEntry.objects.filter(study=study) if study else AuditEntry.objects.all()


def actors_and_verbs(study: Study | None) -> tuple[list[str], list[str]]:
    """Whoever is named, and whatever was done, each once and sorted; in one query."""
    pairs = set(entries_of(study).order_by().values_list("actor_name", "verb").distinct())
    actors = {actor or COMMAND_LINE for actor, _ in pairs}
    return sorted(actors), sorted({verb for _, verb in pairs})


SORTED_BY: Final[dict[str, Sortable]] = {
    "at": "pk",
    "actor": Coalesce(NullIf("actor_name", Value("")), Value(COMMAND_LINE)),
    "verb": "verb",
    "study": NullIf("study_slug", Value("")),
}
"""What a log may be sorted by; equal entries follow each other the latest first."""


def matching(
    study: Study | None, wanted: AuditFilter, *, sort: str = "at", descending: bool = True
) -> QuerySet[AuditEntry]:
    """The entries that meet all that is wanted, sorted by a key of `SORTED_BY`; the latest first."""
    conditions = {
        "actor_name": wanted.actor,
        "verb": wanted.verb,
        "at__gte": wanted.first_day and datetime.combine(wanted.first_day, time.min, UTC),
        "at__lte": wanted.last_day and datetime.combine(wanted.last_day, time.max, UTC),
    }
    narrowing: dict[str, object] = {field: value for field, value in conditions.items() if value}
    if wanted.actor == COMMAND_LINE:
        narrowing["actor_name"] = ""
    order = by_columns([SORTED_BY[sort]], descending=descending)
    return entries_of(study).filter(**narrowing).order_by(*order, "-pk")


def rows_of(entries: QuerySet[AuditEntry], start: int, stop: int) -> list[AuditRow]:
    """Some of these entries in their order, from place `start` up to `stop`; in one query."""
    return [
        AuditRow(
            entry.at,
            entry.actor_name or COMMAND_LINE,
            entry.verb.replace("_", " "),
            in_words({name: value for name, value in entry.detail.items() if name not in _CHANGE}),
            changes_of(entry.detail),
            entry.study_slug,
        )
        for entry in entries[start:stop]
    ]


def in_words(detail: Mapping[str, object]) -> str:
    """What an entry holds beside its verb: `name: value`, and nothing of what is empty."""
    shown = {name: value for name, value in detail.items() if value not in (None, "", [], {})}
    return "; ".join(f"{name.replace('_', ' ')}: {_text(value)}" for name, value in shown.items())


def changes_of(detail: Mapping[str, object]) -> list[Change]:
    """Return what an entry says to have changed, field by field."""
    before, after = (detail.get(name) for name in _CHANGE)
    if not (isinstance(before, Mapping) and isinstance(after, Mapping)):
        return [Change("", _value(before), _value(after))] if before or after else []
    names = sorted({*before, *after})
    return [
        Change(name, _value(before.get(name)), _value(after.get(name)))
        for name in names
        if before.get(name) != after.get(name)
    ]


def _value(value: object) -> str:
    return "nothing" if value in (None, "") else _text(value)


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
