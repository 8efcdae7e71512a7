"""The anchors of a unit as a list of pairs: their names, and the law of units with one pair and with two."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.protocol.anchor_pairs import ANCHORS_PER_PAIR, MOST_PAIRS, PAIRS, Anchor, anchors_of, gold
from judging.protocol.planning import place_documents, plan_units, unit_rng


def test_a_pair_is_an_h_and_an_n() -> None:
    assert [(high.grade, low.grade) for high, low in PAIRS] == [("H", "N")] * MOST_PAIRS
    assert [(high.pair, low.pair) for high, low in PAIRS] == [(1, 1), (2, 2)]
    assert anchors_of(1) == ("H", "N")
    assert anchors_of(2) == ("H", "N", "H2", "N2") == tuple(Anchor)


def test_gold_is_the_grade() -> None:
    assert [gold(anchor) for anchor in ("H", "N", "H2", "N2", "")] == ["H", "N", "H", "N", ""]
    with pytest.raises(ValueError, match="M"):
        gold("M")


@given(
    pairs=st.integers(1, MOST_PAIRS),
    others=st.integers(1, 12),
    more=st.integers(0, 30),
    judgments=st.integers(1, 8),
    seed=st.integers(0, 10**9),
)
def test_every_unit_has_its_pairs_and_no_document_twice(
    pairs: int, others: int, more: int, judgments: int, seed: int
) -> None:
    """Whatever the pool, a unit of `unit_size` documents has all anchors of the study, each once."""
    unit_size = ANCHORS_PER_PAIR * pairs + others
    documents = [f"D{number}" for number in range(others + more)]
    anchors = [anchor.value for anchor in anchors_of(pairs)]
    units = plan_units(documents, judgments=judgments, others=others, rng=unit_rng(seed, "401"))
    rng = Random(seed)
    for unit in units:
        shown = place_documents(unit, anchors, rng)
        assert len(shown) == len(set(shown)) == unit_size
        assert set(anchors) <= set(shown)
    times = Counter(document for unit in units for document in unit)
    assert set(times.values()) <= {judgments, judgments + 1}


def test_the_anchors_of_both_pairs_stand_anywhere() -> None:
    """Each anchor is as likely at each of the 8 places, and each order of a pair is as likely."""
    rng, times = Random(3), 4000
    orders = [place_documents(list("abcd"), [*anchors_of(2)], rng) for _ in range(times)]
    for anchor in anchors_of(2):
        places = Counter(order.index(anchor) for order in orders)
        assert all(420 < places[place] < 580 for place in range(8))  # 500 each, σ = 21
    for high, low in PAIRS:
        first = sum(order.index(high) < order.index(low) for order in orders)
        assert 1850 < first < 2150  # 2000, σ = 32
