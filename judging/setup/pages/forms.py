"""The forms of a set-up; one that is refused, or overtaken by somebody else, is shown again as typed."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.urls import reverse_lazy

from judging.core.intake.faults import Faults, Where
from judging.core.intake.grades import read_set_name
from judging.core.intake.paths import Paths
from judging.core.intake.readers.sgml import id_fault
from judging.core.intake.study_file import FieldReader, read_setting, shipped_text, slug_fault
from judging.core.intake.tables import Table
from judging.core.intake.topics import LONGEST_NUMBER, LONGEST_REASON, LONGEST_TITLE
from judging.models import Question, Setup, SetupFile, Study, Topic
from judging.protocol.checks.comprehension import OPTIONS
from judging.protocol.settings import SETTINGS, SLUG, TEXTS, UNLIMITED, Kind, Setting
from judging.protocol.states import Grade
from judging.setup.steps import settings_of


class Difference(NamedTuple):
    """A field that somebody else has saved since the form was shown."""

    label: str
    saved: str
    typed: str


class SetupForm(forms.Form):
    """A form that knows what was stored when it was shown: `version` is a digest of that.

    `stored` is what is stored now, by field. A field that was not sent stays as it is stored.
    """

    version = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, stored: Mapping[str, str], sent: QueryDict | None = None, ids: str = "%s") -> None:
        self.stored = dict(stored)
        data = None if sent is None else self.stored | {name: str(sent[name]) for name in sent}
        super().__init__(data, auto_id=ids, initial=self.stored | {"version": _digest(self.stored)})

    @property
    def differences(self) -> list[Difference]:
        """What would overwrite something that the sender of the form has not seen; empty if nothing would."""
        seen = self.data.get("version", "")
        if not self.is_bound or seen in ("", _digest(self.stored)):
            return []
        pairs = {name: (saved, self.data.get(name, "")) for name, saved in self.stored.items()}
        return [
            Difference(str(self.fields[name].label), saved, typed)
            for name, (saved, typed) in pairs.items()
            if _plain(saved) != _plain(typed)
        ]

    def show_again(self) -> None:
        """Let the form, when it is sent once more, overwrite what is stored now."""
        self.data = {**self.data, "version": _digest(self.stored)}

    def is_accepted(self) -> bool:
        """Return whether it can be saved: it is valid and overwrites nothing unseen."""
        return self.is_valid() and not self.differences


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _digest(stored: Mapping[str, str]) -> str:
    texts = "\0".join(f"{name}\0{_plain(text)}" for name, text in stored.items())
    return blake2b(texts.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


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
            typed = _plain(self.cleaned_data.get(name, ""))
            if typed:
                table = values.setdefault(setting.table, {}) if setting.table else values
                table[setting.key] = _value(setting, typed)
        read = read_settings(values)
        for field, what in read.faults:
            if field in self.settings:
                self.add_error(field, f"{self.settings[field].label}: {what}.")
        if SLUG.name in self.settings:
            self._check_slug(values.get(SLUG.key, ""))
        self.values = {
            setting.key: read.fields[setting.key] for setting in self.settings.values() if setting is not SLUG
        }
        return self.cleaned_data

    def _check_slug(self, slug: str) -> None:
        if fault := slug_fault(slug):
            self.add_error(SLUG.name, f"{SLUG.label}: “{slug}” {fault}. Use letters, digits, - and _.")
        elif Study.with_hidden.filter(slug=slug).exclude(pk=self.study.pk).exists():
            self.add_error(SLUG.name, f"There is a study named {slug} already. Choose another name.")

    @property
    def changed_locked(self) -> list[str]:
        """The labels of settings that were changed and may not be by this person."""
        return [
            setting.label
            for name, setting in self.settings.items()
            if setting.key in self.locked and _plain(self.data.get(name, "")) != _plain(self.stored[name])
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
            text = getattr(self.study, setting.key)
            if text and text == shipped_text(setting.key, before):
                setattr(self.study, setting.key, shipped_text(setting.key, after))


class _Read(NamedTuple):
    fields: dict[str, Any]
    faults: list[tuple[str, str]]


def read_settings(values: dict[str, Any]) -> _Read:
    """Read settings as those of a study file; the faults come with the names of their fields."""
    faults = Faults()
    top = Table(values, lambda path: Where(""), faults)
    reader = FieldReader(top, Paths(Path()))
    reader.read()
    reader.fields["layout"] = read_setting(SETTINGS["layout"], top.table("documents"))
    return _Read(reader.fields, [(fault.field, fault.what) for fault in faults.kept])


def shown(setting: Setting, study: Study) -> str:
    """Return what a setting holds, as text to type again."""
    value = getattr(study, setting.key)
    if value is None:
        return UNLIMITED if setting.unlimited else ""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
    return f"{value:g}" if isinstance(value, float) else str(value)


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


class GradesForm(SetupForm):
    """The name of a set of grades, and the grade of pooled documents that its file does not list."""

    path = forms.CharField(widget=forms.HiddenInput)
    name = forms.CharField(label="Name in exports", widget=forms.TextInput(attrs={"class": "short"}))
    unlisted = forms.ChoiceField(
        label="Pooled documents that the file does not list",
        required=False,
        choices=[("", "have no grade"), *((grade.value, f"are {grade}") for grade in Grade)],
    )

    def __init__(self, file: SetupFile, sent: QueryDict | None = None) -> None:
        self.file = file
        stored = {"path": file.path, "name": file.name, "unlisted": file.unlisted}
        super().__init__(stored, sent, ids=f"%s-{file.pk}")

    def clean_name(self) -> str:
        name, faults = str(self.cleaned_data["name"]), Faults()
        others = self.file.setup.files.exclude(pk=self.file.pk).exclude(name="")
        read_set_name(
            Table({"name": name}, lambda path: Where(""), faults), set(others.values_list("name", flat=True))
        )
        if faults.count:
            raise forms.ValidationError([f"The name {fault.what}." for fault in faults.kept])
        return name

    def save(self) -> None:
        self.file.name, self.file.unlisted = self.cleaned_data["name"], self.cleaned_data["unlisted"]
        self.file.save(update_fields=["name", "unlisted"])


class DepthForm(SetupForm):
    """How deep the runs are pooled."""

    depth = forms.IntegerField(
        label="Depth",
        min_value=1,
        max_value=10_000,
        required=False,
        help_text="1 to 10000; empty if you upload a list.",
        widget=forms.TextInput(attrs={"class": "short", "inputmode": "numeric"}),
    )

    def __init__(self, setup: Setup, sent: QueryDict | None = None) -> None:
        super().__init__({"depth": "" if setup.pool_depth is None else str(setup.pool_depth)}, sent)


class NewTopicForm(forms.Form):
    """A topic that is written here."""

    number = forms.CharField(
        label="Number",
        max_length=LONGEST_NUMBER,
        help_text="As runs and grades have it; always text.",
        widget=forms.TextInput(attrs={"class": "short"}),
    )
    title = forms.CharField(
        label="Title", max_length=LONGEST_TITLE, widget=forms.TextInput(attrs={"dir": "auto"})
    )

    def __init__(self, study: Study, sent: QueryDict | None = None) -> None:
        super().__init__(sent, auto_id="%s")
        self.study = study

    def clean_number(self) -> str:
        return clean_number(self.cleaned_data["number"], self.study)


def clean_number(number: str, study: Study, *, but: int | None = None) -> str:
    """Return a number that a topic of the study can have; `but` is the topic that has it already."""
    if fault := id_fault(number, LONGEST_NUMBER):
        raise forms.ValidationError(f"The number {fault}.")
    others = Topic.objects.filter(study=study, number=number)
    if (others.exclude(pk=but) if but is not None else others).exists():
        raise forms.ValidationError(f"There is a topic {number} already.")
    return number


class TopicForm(SetupForm):
    """A topic with its question. An incomplete question is kept, and the study cannot open with it."""

    number = forms.CharField(
        label="Number", max_length=LONGEST_NUMBER, widget=forms.TextInput(attrs={"class": "short"})
    )
    title = forms.CharField(
        label="Title", max_length=LONGEST_TITLE, widget=forms.TextInput(attrs={"dir": "auto"})
    )
    description = forms.CharField(
        label="Description", required=False, widget=forms.Textarea(attrs={"dir": "auto"})
    )
    narrative = forms.CharField(
        label="Narrative",
        required=False,
        help_text="What counts as highly relevant, as relevant, as marginal and as not relevant.",
        widget=forms.Textarea(attrs={"dir": "auto"}),
    )
    question = forms.CharField(
        label="Question", required=False, widget=forms.Textarea(attrs={"dir": "auto", "rows": 2})
    )
    right = forms.ChoiceField(
        label="Right option",
        required=False,
        choices=[(str(place), f"Option {place + 1}") for place in range(OPTIONS)],
    )

    def __init__(self, topic: Topic, sent: QueryDict | None = None) -> None:
        self.topic = topic
        super().__init__(stored_topic(topic), sent)
        for place in range(OPTIONS):
            attrs = {"dir": "auto", "aria-label": f"Option {place + 1}"}
            self.fields[f"option-{place}"] = forms.CharField(
                label=f"Option {place + 1}", required=False, widget=forms.TextInput(attrs=attrs)
            )

    def clean_number(self) -> str:
        return clean_number(self.cleaned_data["number"], self.topic.study, but=self.topic.pk)

    @property
    def differences(self) -> list[Difference]:
        return super().differences if self.topic.pk else []  # of a deleted topic nothing is overwritten

    @property
    def options(self) -> list[forms.BoundField]:
        """The fields of the options."""
        return [self[f"option-{place}"] for place in range(OPTIONS)]

    @property
    def right_place(self) -> int | None:
        """The place of the option that is marked as right."""
        right = str(self["right"].value() or "")
        return int(right) if right.isdecimal() else None

    def save(self) -> Topic:
        typed = self.cleaned_data
        for name in ("number", "title", "description", "narrative"):
            setattr(self.topic, name, _plain(typed[name]))
        self.topic.save()
        options = [_plain(typed[f"option-{place}"]) for place in range(OPTIONS)]
        if not typed["question"] and not any(options):
            Question.objects.filter(topic=self.topic).delete()
        else:
            right = int(typed["right"]) if typed["right"] else None
            values = {"text": _plain(typed["question"]), "options": options, "right_option": right}
            Question.objects.update_or_create(topic=self.topic, defaults=values)
        return self.topic


def stored_topic(topic: Topic) -> dict[str, str]:
    """Return a topic with its question as a form shows them."""
    question = Question.objects.filter(topic_id=topic.pk).first() or Question(options=[""] * OPTIONS)
    options = {f"option-{place}": option for place, option in enumerate(question.options)}
    right = "" if question.right_option is None else str(question.right_option)
    texts = {name: getattr(topic, name) for name in ("number", "title", "description", "narrative")}
    return {**texts, "question": question.text, "right": right, **options}


class AnchorsForm(SetupForm):
    """The anchors that somebody chose for a topic; what is empty is drawn."""

    H = forms.CharField(label="H", required=False)
    N = forms.CharField(label="N", required=False)
    reason = forms.CharField(label="Reason", required=False, max_length=LONGEST_REASON)

    def __init__(self, topic: Topic, sent: QueryDict | None = None) -> None:
        self.topic = topic
        stored = {"H": topic.named_h, "N": topic.named_n, "reason": topic.anchor_reason}
        super().__init__(stored, sent)

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if typed.get("H") and typed.get("H") == typed.get("N"):
            self.add_error("H", "H and N must be two documents.")
        return typed

    def save(self) -> None:
        typed = self.cleaned_data
        named = bool(typed["H"] or typed["N"])
        self.topic.named_h, self.topic.named_n = typed["H"], typed["N"]
        self.topic.anchor_reason = typed["reason"] if named else ""
        self.topic.save(update_fields=["named_h", "named_n", "anchor_reason"])
