"""Fields in texts for workers: words in braces, such as `{pay}`, that stand for settings of the study.

A text keeps its fields as they are. Each time somebody reads the text, the fields are filled in from the
current settings, so the text stays true when a setting changes. Only a single word in braces is a field. All
other braces are ordinary text, and so is a word in braces after a backslash: Markdown then hides the
backslash.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from judging.protocol.settings import SETTINGS, Setting
from judging.protocol.words import gettext_noop as _

_FIELD: Final = re.compile(r"(?<!\\)((?:\\\\)*)\{([^\W\d]\w*)\}")
"""The backslashes before a field, in pairs, and the name of the field."""


@dataclass(frozen=True)
class TextField:
    """A field in texts. `key` is the setting that fills it, and `meaning` says what workers then read."""

    name: str
    key: str
    meaning: str

    @property
    def written(self) -> str:
        """Return the field as a researcher writes it in a text."""
        return f"{{{self.name}}}"

    @property
    def setting(self) -> Setting:
        return SETTINGS[self.key]


TEXT_FIELDS: Final = {
    field.name: field
    for field in (
        TextField("pay", "pay_per_unit", _("the pay for a completed set, with the currency")),
        TextField("paid_within", "paid_within", _("the number of days until you pay")),
        TextField("minutes", "expected_minutes", _("the number of minutes that a set takes")),
        TextField("time_limit", "lapse_minutes", _("the number of minutes that workers have for a set")),
        TextField("documents", "unit_size", _("the number of documents in a set, with the anchors")),
        TextField("requester", "requester", _("the person or organisation that runs the study")),
        TextField("contact", "contact", _("what workers can use to contact you")),
    )
}
"""Maps the name of each field to the field."""


def fields_in(text: str) -> list[str]:
    """Return the names of the fields in a text, known or not, each once."""
    return list(dict.fromkeys(match[2] for match in _FIELD.finditer(text)))


def replace_fields(text: str, value_of: Callable[[str], str | None]) -> str:
    """Return the text with each field replaced by its value. A field whose value is None stays as it is."""

    def replaced(match: re.Match[str]) -> str:
        value = value_of(match[2])
        return match[0] if value is None else match[1] + value

    return _FIELD.sub(replaced, text)


def markdown() -> Iterator[str]:
    """Yield the lines of Markdown that document the fields."""
    yield "| field | workers read | setting |\n|---|---|---|\n"
    for field in TEXT_FIELDS.values():
        yield f"| `{field.written}` | {field.meaning} | `{field.key}` |\n"
