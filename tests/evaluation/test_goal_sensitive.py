"""INSQ and INST: their worked example, their definitions rank by rank, and what a truncated sum gives."""

import math

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from evaluation.scores import score
from tests.evaluation.conftest import made
from tests.evaluation.refusals import refused

TAIL = math.pi**2 / 6 - 1
"""Σ 1/j² from j = 2, which is ψ₁(2)."""
CWL_EVAL = {
    "INSQ(T=1)": 0.5665872472676243,
    "INSQ(T=3)": 0.341962817577135,
    "INST(T=1)": 0.7862783912673416,
    "INST(T=3)": 0.44830132612996576,
}
"""Recorded from version 1.0.12, for relevant documents at ranks 1, 3, 4 and 8."""
SHARES = st.lists(st.sampled_from([0, 0, 0.25, 0.5, 1]), max_size=12)


def by_rank(gains, wanted, *, adapts, deepest=3000, goes_on=True):
    """The definition, with C(i) multiplied out down to a rank after which the sum of weights is an integral.

    With `goes_on=False`, the weights end at this rank, as in cwl_eval.
    """
    found, weight, total, gained = 0.0, 1.0, 0.0, 0.0
    for rank in range(1, deepest + 1):
        gain = gains[rank - 1] if rank <= len(gains) else 0
        found += gain
        total += weight
        gained += weight * gain
        still = wanted - found if adapts else wanted
        following = ((rank + wanted + still - 1) / (rank + wanted + still)) ** 2
        weight *= following
    return gained / (total + weight * (deepest + wanted + still + 1 / 2) * goes_on)


def test_worked_values(value):
    """T = 1, relevant at ranks 1 and 3. INST: W is 1, 1/4, 1/9 and then 4/9 · (1/3² + 1/4² + …)."""
    assert value("INSQ", [1, 0, 1]) == pytest.approx((1 / 4 + 1 / 16) / TAIL)
    rest = 4 / 9 * (TAIL - 1 / 4)
    assert value("INST", [1, 0, 1]) == pytest.approx((1 + 1 / 9) / (1 + 1 / 4 + 1 / 9 + rest))
    assert value("INST", [0, 0, 0], [1]) == value("INSQ", [0, 0, 0], [1]) == 0
    # A reader who wants more looks further down.
    assert value("INSQ(T=5)", [0] * 9 + [1]) > value("INSQ(T=1)", [0] * 9 + [1])
    # A cut-off ends the list.
    assert value("INST@1", [1, 0, 1]) == pytest.approx(value("INST", [1], [1]))


def test_a_reader_who_wants_half_a_document_stops_at_the_first(value):
    """C(1) = 0 if the first document is relevant, so its weight is all there is."""
    assert value("INST(T=0.5)", [1, 0, 0]) == pytest.approx(1)
    assert value("INSQ(T=0.5)", [1, 0, 0]) == pytest.approx(6 / math.pi**2)
    for measure in ("INST(T=0.4)", "INSQ(T=0)", "INST(T=many)"):
        with refused("parameter-below-half", "T", measure[:4]):
            value(measure, [1])


@given(shares=SHARES, wanted=st.sampled_from([0.5, 1, 2.5, 10]))
def test_the_definition(shares, wanted):
    gains, run = made({"t": ([10 * share for share in shares], [10])})
    names = [f'{name}(T={wanted}, gain="linear", gmax=10)' for name in ("INSQ", "INST")]
    values = score(gains, [run], names).values[0, 0]
    expected = [by_rank(shares, wanted, adapts=adapts) for adapts in (False, True)]
    assert values == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("measure", "theirs"), CWL_EVAL.items())
def test_values_of_cwl_eval(value, measure, theirs):
    """It ends its sums at rank 1,000, so what it gives is a little larger."""
    gains, adapts, wanted = [1, 0, 1, 1, 0, 0, 0, 1], measure.startswith("INST"), int(measure[-2])
    ended = by_rank(gains, wanted, adapts=adapts, deepest=1000, goes_on=False)
    assert theirs == pytest.approx(ended, rel=1e-12)
    assert value(measure, gains) == pytest.approx(by_rank(gains, wanted, adapts=adapts), rel=1e-6)
    assert ended * (1 - 1 / 100) < value(measure, gains) < ended


@given(wanted=st.floats(0.5, 1e6))
def test_the_weight_of_the_first_rank(wanted):
    """INSQ of a list whose only relevant document is first is 1/(2T)² / ψ₁(2T)."""
    gains, run = made({"t": ([1], [])})
    value = score(gains, [run], [f"INSQ(T={wanted})"]).values[0, 0, 0]
    assert value == pytest.approx(1 / (2 * wanted) ** 2 / scipy.special.polygamma(1, 2 * wanted), rel=1e-12)
