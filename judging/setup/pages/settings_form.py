"""The form of the settings at a step, made from their declarations and read as a study file is."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse_lazy

from judging.core.intake.faults import Faults, Where
from judging.core.intake.paths import Paths
from judging.core.intake.study_file import FieldReader, is_shipped, read_setting, shipped_text, slug_fault
from judging.core.intake.tables import Table
from judging.core.words import translated
from judging.models import Study
from judging.protocol.settings import SETTINGS, SLUG, TEXTS, UNLIMITED, Kind, Setting
from judging.protocol.words import Sentence
from judging.setup.pages.forms import SetupForm, plain
from judging.setup.steps import settings_of


class SettingsForm(SetupForm):
    """The settings of a step, each as it is declared; read by the reader of study files.

    The keys in `locked` cannot be changed by this person.
    """

    def __init__(
        self, section: str, study: Study, sent: QueryDict | None = None, *, locked: tuple[str, ...] = ()
    ) -> None:
        self.study = study
        self.settings = {
            setting.name: setting
            for setting in settings_of(section)
            if setting is not SLUG or study.changes_to_id is None
        }
        self.locked = locked
        super().__init__({name: shown(setting, study) for name, setting in self.settings.items()}, sent)
        self.fields = {name: _field(setting, locked) for name, setting in self.settings.items()} | self.fields

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = {"units": {"unit_size": self.study.unit_size}}
        for name, setting in self.settings.items():
            typed = plain(self.cleaned_data.get(name, ""))
            if typed:
                table = values.setdefault(setting.table, {}) if setting.table else values
                table[setting.key] = _value(setting, typed)
        read, faults = _read_settings(values)
        for field, sentence in faults:
            if field in self.settings:
                label, is_empty = self.settings[field].label, not plain(self.cleaned_data.get(field, ""))
                message = "This value is empty. Fill it in." if is_empty else translated(sentence)
                self.add_error(field, f"{label}: {message}")
        if SLUG.name in self.settings:
            self._check_slug(values.get(SLUG.key, ""))
        self.values = {
            setting.key: read[setting.key] for setting in self.settings.values() if setting is not SLUG
        }
        return self.cleaned_data

    def _check_slug(self, slug: str) -> None:
        if fault := slug_fault(slug):
            self.add_error(SLUG.name, f"{SLUG.label}: {translated(fault)}")
        elif Study.with_hidden.filter(slug=slug).exclude(pk=self.study.pk).exists():
            self.add_error(SLUG.name, f"There is a study named {slug} already. Choose another name.")

    @property
    def changed_locked(self) -> list[str]:
        """The labels of settings that were changed and may not be by this person."""
        return [
            setting.label
            for name, setting in self.settings.items()
            if setting.key in self.locked and plain(self.data.get(name, "")) != plain(self.stored[name])
        ]

    @property
    def changes_reading(self) -> bool:
        """Whether what was typed changes what the files are read as."""
        return any(
            self.values[key] != getattr(self.study, key) for key in ("seed", "layout") if key in self.values
        )

    def fill(self) -> Study:
        """Put what was typed into the study, as far as it is valid, without saving it."""
        self.is_valid()
        for name, setting in self.settings.items():
            if name not in self.errors and setting.key in self.values:
                setattr(self.study, setting.key, self.values[setting.key])
        return self.study

    def save(self) -> Study:
        self._follow_unit_size()
        study = self.fill()
        if SLUG.name in self.settings:
            study.slug = self.cleaned_data[SLUG.name].strip()
        study.save()
        return study

    def _follow_unit_size(self) -> None:
        """Let the instructions that come with the software name the new size of units."""
        before, after = self.study.unit_size, self.values.get("unit_size", self.study.unit_size)
        for setting in TEXTS if before != after else ():
            if is_shipped(setting.key, getattr(self.study, setting.key), before):
                setattr(self.study, setting.key, shipped_text(setting.key, after))


def _read_settings(values: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, Sentence]]]:
    """Read settings as those of a study file; the faults come with the names of their fields."""
    faults = Faults()
    top = Table(values, lambda path: Where(""), faults)
    reader = FieldReader(top, Paths(Path()))
    reader.read()
    reader.fields["layout"] = read_setting(SETTINGS["layout"], top.table("documents"))
    return reader.fields, [(fault.field, fault.sentence) for fault in faults.listed]


def shown(setting: Setting, study: Study) -> str:
    """Return what a setting holds, as text to type again; read anew, it is exactly the same."""
    value = getattr(study, setting.key)
    if value is None:
        return UNLIMITED if setting.unlimited else ""
    if isinstance(value, datetime):
        parts = "auto" if value.second or value.microsecond else "minutes"
        return value.astimezone(UTC).replace(tzinfo=None).isoformat(" ", parts)
    if isinstance(value, float):
        return f"{Decimal(repr(value)).normalize():f}"
    return str(value)


def _value(setting: Setting, typed: str) -> Any:
    """Return what was typed as a study file would have it; the text itself if it is nothing of the kind."""
    if setting.kind in (Kind.WHOLE, Kind.NUMBER):
        return as_number(typed)
    if setting.kind == Kind.MOMENT:
        try:
            moment = datetime.fromisoformat(typed)
        except ValueError:
            return typed
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return typed


def as_number(typed: str) -> int | Decimal | str:
    """Return the number that was typed, or the text itself."""
    if re.fullmatch(r"-?(0|[1-9]\d{0,18})", typed, re.ASCII):
        return int(typed)
    return Decimal(typed) if re.fullmatch(r"-?(0|[1-9]\d{0,18})\.\d{1,18}", typed, re.ASCII) else typed


class MarkdownField(forms.CharField):
    """A text that is shown as workers will see it while it is typed."""

    previewed = True

    def __init__(self, **options: Any) -> None:
        attrs = {"dir": "auto", "rows": 10, "data-preview": reverse_lazy("console:setup_preview")}
        super().__init__(widget=forms.Textarea(attrs=attrs), **options)


def _field(setting: Setting, locked: tuple[str, ...]) -> forms.Field:
    help_text = setting.help
    if setting.shown_default:
        help_text += f" Default: {setting.shown_default}."
    if setting.key in locked:
        help_text += " The study has begun: only an owner can change this."
    label = setting.label
    if setting.kind == Kind.CHOICE:
        choices = [(option, option) for option in setting.options]
        return forms.ChoiceField(choices=choices, label=label, help_text=help_text, required=False)
    if setting.kind == Kind.MARKDOWN:
        return MarkdownField(label=label, help_text=help_text, required=False)
    attrs = {"dir": "auto", "placeholder": setting.shown_default}
    if setting.is_number:
        attrs |= {"class": "short", "inputmode": "decimal"}
    widget = forms.TextInput(attrs=attrs)
    return forms.CharField(widget=widget, label=label, help_text=help_text, required=False)
