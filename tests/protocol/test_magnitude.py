"""Check (s): what people type as a number, and what of it is one."""

import re
import sys
import unicodedata
from math import inf, isclose, nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.limits import LONGEST_NUMBER
from judging.protocol.magnitude import LARGEST, MESSAGES, SMALLEST, parse

READ = {
    "12": 12.0,
    "0.5": 0.5,
    ".5": 0.5,
    "5.": 5.0,
    "007": 7.0,
    "+3": 3.0,
    "+ 3": 3.0,
    "  8  ": 8.0,
    "\t8\n": 8.0,
    "1/3": 1 / 3,
    "1 / 3": 1 / 3,
    "10/4": 2.5,
    "2 1/2": 2.5,
    "2  1 / 2": 2.5,
    "0 1/2": 0.5,
    "1e3": 1000.0,
    "1E3": 1000.0,
    "1e+3": 1000.0,
    "1.5e-3": 0.0015,
    "1,5": 1.5,
    "0,5": 0.5,
    ",5": 0.5,
    "12,34": 12.34,
    "1,0000": 1.0,
    "0,12": 0.12,
    "00,1250": 0.125,
    "1234,56": 1234.56,
    "0.125": 0.125,
    ".125": 0.125,
    "00.125": 0.125,
    "1.2500": 1.25,
    "1234.567": 1234.567,
    "1.000e3": 1000.0,
    "1e-100": 1e-100,
    "1e100": 1e100,
    "½": 0.5,
    "2½": 2.5,
    "2 ½": 2.5,
    "1⁄3": 1 / 3,
    "٣": 3.0,
    "１２": 12.0,
    "1\N{NO-BREAK SPACE}1/2": 1.5,
    "0.1": 0.1,
    "١٫٥": 1.5,
    "١٫٠٠٠": 1.0,
    "٫٥": 0.5,
    "٫125": 0.125,
    "١،٥": 1.5,
    "１．５": 1.5,
    "𝟏２": 12.0,
    "１/２": 0.5,
    "1∕2": 0.5,
    "⅟3": 1 / 3,
    "2⅟3": 7 / 3,
    "1e−3": 0.001,
    "１ｅ３": 1000.0,
    "\N{LEFT-TO-RIGHT MARK}1/2": 0.5,
    "\N{RIGHT-TO-LEFT MARK}12\N{ARABIC LETTER MARK}": 12.0,
    "\N{RIGHT-TO-LEFT ISOLATE}0.5\N{POP DIRECTIONAL ISOLATE}": 0.5,
    "\N{LEFT-TO-RIGHT EMBEDDING}7\N{POP DIRECTIONAL FORMATTING}": 7.0,
    "1\N{ZERO WIDTH SPACE}2": 12.0,
    "1\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}2": 12.0,
    "\N{ZERO WIDTH NO-BREAK SPACE}5": 5.0,
    "1\N{SOFT HYPHEN}2": 12.0,
    "1\N{WORD JOINER}2": 12.0,
    "123456789012345678901234567890": 123456789012345678901234567890.0,
}

REFUSED = {
    "": "empty",
    "   ": "empty",
    "0": "zero",
    "0.0": "zero",
    "-0": "zero",
    "0/5": "zero",
    "0 0/5": "zero",
    "0e5": "zero",
    "0e99999": "zero",
    "0,000": "zero",
    "-1": "negative",
    "- 1": "negative",
    "\N{MINUS SIGN}1": "negative",
    "-1/2": "negative",
    "-2 1/2": "negative",
    "-1e200": "negative",
    "1,000": "comma",
    "0,125": "comma",
    ",125": "comma",
    "01,000": "comma",
    "1234,567": "comma",
    "999,999": "comma",
    "1,000e3": "comma",
    "1,000,000": "comma",
    "1,5,5": "comma",
    "1,000.5": "comma",
    "1.000,5": "comma",
    "1.000": "point",
    " +12.500 ": "point",
    "999.999": "point",
    "-1.000": "point",
    "1e101": "range",
    "1e-101": "range",
    "1e400": "range",
    "1e-400": "range",
    "1e99999": "range",
    "1e-99999": "range",
    "9" * 150: "range",
    "1/" + "9" * 150: "range",
    "NaN": "text",
    "nan": "text",
    "inf": "text",
    "Infinity": "text",
    "∞": "text",
    "twelve": "text",
    "1/0": "text",
    "1 2": "text",
    "1 000": "text",
    "1/2/3": "text",
    "1//2": "text",
    "1.5/2": "text",
    "1.2.3": "text",
    "0x10": "text",
    "1_000": "text",
    "5 %": "text",
    "10^3": "text",
    "--1": "text",
    "+-1": "text",
    "e3": "text",
    ".": "text",
    ",": "text",
    "a,b.c": "text",
    "1" * (LONGEST_NUMBER + 1): "long",
    "1\x00": "text",
    "1٬000": "comma",
    "١٬٠٠٠": "comma",
    "1٬5": "comma",
    "1٬000٬000": "comma",
    "1٬000٫5": "comma",
    "1٬000e3": "comma",
    "1,5٫2": "comma",
    "1،000": "comma",
    "1 000/5": "space",
    "–5": "negative",
    "10²": "text",
    "²": "text",
    "10⁻²": "text",
    "⁵": "text",
    "H₂": "text",
    "1₂": "text",
    "①": "text",
    "1⑩": "text",
    "⑴": "text",
    "⒈5": "text",
    "🄂5": "text",
    "¹⁄₂": "text",
    "2¹⁄₂": "text",
    "½2": "text",
    "2½3": "text",
    "½½": "text",
    "3/½": "text",
    "1ℯ3": "text",
    "1ᵉ3": "text",
    "Ⅻ": "text",
    "٢٫٣٫٤": "text",
    "\N{RIGHT-TO-LEFT OVERRIDE}12": "text",
    "2\N{INVISIBLE TIMES}3": "text",
    "2\N{INVISIBLE SEPARATOR}3": "text",
}


@pytest.mark.parametrize(("text", "value"), READ.items())
def test_accepted_forms(text: str, value: float) -> None:
    read = parse(text)
    assert (read.value, read.fault, read.message, read.text) == (value, None, None, text)


@pytest.mark.parametrize(("text", "fault"), REFUSED.items())
def test_refusals_say_what_is_allowed(text: str, fault: str) -> None:
    read = parse(text)
    assert (read.value, read.fault, read.text) == (None, fault, text)
    assert read.message is not None
    two_readings = fault in {"comma", "point"} and "thousands" in read.message.values
    assert read.message == MESSAGES[fault] or two_readings


def test_only_decimal_digits_and_fractions_of_one_character_count() -> None:
    """Every other character that Unicode maps to a digit is refused, alone and next to a digit."""
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        mapped = unicodedata.normalize("NFKC", character)
        if not re.search(r"\d", mapped) or unicodedata.decimal(character, None) is not None:
            continue
        is_fraction = re.fullmatch(r"\d+⁄\d+", mapped) and unicodedata.numeric(character) > 0
        assert (parse(character).value is not None) == bool(is_fraction), character
        assert parse(f"{character}2").value is None or mapped == "1⁄", character


ECHOES = {
    "½": "= 0.5",
    "2 1/2": "= 2.5",
    "١٢": "= 12",
    "1e3": "= 1000",
    "1/3": "= 0.333333",
    "0,5": "= 0.5",
    ".5": "= 0.5",
    "5.": "= 5",
    "١٢٣٤٥٦٧": "= 1234567",
    "1e-7": "",
    "10e-8": "= 1e-7",
    "1e20": "= 100000000000000000000",
    "1,5e30": "= 1.5e+30",
    "12": "",
    " 12 ": "",
    "0.125": "",
    "1.50": "",
    "\N{RIGHT-TO-LEFT MARK}12": "",
    "1234567890123456789": "",
    "1,000": "",
    "zero": "",
    "": "",
}


@pytest.mark.parametrize(("text", "echo"), ECHOES.items())
def test_forms_that_are_not_plain_digits_are_echoed(text: str, echo: str) -> None:
    assert parse(text).echo == echo


def test_the_decimal_mark_of_the_reader_is_used() -> None:
    assert parse("1/2", mark=",").echo == "= 0,5"
    assert parse("0,5", mark=",").echo == ""
    for typed in ("1,234", "1.234", "0,125", "1,000"):
        message = parse(typed, mark=",").message
        assert message is not None
        decimal = message.values["decimal"]
        assert "." not in decimal
        assert parse(decimal).value == float(typed.replace(",", "."))


def test_every_message_names_something_to_type() -> None:
    assert all(any(digit in str(message) for digit in "01") for message in MESSAGES.values())


def test_bounds_are_inside() -> None:
    assert parse(repr(SMALLEST)).value == SMALLEST
    assert parse(repr(LARGEST)).value == LARGEST
    assert parse(repr(nextafter(SMALLEST, 0))).fault == "range"
    assert parse(repr(nextafter(LARGEST, inf))).fault == "range"


@given(st.text())
def test_any_text_gives_a_value_or_a_fault(text: str) -> None:
    check_value_or_fault(text)


@given(st.text(alphabet="0123456789.,/ eE+-½⅓⁄−１٣", max_size=30))
def test_anything_like_a_number_gives_a_value_or_a_fault(text: str) -> None:
    check_value_or_fault(text)


def check_value_or_fault(text: str) -> None:
    read = parse(text)
    assert read.text == text
    assert (read.value is None) != (read.fault is None)
    if read.value is None:
        assert read.message
    else:
        assert SMALLEST <= read.value <= LARGEST
        assert read.message is None


@given(st.floats(min_value=SMALLEST, max_value=LARGEST))
def test_printed_floats_parse_back(number: float) -> None:
    """All but those that could be thousands, such as 1.125: with one more 0 they could not."""
    read = parse(repr(number))
    assert (read if read.fault is None else parse(f"{number!r}0")).value == number


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(0, 10**6))
def test_mixed_fractions(top: int, bottom: int, whole: int) -> None:
    value = parse(f"{whole} {top}/{bottom}").value
    assert value is not None
    assert isclose(value, whole + top / bottom, rel_tol=1e-15)


@given(st.integers(0, 10**9), st.integers(0, 10**6).filter(lambda digits: len(str(digits)) != 3))
def test_a_decimal_comma_is_a_decimal_point(whole: int, digits: int) -> None:
    assert parse(f"{whole},{digits}").value == parse(f"{whole}.{digits}").value


@given(st.sampled_from(",."), st.integers(1, 999), st.integers(0, 999))
def test_a_mark_before_three_digits_is_asked_again_with_both_readings(
    mark: str, thousands: int, rest: int
) -> None:
    read = parse(f" {thousands}{mark}{rest:03}")
    assert read.fault == {",": "comma", ".": "point"}[mark]
    assert read.message is not None
    whole, decimal = read.message.values["thousands"], read.message.values["decimal"]
    assert (parse(whole).value, parse(decimal).value) == (
        float(f"{thousands}{rest:03}"),
        float(f"{thousands}.{rest:03}"),
    )
