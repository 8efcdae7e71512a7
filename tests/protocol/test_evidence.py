"""How much of a reason was pasted, from what a browser says, and when a worker is worth checking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.protocol.evidence import LEAST_REASONS, Evidence, pasted_share

TEXT = "ten chars."


@pytest.mark.parametrize(
    ("told", "share"),
    [
        ("10 0 0", 0.0),
        ("1 10 0", 1.0),
        ("6 5 0", 0.5),
        ("1 999999 0", 1.0),  # the worker has deleted a part of what was pasted
        ("0 0 0", None),  # nothing was observed, as after dictation without events
        ("", None),
        ("0 10 0", None),
        ("-1 0 0", None),
        ("1 1", None),
        ("1 1 2", None),
        ("1e3 0 0", None),
        ("1 nan 0", None),
        ("٣ 0 0", None),
        ("9999999 0 0", None),
        ("1 0 0\n", None),
    ],
)
def test_a_new_reason(told: str, share: float | None) -> None:
    assert pasted_share(TEXT, told, earlier="", earlier_share=None) == share


@pytest.mark.parametrize(
    ("told", "before", "share"),
    [
        ("5 0 0", 1.0, 0.5),  # five characters typed behind five pasted ones
        ("5 0 0", 0.0, 0.0),
        ("1 5 0", 0.0, 0.5),
        ("5 0 0", None, None),  # a part of the reason is unknown
        ("5 10 1", None, 1.0),  # nothing of it is left
        ("9 0 1", 1.0, 0.0),
        ("", 1.0, None),
    ],
)
def test_a_changed_reason(told: str, before: float | None, share: float | None) -> None:
    assert pasted_share(TEXT, told, earlier=TEXT[:5], earlier_share=before) == share


@pytest.mark.parametrize("before", [None, 0.0, 0.7])
def test_a_reason_that_did_not_change(before: float | None) -> None:
    assert pasted_share(TEXT, "1 10 0", earlier=TEXT, earlier_share=before) == before


@given(st.text(), st.text(), st.text(), st.none() | st.floats(0, 1))
def test_a_share_is_a_share_whatever_the_browser_says(
    reason: str, told: str, earlier: str, before: float | None
) -> None:
    share = pasted_share(reason, told, earlier=earlier, earlier_share=before)
    assert share is None or 0 <= share <= 1


@pytest.mark.parametrize(
    ("known", "pasted", "remarkable"),
    [
        (LEAST_REASONS, LEAST_REASONS, True),
        (LEAST_REASONS, LEAST_REASONS // 2, True),
        (LEAST_REASONS, LEAST_REASONS // 2 - 1, False),
        (LEAST_REASONS - 1, LEAST_REASONS - 1, False),
        (0, 0, False),
    ],
)
def test_who_is_worth_checking(known: int, pasted: int, remarkable: bool) -> None:
    assert Evidence(99, known, pasted, 0, 0).is_remarkable is remarkable


@pytest.mark.parametrize(("visible", "share"), [(100, 0.0), (25, 0.75), (130, 0.0)])
def test_the_time_out_of_sight(visible: float, share: float) -> None:
    assert Evidence(8, 0, 0, 100, visible).away_share == share
    assert Evidence(8, 0, 0, 0, 0).away_share is None
