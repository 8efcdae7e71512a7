"""The forms of a set-up: their base class, and the forms of the “Files and pool” step.

If a form is invalid, or if somebody else has saved it since it was shown, it is shown again with the typed
values.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from judging.core.faults import Faults, Where
from judging.core.pages.number_fields import WholeField
from judging.core.words import translated
from judging.models import Setup, SetupFile
from judging.protocol.states import Grade
from judging.setup.intake.grades import read_set_name
from judging.setup.intake.toml_table import Table


class Difference(NamedTuple):
    """A field that somebody saved after the form was shown: its label, the saved text and the typed text."""

    label: str
    saved: str
    typed: str


class SetupForm(forms.Form):
    """A form that does not overwrite values that its user has not seen.

    `stored` maps each field to the text that is stored now. `version` is a digest of the texts that were
    stored when the form was shown. A field that was not sent keeps its stored text.
    """

    version = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, stored: Mapping[str, str], sent: QueryDict | None = None, ids: str = "%s") -> None:
        self.stored = dict(stored)
        data = None if sent is None else self.stored | {name: str(sent[name]) for name in sent}
        super().__init__(data, auto_id=ids, initial=self.stored | {"version": _digest(self.stored)})

    @property
    def differences(self) -> list[Difference]:
        """Return the fields whose typed text would overwrite text that the user has not seen."""
        version = self.data.get("version", "")
        if not self.is_bound or version in ("", _digest(self.stored)):
            return []
        pairs = {name: (saved, self.data.get(name, "")) for name, saved in self.stored.items()}
        return [
            Difference(str(self.fields[name].label), self._shown(name, saved), self._shown(name, typed))
            for name, (saved, typed) in pairs.items()
            if plain(saved) != plain(typed)
        ]

    def _shown(self, name: str, value: str) -> str:
        """Return a value as the form shows it: the label of a choice, or else the value itself."""
        choices: Any = getattr(self.fields[name], "choices", ())
        return str(dict(choices).get(value, value))

    def show_again(self) -> None:
        """Set the form to the current version, so that sending the form again overwrites the stored texts."""
        self.data = {**self.data, "version": _digest(self.stored)}

    def is_accepted(self) -> bool:
        """Return whether the form is valid and overwrites no text that the user has not seen."""
        return self.is_valid() and not self.differences


def plain(text: str) -> str:
    """Return typed text with Unix line breaks, and without white space at the start and end."""
    return text.replace("\r\n", "\n").strip()


def _digest(stored: Mapping[str, str]) -> str:
    texts = "\0".join(f"{name}\0{plain(text)}" for name, text in stored.items())
    return blake2b(texts.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class GradesForm(SetupForm):
    """The name of a set of grades, and the grade of pooled documents that its file does not list."""

    path = forms.CharField(widget=forms.HiddenInput)
    name = forms.CharField(
        label=gettext_lazy("Name in exports"), widget=forms.TextInput(attrs={"class": "short"})
    )
    unlisted = forms.ChoiceField(
        label=gettext_lazy("Grade of pooled documents that the file does not list"),
        required=False,
        choices=[("", gettext_lazy("No grade")), *((grade.value, grade.value) for grade in Grade)],
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
            raise forms.ValidationError([translated(fault.sentence) for fault in faults.listed])
        return name

    def save(self) -> None:
        self.file.name, self.file.unlisted = self.cleaned_data["name"], self.cleaned_data["unlisted"]
        self.file.save(update_fields=["name", "unlisted"])


class DepthForm(SetupForm):
    """The depth to which the runs are pooled."""

    depth = WholeField(
        label=gettext_lazy("Depth"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=gettext_lazy("A whole number from 1 to 10000. Leave this empty if you upload a list."),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), gettext_lazy("Enter a whole number from 1 to 10000.")
        ),
        widget=forms.TextInput(attrs={"class": "short"}),
    )

    def __init__(self, setup: Setup, sent: QueryDict | None = None) -> None:
        super().__init__({"depth": "" if setup.pool_depth is None else str(setup.pool_depth)}, sent)
