"""Answers that a worker chooses from a few options, instead of typing a number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

NOTHING_CHOSEN: Final = "nothing_chosen"
MESSAGES: Final = {NOTHING_CHOSEN: Sentence(_("Please choose one of the answers."))}
"""Maps the fault of a chosen answer to the error message."""


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
        return NOTHING_CHOSEN if self.value is None else None

    @property
    def message(self) -> Sentence | None:
        """Return the error message for the worker, or None."""
        return MESSAGES[NOTHING_CHOSEN] if self.value is None else None

    @property
    def echo(self) -> str:
        """Return "", because the page shows which option is chosen."""
        return ""


def read_choice(text: str, options: Sequence[Option]) -> Chosen:
    """Return the option with the value `text`, or an invalid answer if there is none."""
    numbers = {option.value: option.number for option in options}
    return Chosen(text, numbers.get(text))
