"""Numbers from 0 to 100, as people type them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.protocol import magnitude
from judging.protocol.hundred import Hundred, parse

NUMBERS = st.decimals(0, 100, places=4).map(Decimal.normalize)


@given(NUMBERS)
def test_every_number_on_the_scale_is_read(number: Decimal) -> None:
    assert parse(f"{number:.5f}").value == float(number)
    assert parse(f"{number:.5f}".replace(".", ",")).value == float(number)


@given(st.text(max_size=12))
def test_any_text_is_a_number_on_the_scale_or_has_a_message(text: str) -> None:
    read = parse(text)
    if read.value is None:
        assert read.message
        assert read.fault in Hundred.messages
    else:
        assert read.message is None
        assert read.value == 0 or 1e-100 <= read.value <= 100


@given(st.text("0123456789.,/ ½٫", max_size=8))
def test_the_notations_are_those_of_magnitudes(text: str) -> None:
    """What both scales have is read in the same way."""
    read, of_magnitude = parse(text), magnitude.parse(text)
    if of_magnitude.value is not None and of_magnitude.value <= 100:
        assert read.value == of_magnitude.value
        assert read.echo == of_magnitude.echo


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("-0", 0), ("100", 100), ("62 1/2", 62.5), ("½", 0.5), ("1e2", 100), ("٤٠", 40), (" 7 ", 7)],
)
def test_read(text: str, value: float) -> None:
    assert parse(text).value == value


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty"),
        ("-1", "below"),
        ("-1e999999", "below"),
        ("100.01", "above"),
        ("1e999999", "above"),
        ("1e-999999", "small"),
        ("1e-101", "small"),
        ("12,345", "comma"),
        ("1.000", "point"),
        ("many", "text"),
        ("50 %", "text"),
        ("1" * 201, "long"),
    ],
)
def test_refused(text: str, fault: str) -> None:
    assert (parse(text).value, parse(text).fault) == (None, fault)


def test_fractions_are_refused_if_the_study_says_so() -> None:
    assert parse("1/2", with_fractions=False).fault == "fraction"
    assert parse("0.5", with_fractions=False).value == 0.5
