"""The form for the settings of a step. The fields come from the declarations in `protocol.settings`."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from judging.core.faults import Faults, Where
from judging.core.pages.number_fields import typed_number
from judging.core.study_imports import slug_fault
from judging.core.words import translated
from judging.models import Study
from judging.protocol.numerals import clear_decimal
from judging.protocol.settings import SAMPLING, SETTINGS, SLUG, TEXTS, UNLIMITED, Kind, Setting, settings_with
from judging.setup.intake.paths import Paths
from judging.setup.intake.study_file import FieldReader, is_shipped, read_setting, shipped_text
from judging.setup.intake.toml_table import Table
from judging.setup.pages.forms import SetupForm, plain
from judging.setup.steps import SECTIONS
from judging.setup.text_templates import text_templates

_OF_THE_FILES: Final = (
    "seed",
    "layout",
    "anchor_pairs",
    "ranked_by",
    *(setting.key for setting in SAMPLING),
)
"""The settings that change the pools, the sample or how the files are read."""


class SettingsForm(SetupForm):
    """The settings of a step. The parser for study files checks the typed values.

    The user cannot change the settings whose keys are in `locked`. After `is_valid`, `following` lists the
    settings that got other values because the user chose another preset.
    """

    following: tuple[Setting, ...] = ()

    def __init__(
        self, section: str, study: Study, sent: QueryDict | None = None, *, locked: tuple[str, ...] = ()
    ) -> None:
        self.study = study
        defaults = settings_with(study.preset)
        self.settings = {
            setting.name: defaults.get(setting.key, setting)
            for setting in SECTIONS[section]
            if setting is not SLUG or study.changes_to_id is None
        }
        self.locked = locked
        super().__init__({name: shown(setting, study) for name, setting in self.settings.items()}, sent)
        self.fields = {name: _field(setting, locked) for name, setting in self.settings.items()} | self.fields

    @property
    def templates(self) -> dict[str, str]:
        """Return the available templates for the empty texts of this form, by field."""
        return {key: text for key, text in text_templates(self.study).items() if key in self.fields}

    def has_default(self, setting: Setting) -> bool:
        """Return whether the form shows the default of a setting, or nothing."""
        value = plain(self[setting.name].value() or "")
        return value in ("", plain(self.settings[setting.name].shown_default))

    def fill_in_templates(self) -> None:
        """Show the templates in the empty fields. A template is stored only if the user saves the form."""
        self.initial.update(self.templates)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "language": self.study.language,
            "units": {"unit_size": self.study.unit_size, "anchor_pairs": self.study.anchor_pairs},
        }
        for name, setting in self.settings.items():
            typed = plain(self.cleaned_data.get(name, ""))
            if self._lacks_its_need(setting, typed):
                continue
            if typed and (value := self._value(name, setting, typed)) is not None:
                setting.put(values, value)
        settings, problems = _read_settings(values)
        for field, problem in problems:
            if field not in self.settings:
                continue
            if plain(self.cleaned_data.get(field, "")):
                text = _("{label}: {problem}")
            else:
                text = _("{label} is empty. Fill it in.")
            self.add_error(field, text.format(label=_(self.settings[field].label), problem=problem))
        if SLUG.name in self.settings:
            self._check_slug(values.get(SLUG.key, ""))
        self.values = {
            setting.key: settings[setting.key] for setting in self.settings.values() if setting is not SLUG
        }
        if "preset" in self.values:
            self._follow_preset(self.values["preset"])
        return self.cleaned_data

    def _follow_preset(self, preset: str) -> None:
        """Replace the defaults of the earlier preset by those of `preset`. Other typed values stay."""
        defaults = settings_with(preset)
        self.following = tuple(
            setting
            for setting in self.settings.values()
            if setting is not SLUG
            and self.values[setting.key] == setting.default != defaults[setting.key].default
        )
        self.values |= {setting.key: defaults[setting.key].default for setting in self.following}

    def _lacks_its_need(self, setting: Setting, typed: str) -> bool:
        """Return whether a setting has its default, but the setting that it needs is empty."""
        if not setting.needs or typed not in ("", setting.shown_default):
            return False
        return not plain(self.cleaned_data.get(SETTINGS[setting.needs].name, ""))

    def _value(self, name: str, setting: Setting, typed: str) -> Any:
        """Return the typed value, or None after adding an error if it is a number with two readings."""
        try:
            return _value(setting, typed_number(typed) if setting.is_number else typed)
        except forms.ValidationError as error:
            self.add_error(name, f"{_(setting.label)}: {error.message}")
            return None

    def _check_slug(self, slug: str) -> None:
        if fault := slug_fault(slug):
            text = _("{label}: {problem}")
            self.add_error(SLUG.name, text.format(label=_(SLUG.label), problem=translated(fault)))
        elif Study.with_hidden.filter(slug=slug).exclude(pk=self.study.pk).exists():
            text = _("There is already a study named {slug}. Choose another name.")
            self.add_error(SLUG.name, text.format(slug=slug))

    @property
    def changed_locked(self) -> list[str]:
        """Return the labels of the settings that the user changed but is not allowed to change."""
        return [
            _(setting.label)
            for name, setting in self.settings.items()
            if setting.key in self.locked and plain(self.data.get(name, "")) != plain(self.stored[name])
        ]

    @property
    def changes_reading(self) -> bool:
        """Return whether a typed value changes how the files are read."""
        return any(
            self.values[key] != getattr(self.study, key) for key in _OF_THE_FILES if key in self.values
        )

    def fill(self) -> Study:
        """Set the valid values on the study, and return the study without saving it."""
        self.is_valid()
        anchor_pairs = self.study.anchor_pairs
        for name, setting in self.settings.items():
            if name not in self.errors and setting.key in self.values:
                setattr(self.study, setting.key, self.values[setting.key])
        if self.study.others_per_unit < 1:  # the error is in unit_size, but the pairs do not fit either
            self.study.anchor_pairs = anchor_pairs
        return self.study

    def save(self) -> Study:
        self._follow_settings()
        study = self.fill()
        if SLUG.name in self.settings:
            study.slug = self.cleaned_data[SLUG.name].strip()
        study.save()
        return study

    def _follow_settings(self) -> None:
        """If the language, the scale or the unit size has changed, use the current default instructions.

        Instructions that somebody has edited stay as they are. Studies from before a scale existed lack its
        instructions, and get them here.
        """
        keys = ("unit_size", "language", "scale")
        before = self.study.unit_size, self.study.language, self.study.scale
        after = [self.values.get(key, getattr(self.study, key)) for key in keys]
        for setting in TEXTS if [*before] != after else ():
            text = self.values.get(setting.key, getattr(self.study, setting.key))
            if not text or is_shipped(setting.key, text, *before):
                setattr(self.study, setting.key, shipped_text(setting.key, *after[1:]))
                self.values.pop(setting.key, None)


def _read_settings(values: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Read typed settings in the same way as the settings in a study file.

    Return the settings, and a pair (field, message) for each problem.
    """
    faults = Faults()
    top = Table(values, lambda path: Where(""), faults)
    reader = FieldReader(top, Paths(Path()))
    reader.read()
    reader.fields["layout"] = read_setting(SETTINGS["layout"], top.table("documents"))
    return reader.fields, [(fault.field, translated(fault.sentence)) for fault in faults.listed]


def shown(setting: Setting, study: Study) -> str:
    """Return the stored setting as text.

    If the form is sent with this text, the setting keeps exactly the same value.
    """
    value = getattr(study, setting.key)
    if value is None:
        return UNLIMITED if setting.unlimited else ""
    if isinstance(value, datetime):
        parts = "auto" if value.second or value.microsecond else "minutes"
        return value.astimezone(UTC).replace(tzinfo=None).isoformat(" ", parts)
    if isinstance(value, float):
        return clear_decimal(f"{Decimal(repr(value)).normalize():f}")
    return str(value)


def _value(setting: Setting, typed: str) -> Any:
    """Convert typed text to the type that the setting has in a study file.

    If that is impossible, return the text unchanged.
    """
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
    """Return the typed number, or the text unchanged if it is not a number."""
    if re.fullmatch(r"-?(0|[1-9]\d{0,18})", typed, re.ASCII):
        return int(typed)
    return Decimal(typed) if re.fullmatch(r"-?(0|[1-9]\d{0,18})\.\d{1,18}", typed, re.ASCII) else typed


class MarkdownField(forms.CharField):
    """A field for Markdown text, with a preview that is updated while the user types."""

    previewed = True

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"dir": "auto", "rows": 10}), **options)


def _field(setting: Setting, locked: tuple[str, ...]) -> forms.Field:
    sentences = [_(sentence) for sentence in setting.help_sentences]
    if setting.shown_default:
        sentences.append(_("Default: {value}.").format(value=setting.shown_default))
    if setting.kind == Kind.MARKDOWN:
        sentences.append(_("You can use Markdown: **bold**, *italics*, - for lists, [link](https://…)."))
    if setting.key in locked:
        sentences.append(_("The study has begun, so only an owner can change this."))
    help_text, label = " ".join(sentences), _(setting.label)
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
