"""Rings of documents: who meets whom, in every size of unit, and how evenly rings are drawn."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.protocol.ring import compared_in, place_in_ring

OTHERS = st.integers(min_value=1, max_value=12)
PAIRS = st.sampled_from([(), (("H", "N"),), (("H", "N"), ("H2", "N2"))])


@given(others=OTHERS, pairs=PAIRS, seed=st.integers())
def test_each_document_is_once_first_and_once_second(
    others: int, pairs: tuple[tuple[str, str], ...], seed: int
) -> None:
    documents = [f"d{number}" for number in range(max(others, 3 - 2 * len(pairs)))]
    ring = place_in_ring(documents, pairs, Random(seed))
    pages = list(compared_in(ring))
    everything = sorted([*documents, *(anchor for pair in pairs for anchor in pair)])
    assert sorted(first for first, _ in pages) == everything
    assert sorted(second for _, second in pages) == everything
    assert all(first != second for first, second in pages)
    assert [second for _, second in pages] == [first for first, _ in [*pages[1:], pages[0]]]


@given(others=OTHERS, pairs=PAIRS, seed=st.integers())
def test_each_pair_of_anchors_meets_on_exactly_one_page(
    others: int, pairs: tuple[tuple[str, str], ...], seed: int
) -> None:
    documents = [f"d{number}" for number in range(max(others, 3 - 2 * len(pairs)))]
    pages = [set(page) for page in compared_in(place_in_ring(documents, pairs, Random(seed)))]
    assert all(pages.count(set(pair)) == 1 for pair in pairs)


def test_the_worked_example_is_a_ring() -> None:
    assert list(compared_in(["H", "a", "b", "N"])) == [("H", "a"), ("a", "b"), ("b", "N"), ("N", "H")]


def test_all_rings_are_equally_likely() -> None:
    """Two other documents: 2! orders of three blocks in a circle, 2 directions, and 4 places to start."""
    rng, times = Random(5), 16_000
    drawn = Counter(tuple(place_in_ring(["a", "b"], [("H", "N")], rng)) for _ in range(times))
    assert len(drawn) == 16
    expected = times / len(drawn)
    chi_squared = sum((count - expected) ** 2 / expected for count in drawn.values())
    assert chi_squared < 37.7  # the 0.999 quantile for 15 degrees of freedom


def test_two_documents_are_too_few() -> None:
    with pytest.raises(ValueError, match="three documents"):
        place_in_ring([], [("H", "N")], Random(1))
