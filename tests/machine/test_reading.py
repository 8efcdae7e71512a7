"""How answers of models are read, and how documents are fenced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.machine.client import Reply
from judging.machine.fencing import fence, with_nonce, without_marks
from judging.machine.reading import Read, Reading, place_of, read_reply, read_typed
from judging.models.machine import Outcome
from judging.protocol.scales.magnitude import SCALE


class Settings:
    with_fractions = True
    labels = ()


def number() -> Read:
    judging = SCALE.judging
    assert judging is not None
    return read_typed(lambda text: judging.parse(text, Settings()))


def read(text: str, **reply: bool) -> Reading:
    return read_reply(Reply(text, **reply), number(), needs_reason=True)


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Reason: It is so.\nAnswer: 40", "40"),
        ("reason: it is so\nanswer: 1/3.", "1/3"),
        ("**Reason:** It is so.\n\n**Answer:** **0.5**", "0.5"),
        ("Reason: It says “Answer: 3”.\nAnswer: 7", "7"),
        ("Let me think.\n- Reason: It is so.\n- Answer: 1e3\n", "1e3"),
    ],
)
def test_answers_in_the_forms_that_models_like(text: str, typed: str) -> None:
    reading = read(text)
    assert (reading.outcome, reading.typed) == (Outcome.ANSWERED, typed)
    assert reading.reason


@pytest.mark.parametrize(
    ("text", "outcome", "told"),
    [
        ("Reason: It is so.\nAnswer: forty", Outcome.UNPARSABLE, ""),
        ("Reason: It is so.\nAnswer: 0", Outcome.UNPARSABLE, ""),
        ("Answer: 40", Outcome.UNPARSABLE, "no reason"),
        ("40", Outcome.UNPARSABLE, "no line"),
        ("", Outcome.UNPARSABLE, "no line"),
        ("I can’t help with that.", Outcome.REFUSED, "refused"),
        ("I'm sorry, but no.", Outcome.REFUSED, "refused"),
        (f"Reason: It is so.\nAnswer: {'9' * 300}", Outcome.UNPARSABLE, "too long"),
    ],
)
def test_answers_without_use(text: str, outcome: Outcome, told: str) -> None:
    reading = read(text)
    assert reading.outcome == outcome
    assert told in reading.fault
    assert reading.fault


def test_what_the_server_marks_counts() -> None:
    assert read("Reason: a\nAnswer: 4", is_refused=True).outcome == Outcome.REFUSED
    assert "too long" in read("Reason: a long", is_cut=True).fault


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("A", 0),
        ("b", 1),
        ("(C)", 2),
        ("B. Both equally", 1),
        ("both EQUALLY", 1),
        ("0", 2),
        ("D", None),
        ("", None),
    ],
)
def test_options_by_letter_value_or_words(answer: str, place: int | None) -> None:
    options = [("1", "The first document"), ("0.5", "Both equally"), ("0", "The second document")]
    assert place_of(answer, options) == place


@given(st.text(alphabet="<>\0aEND＜›\u200b", max_size=60))
def test_no_text_leaves_its_fence(text: str) -> None:
    inside = without_marks(text)
    seen = inside.replace("\u200b", "").replace("＜", "<").replace("›", ">")
    assert "<<<" not in seen
    assert ">>>" not in seen
    fenced = with_nonce(fence(text), "0123456789abcdef" * 4)
    assert fenced.count("<<<") == fenced.count(">>>") == 2
    assert "\0" not in fenced
