"""Read the audit log of a study or of the whole site, and format the details of the entries as text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext

from judging.models import AuditEntry, Study
from judging.people.selectors.verbs import label_of_detail
from judging.protocol.words import gettext_noop

COMMAND_LINE: Final = gettext_noop("the command line")
_CHANGE: Final = ("before", "after")
_LONG: Final = 60
"""The maximum length of a value that the page shows in full, in characters. Longer values are folded."""


@dataclass(frozen=True)
class Change:
    """The old and new value of a field. `name` is "" if the entry does not name the field."""

    name: str
    before: str
    after: str

    @property
    def is_long(self) -> bool:
        """Return whether the old or the new value is so long that the page collapses both."""
        return any(len(text) > _LONG or "\n" in text for text in (self.before, self.after))


def entries_of(study: Study | None) -> QuerySet[AuditEntry]:
    """Return the entries of a study. If `study` is None, return all, even those of deleted studies."""
    return AuditEntry.objects.filter(study=study) if study else AuditEntry.objects.all()


def actors_and_verbs(study: Study | None) -> tuple[list[str], list[str]]:
    """Return the sorted actor names and the sorted verbs of all entries. This takes one query."""
    pairs = set(entries_of(study).order_by().values_list("actor_name", "verb").distinct())
    actors = {actor or COMMAND_LINE for actor, verb in pairs}
    return sorted(actors), sorted({verb for actor, verb in pairs})


def facts_of(detail: Mapping[str, object]) -> str:
    """Return the details of an entry except its changes, as `name: value`. Leave out empty values."""
    empty: tuple[object, ...] = (None, "", [], {})
    facts = {name: value for name, value in detail.items() if name not in _CHANGE and value not in empty}
    return "; ".join(f"{gettext(label_of_detail(name))}: {_text(value)}" for name, value in facts.items())


def changes_of(detail: Mapping[str, object]) -> list[Change]:
    """Return the changes in the details of an entry, field by field."""
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
    return gettext("nothing") if value in (None, "") else _text(value)


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
