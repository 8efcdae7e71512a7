"""The field in which a worker types a number, with a second field for a fraction."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from judging.core.words import decimal_mark, translated
from judging.models import Study
from judging.protocol.scales import judging_of
from judging.protocol.scales.choice import Option
from judging.protocol.words import Sentence
from judging.worker.pages.progress import read_text


@dataclass(frozen=True)
class ShownOption:
    """An option of a field as a page shows it. `lang` is the language of the words, or "" for the page's."""

    value: str
    number: float
    words: str
    lang: str = ""


def document_options(study: Study) -> list[ShownOption]:
    """Return the options of the field for documents. The list is empty if workers type numbers."""
    options = judging_of(study).options
    return _shown(options(study), study) if options else []


def practice_options(study: Study) -> list[ShownOption]:
    """Return the options of the field for practice lines. The list is empty if workers type numbers."""
    practice = judging_of(study).practice
    return _shown(practice.options(study), study) if practice and practice.options else []


def shown_answer(text: str, study: Study) -> str:
    """Return a worker's answer as pages show it: the words of the chosen option, or the text as typed."""
    return _words_of(text, document_options(study))


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


class NumberField:
    """A typed number or a chosen option, and what the page shows with it.

    `template` is the template of the field, and `options` are its options, if workers choose. On the pages of
    the practice, `practises` is true.
    """

    def __init__(self, study: Study, text: str, *, practises: bool = False) -> None:
        self.text = text
        self.mark = decimal_mark()
        judging = judging_of(study)
        if practises:
            assert judging.practice is not None
            self.template, parse = judging.practice.field, judging.parse_practice
            self.options = practice_options(study)
        else:
            self.template, parse = judging.field, judging.parse
            self.options = document_options(study)
        self.scripts = judging.scripts
        self._read = parse(text, study, mark=self.mark)

    @property
    def echo(self) -> str:
        """Return how Plumbline reads the number, or "" if the text shows it already."""
        return self._read.echo

    @property
    def fits_keypad(self) -> bool:
        """Return whether the decimal keypad of a phone has every character of the text."""
        return re.fullmatch(r"[\d.,]*", self.text) is not None


def read_typed_number(request: HttpRequest) -> str:
    """Return the typed number. The number 2 and the fraction 1/2, each in its field, make 2 1/2."""
    number, fraction = read_text(request, "magnitude"), read_text(request, "fraction").strip()
    return f"{number} {fraction}".lstrip() if fraction else number
