"""The id of a unit read back from what an export says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.core.selectors.judgments import unit_id
from judging.protocol.unit_ids import read_unit_id


@given(st.text(min_size=1), st.integers(1, 2**31 - 1))
def test_what_is_written_reads_back(topic: str, number: int) -> None:
    assert read_unit_id(unit_id(topic, number)) == (topic, number)


@given(st.from_regex(r"[0-9a-]*-?[0-9\u0661]{3,11}", fullmatch=True))
def test_only_what_would_be_written_is_read(text: str) -> None:
    name = read_unit_id(text)
    assert name is None or unit_id(*name) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "401",
        "401-7",
        "401-007",
        "-0007",
        "401-0000",
        "401-00007",
        "401-2147483648",
        "401-0007 ",
        "401-٠٠٠٧",
    ],
)
def test_other_text_is_no_id(text: str) -> None:
    assert read_unit_id(text) is None
