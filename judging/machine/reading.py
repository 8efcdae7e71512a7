"""Read the answers of a model: the line that begins with “Answer:”, and the reason."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from judging.core.words import translated
from judging.limits import LONGEST_NUMBER, LONGEST_REASON
from judging.machine.client import Reply
from judging.models.machine import Outcome
from judging.protocol.scales.choice import Option
from judging.protocol.scales.scale import Typed
from judging.protocol.words import Sentence

_SIGNS: Final = r"[\s>*_#`-]*"
_ANSWER: Final = re.compile(rf"^{_SIGNS}answer{_SIGNS}:(?P<answer>.*)$", re.IGNORECASE | re.MULTILINE)
_REASON: Final = re.compile(rf"^{_SIGNS}reason{_SIGNS}:(?P<reason>.*)$", re.IGNORECASE | re.MULTILINE)
_REFUSAL: Final = re.compile(
    r"^\W*(?:i['’]?m sorry|sorry|i apologi[sz]e|as an ai\b"
    r"|i (?:can ?not|can['’]t|won['’]t|am unable|am not able)\b|i['’]m (?:unable|not able)\b)",
    re.IGNORECASE,
)
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Reading:
    """An answer as the site reads it.

    `typed` is what a worker would type or choose. If `outcome` is not ANSWERED, `fault` says what is wrong.
    """

    outcome: Outcome
    typed: str = ""
    number: float | None = None
    reason: str = ""
    fault: str = ""


Read = Callable[[str], Reading]
"""Reads what stands after “Answer:”."""


def read_reply(reply: Reply, read: Read, *, needs_reason: bool) -> Reading:
    """Return the answer in a reply. `read` reads what stands after “Answer:”."""
    answers = list(_ANSWER.finditer(reply.text))
    if reply.is_refused or (not answers and _REFUSAL.match(reply.text)):
        return Reading(Outcome.REFUSED, fault=_("You refused to answer."))
    if reply.is_cut:  # what stands there can be the beginning of a number
        return Reading(Outcome.UNPARSABLE, fault=_("Your answer was too long, so its end is missing."))
    if not answers:
        return Reading(Outcome.UNPARSABLE, fault=_("It has no line that begins with “Answer:”."))
    answer = _plain(answers[-1]["answer"])
    if len(answer) > LONGEST_NUMBER:
        return Reading(Outcome.UNPARSABLE, fault=_("The line that begins with “Answer:” is too long."))
    reading = read(answer)
    reason = _reason(reply.text, answers[-1].start())
    if reading.outcome == Outcome.ANSWERED and needs_reason and not reason:
        return Reading(
            Outcome.UNPARSABLE, fault=_("It has no reason in the line that begins with “Reason:”.")
        )
    return Reading(reading.outcome, reading.typed, reading.number, reason, reading.fault)


def _reason(text: str, before: int) -> str:
    reasons = list(_REASON.finditer(text, 0, before)) or list(_REASON.finditer(text))
    return _plain(reasons[-1]["reason"])[:LONGEST_REASON] if reasons else ""


def _plain(text: str) -> str:
    """Return the text without the signs with which models make words bold, and without a full stop."""
    return text.strip(" \t\r*_`").removesuffix(".").strip(" \t*_`")


def read_typed(parse: Callable[[str], Typed]) -> Read:
    """Return a function that reads a number as a scale does."""

    def read(answer: str) -> Reading:
        typed = parse(answer)
        if typed.value is None:
            return Reading(Outcome.UNPARSABLE, fault=_fault(typed.message))
        return Reading(Outcome.ANSWERED, typed=answer, number=typed.value)

    return read


def _fault(message: Sentence | None) -> str:
    return translated(message) if message else _("It is not a valid answer.")


def read_option(options: Sequence[Option]) -> Read:
    """Return a function that reads the letter, the value or the words of an option."""

    def read(answer: str) -> Reading:
        place = place_of(answer, [(option.value, words_of(option)) for option in options])
        if place is None:
            return Reading(Outcome.UNPARSABLE, fault=_("It is not one of the answers."))
        return Reading(Outcome.ANSWERED, typed=options[place].value, number=options[place].number)

    return read


def read_place(options: Sequence[str]) -> Read:
    """Return a function that reads the letter or the words of an option, and returns its place."""

    def read(answer: str) -> Reading:
        place = place_of(answer, [("", words) for words in options])
        if place is None:
            return Reading(Outcome.UNPARSABLE, fault=_("It is not one of the answers."))
        return Reading(Outcome.ANSWERED, typed=str(place), number=float(place))

    return read


def place_of(answer: str, options: Sequence[tuple[str, str]]) -> int | None:
    """Return the place of the option that an answer names, or None. Each option has a value and words.

    Values come first, because a value can look like the letter of another option.
    """
    answer = answer.strip()
    letter = re.fullmatch(r"\(?([A-Za-z])\)?(?:[.:)\s].*)?", answer, re.DOTALL)
    for place, (value, words) in enumerate(options):
        if answer and (answer == value or answer.casefold() == words.casefold()):
            return place
    if letter and letter[1].upper() in LETTERS[: len(options)]:
        return LETTERS.index(letter[1].upper())
    return None


def words_of(option: Option) -> str:
    """Return the words of an option, which are a sentence of Plumbline or text of a study."""
    return translated(option.words) if isinstance(option.words, Sentence) else option.words


def listed(words: Sequence[str]) -> str:
    """Return options as lines, each with a letter."""
    return "\n".join(f"{letter}. {text}" for letter, text in zip(LETTERS, words, strict=False))
