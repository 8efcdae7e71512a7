"""Reports store words as texts with values, and pages show them in their language."""

import json

import pytest
from django.utils import translation

from evaluation.errors import InputError
from evaluation.text import Text
from judging.protocol.words import Sentence
from judging.templatetags.report_words import by_reason
from judging.understanding.reports.words import in_language, stored

TITLE = Sentence("{title} by {grades}.", {"title": Sentence("Boxes"), "grades": "trec"})


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("", ""),
        ("Boxes", "Boxes"),
        (TITLE, "Boxes by trec."),
        (Sentence("{number} run", {"number": 1}, "{number} runs"), "1 run"),
        (Sentence("{number} run", {"number": 2}, "{number} runs"), "2 runs"),
        (
            Text.plural("{number} run of {what}", "{number} runs of {what}", number=2, what=Text("x")),
            "2 runs of x",
        ),
    ],
)
def test_words_survive_json(words: str | Sentence | Text, text: str) -> None:
    assert in_language(json.loads(json.dumps(stored(words)))) == text


def test_several_words_stand_in_a_row() -> None:
    assert in_language([stored(TITLE), "Boxes"]) == "Boxes by trec. Boxes"


def test_an_error_of_the_library_keeps_its_values() -> None:
    error = InputError("too-few", "only {number} of {names}", number=1234.5, names=("a", "b"))
    kept = json.loads(json.dumps(stored(error)))
    assert kept["values"] == {"number": 1234.5, "names": "('a', 'b')"}
    with translation.override("de"):
        assert in_language(kept).startswith("only 1.234,5")


def test_missing_parts_are_grouped_by_their_reason() -> None:
    missing = [("A", "no grades"), ("B", "no runs"), ("C", "no grades.")]
    assert by_reason([(stored(part), stored(reason)) for part, reason in missing]) == [
        ("no grades", ["A", "C"]),
        ("no runs", ["B"]),
    ]
