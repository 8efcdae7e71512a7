"""The forms of a set-up; one that is refused, or overtaken by somebody else, is shown again as typed.

Those of files stand here, those of settings and of topics in modules of their own.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict

from judging.core.intake.faults import Faults, Where
from judging.core.intake.grades import read_set_name
from judging.core.intake.tables import Table
from judging.core.words import translated
from judging.models import Setup, SetupFile
from judging.protocol.states import Grade


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
            Difference(str(self.fields[name].label), self._words(name, saved), self._words(name, typed))
            for name, (saved, typed) in pairs.items()
            if plain(saved) != plain(typed)
        ]

    def _words(self, name: str, value: str) -> str:
        """Return a value as the form shows it: of a choice its label."""
        choices: Any = getattr(self.fields[name], "choices", ())
        return str(dict(choices).get(value, value))

    def show_again(self) -> None:
        """Let the form, when it is sent once more, overwrite what is stored now."""
        self.data = {**self.data, "version": _digest(self.stored)}

    def is_accepted(self) -> bool:
        """Return whether it can be saved: it is valid and overwrites nothing unseen."""
        return self.is_valid() and not self.differences


def plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _digest(stored: Mapping[str, str]) -> str:
    texts = "\0".join(f"{name}\0{plain(text)}" for name, text in stored.items())
    return blake2b(texts.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


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
            raise forms.ValidationError([translated(fault.sentence) for fault in faults.listed])
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
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), "Enter a whole number from 1 to 10000."
        ),
        widget=forms.TextInput(attrs={"class": "short", "inputmode": "numeric"}),
    )

    def __init__(self, setup: Setup, sent: QueryDict | None = None) -> None:
        super().__init__({"depth": "" if setup.pool_depth is None else str(setup.pool_depth)}, sent)
