"""Workers' answers as pages show them: the options of a field, and the words of a chosen option."""

from collections.abc import Sequence
from dataclasses import dataclass

from judging.core.words import translated
from judging.models import Study
from judging.protocol.scales import judging_of, scale_of
from judging.protocol.scales.choice import Option
from judging.protocol.words import Sentence


@dataclass(frozen=True)
class ShownOption:
    """An option of a field as a page shows it. `lang` is the language of the words, or "" for the page's."""

    value: str
    number: float
    words: str
    lang: str = ""


def document_options(study: Study) -> list[ShownOption]:
    """Return the options of the field for documents. The list is empty if workers type numbers."""
    judging = scale_of(study).judging
    return _shown(judging.options(study), study) if judging and judging.options else []


def practice_options(study: Study) -> list[ShownOption]:
    """Return the options of the field for practice lines. The list is empty if workers type numbers."""
    practice = judging_of(study).practice
    return _shown(practice.options(study), study) if practice and practice.options else []


def shown_answer(text: str, study: Study) -> str:
    """Return a worker's answer as pages show it: the words of the chosen option, or the text as typed."""
    return _words_of(text, document_options(study))


def shown_judgment(text: str, number: float | None, study: Study) -> str:
    """Return a stored answer as pages show it. Judgments from files may have a number, but no text."""
    options = document_options(study)
    return next((option.words for option in options if option.number == number), text)


def shown_practice_answer(text: str, study: Study) -> str:
    """Return a worker's answer in the practice as pages show it."""
    return _words_of(text, practice_options(study))


def _words_of(text: str, options: Sequence[ShownOption]) -> str:
    return next((option.words for option in options if option.value == text), text)


def _shown(options: Sequence[Option], study: Study) -> list[ShownOption]:
    return [
        ShownOption(option.value, option.number, translated(option.words))
        if isinstance(option.words, Sentence)
        else ShownOption(option.value, option.number, option.words, study.language)
        for option in options
    ]
