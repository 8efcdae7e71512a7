"""The field in which a worker types a number or chooses an answer, with a second field for a fraction."""

import re

from django.http import HttpRequest

from judging.core.pages.shown_answers import document_options, practice_options
from judging.core.words import decimal_mark
from judging.models import Study
from judging.protocol.scales import judging_of
from judging.worker.pages.progress import read_text


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
