"""Entries of the audit log, of a study or of the whole site, and what they say in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from judging.models import AuditEntry, Study

COMMAND_LINE = "the command line"
_CHANGE: Final = ("before", "after")
_LONG: Final = 60
"""Longer values are folded away."""


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


def in_words(detail: Mapping[str, object]) -> str:
    """What an entry holds beside its verb and changes: `name: value`, and nothing of what is empty."""
    empty: tuple[object, ...] = (None, "", [], {})
    shown = {name: value for name, value in detail.items() if name not in _CHANGE and value not in empty}
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
