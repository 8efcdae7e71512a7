"""Answers that a worker chooses from a few options, instead of typing a number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

MESSAGES: Final = {
    "empty": Sentence(_("Please choose one of the answers.")),
    "unknown": Sentence(_("This is not one of the answers. Please choose one of them.")),
}
"""Maps the faults of a chosen answer to error messages."""


@dataclass(frozen=True)
class Option:
    """An option of a field. `value` is what the form sends, and `words` are what the worker reads.

    Words of Plumbline are a `Sentence`, which pages translate. Words of a study are text.
    """

    value: str
    number: float
    words: Sentence | str


@dataclass(frozen=True)
class Chosen:
    """The option that a worker chose. `fault` is None if `text` is the value of an option."""

    text: str
    value: float | None

    @property
    def fault(self) -> str | None:
        """Return the key of the error message, or None."""
        if self.value is not None:
            return None
        return "unknown" if self.text.strip() else "empty"

    @property
    def message(self) -> Sentence | None:
        """Return the error message for the worker, or None."""
        return None if self.fault is None else MESSAGES[self.fault]

    @property
    def echo(self) -> str:
        """Return "", because the page shows which option is chosen."""
        return ""


def read_choice(text: str, options: Sequence[Option]) -> Chosen:
    """Return the option with the value `text`, or an invalid answer if there is none."""
    numbers = {option.value: option.number for option in options}
    return Chosen(text, numbers.get(text.strip()))
