"""Sentences that the database stores: what goes in comes out, and an earlier version's text is shown."""

import json

import pytest
from django.utils.translation import override

from judging.core.faults import Faults, Where
from judging.core.stored_sentences import from_json, in_english, in_language, to_json
from judging.protocol.words import Sentence

INNER = Sentence("The id {id} is empty.", {"id": "401"})
OUTER = Sentence("{fault} ({number} time)", {"fault": INNER, "number": 1234}, "{fault} ({number} times)")


def test_a_sentence_in_a_sentence_survives_json() -> None:
    assert from_json(json.loads(json.dumps(to_json(OUTER)))) == OUTER


def test_the_folder_of_the_server_is_removed_from_values() -> None:
    sentence = Sentence(
        "{path}: {place}", {"path": "/srv/drafts/1/a.run", "place": Where("/srv/drafts/1/b", 2)}
    )
    assert str(from_json(to_json(sentence, without="/srv/drafts/1/"))) == "a.run: b:2"


def test_text_of_an_earlier_version_is_shown_unchanged() -> None:
    assert in_language("is {missing}; add it") == "is {missing}; add it"


def test_a_result_is_shown_in_english_with_its_other_parts_unchanged() -> None:
    result = {
        "study": "sample",
        "topics": 8,
        "notices": [to_json(INNER), "as it was"],
        "units": {"text": "x"},
    }
    shown = in_english(result)
    assert shown == {**result, "notices": ["The id 401 is empty.", "as it was"]}


def test_numbers_follow_the_language() -> None:
    with override("de"):
        assert "1.234" in in_language(to_json(OUTER))


@pytest.mark.parametrize("text", ["a {brace}", "{", "}{0}"])
def test_a_text_without_values_may_hold_braces(text: str) -> None:
    faults = Faults()
    faults.add(Where("a.run", 1), "", text)
    (fault,) = faults.listed
    assert str(fault) == f"a.run:1: {text}"
