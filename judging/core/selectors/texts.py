"""The texts of a study that workers read: fill in their fields, and find what is unfinished in them."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext, override
from django.utils.translation import gettext as _

from judging.models import Study
from judging.protocol.placeholders import placeholders_in
from judging.protocol.settings import TEXTS, Kind
from judging.protocol.text_fields import TEXT_FIELDS, fields_in, replace_fields

_MARKUP: Final = re.compile(r"[\\`*_\[\]<>&#|~]|^[-+=]|(?<=\d)[.)]")
"""What Markdown could take for its own signs in a line of plain text."""


@dataclass(frozen=True)
class TextFault:
    """Why the study cannot open with a text. `key` is the setting that holds the text.

    `summary` says it in a few words for a list of steps. `sentence` also says how to correct it. Both are in
    the active language.
    """

    key: str
    summary: str
    sentence: str


def fill_fields(text: str, study: Study, *arms: Study) -> str:
    """Return a text in Markdown with its fields filled in from the study's settings.

    Numbers are in the format of the study's language. If further arms show the same text, a field shows the
    range of their values. Unknown fields, and fields without a value, stay as they are.
    """

    def as_markdown(name: str) -> str | None:
        value = _range(name, study, *arms)
        if value is None or TEXT_FIELDS[name].setting.is_number:
            return value
        return _MARKUP.sub(r"\\\g<0>", value)

    return replace_fields(text, as_markdown)


def _range(name: str, *studies: Study) -> str | None:
    """Return what workers read instead of a field if they do not know their arm yet."""
    least, most = (choose(studies, key=lambda study: _sortable(name, study)) for choose in (min, max))
    lowest, highest = field_value(name, least), field_value(name, most)
    if lowest is None or highest is None or lowest == highest:
        return highest
    with override(studies[0].language):
        return _("{lowest} to {highest}").format(lowest=lowest, highest=highest)


def _sortable(name: str, study: Study) -> Decimal:
    field = TEXT_FIELDS.get(name)
    return Decimal(getattr(study, field.key) or 0) if field and field.setting.is_number else Decimal(0)


def field_value(name: str, study: Study) -> str | None:
    """Return what workers read instead of a field.

    Return None if the field is unknown, or if its setting is empty or 0.
    """
    field = TEXT_FIELDS.get(name)
    value = getattr(study, field.key) if field else None
    if field is None or not value:
        return None
    if not field.setting.is_number:
        return str(value)
    with override(study.language):
        if field.setting.kind == Kind.AMOUNT:
            return f"{number_format(Decimal(value), 2, force_grouping=True)} {study.currency}"
        return number_format(value, force_grouping=True)


def unfinished_texts(study: Study) -> list[TextFault]:
    """Return what is wrong with the texts for workers: placeholders, and fields that cannot be filled in."""
    return [
        fault
        for setting in TEXTS
        if setting.kind == Kind.MARKDOWN
        for fault in _faults_in(setting.key, gettext(setting.label), study)
    ]


def _faults_in(key: str, label: str, study: Study) -> list[TextFault]:
    text = getattr(study, key)
    faults = []
    if placeholders := placeholders_in(text):
        sentence = _(
            "“{label}” ({key}) still has the placeholder {placeholder}. Replace it with your own words. "
            "Write other remarks in round brackets."
        )
        summary = _("“{label}” has a placeholder").format(label=label)
        faults.append(
            TextFault(key, summary, sentence.format(label=label, key=key, placeholder=placeholders[0]))
        )
    for name in fields_in(text):
        if field_value(name, study) is None:
            faults.append(_field_fault(key, label, name))
    return faults


def _field_fault(key: str, label: str, name: str) -> TextFault:
    field, written = TEXT_FIELDS.get(name), f"{{{name}}}"
    if field is None:
        sentence = _(
            "“{label}” ({key}) has the unknown field {field}. Use only these: {known}. To show workers a"
            " word in braces, write a backslash before it: {escaped}."
        ).format(
            label=label,
            key=key,
            field=written,
            known=", ".join(field.written for field in TEXT_FIELDS.values()),
            escaped=f"\\{written}",
        )
        return TextFault(
            key, _("“{label}” has the unknown field {field}").format(label=label, field=written), sentence
        )
    setting = gettext(field.setting.label)
    sentence = _(
        "“{label}” ({key}) has the field {field}, but “{setting}” ({setting_key}) is empty or 0. Set it, or"
        " remove the field from the text."
    ).format(label=label, key=key, field=written, setting=setting, setting_key=field.key)
    summary = _("“{label}” needs “{setting}”, because of {field}").format(
        label=label, setting=setting, field=written
    )
    return TextFault(key, summary, sentence)
