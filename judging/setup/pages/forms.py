"""The forms of a set-up; one that is refused, or overtaken by somebody else, is shown again as typed."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict


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
