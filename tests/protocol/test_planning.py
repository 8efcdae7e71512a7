"""Units planned from a seed: the worked numbers of the prose, and its laws over many pools."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.protocol.planning import (
    choose_topic,
    draw_anchors,
    place_documents,
    plan_units,
    unit_rng,
    units_needed,
)

Plan = list[tuple[int, ...]]


def plan(n: int, *, judgments: int = 10, others: int = 6, seed: int = 1) -> Plan:
    return plan_units(range(n), judgments=judgments, others=others, rng=unit_rng(seed, "401"))


def times_judged(units: Plan) -> Counter[int]:
    return Counter(document for unit in units for document in unit)


def assert_lawful(units: Plan, n: int, judgments: int, others: int) -> None:
    """⌈judgments · n / others⌉ full units, none with a document twice, each document as often as is due."""
    times = times_judged(units)
    assert len(units) == units_needed(n, judgments=judgments, others=others) == -(-n * judgments // others)
    assert all(len(unit) == len(set(unit)) == others for unit in units)
    assert set(times) == set(range(n))
    assert set(times.values()) <= {judgments, judgments + 1}


@pytest.mark.parametrize("n", range(6, 201))
@pytest.mark.parametrize("seed", [0, 1, 2015])
def test_ten_judgments_in_units_of_six(n: int, seed: int) -> None:
    assert_lawful(plan(n, seed=seed), n, 10, 6)


@given(
    others=st.integers(1, 12),
    more=st.integers(0, 40),
    judgments=st.integers(1, 15),
    seed=st.integers(0, 10**9),
)
def test_any_unit_size_pool_and_number_of_judgments(
    others: int, more: int, judgments: int, seed: int
) -> None:
    n = others + more
    assert_lawful(
        plan(n, judgments=judgments, others=others, seed=seed), n, judgments=judgments, others=others
    )


def test_the_worked_number_of_the_prose() -> None:
    """n = 7: a stream of 70, cut into 11 units of six and a last one of four, filled with two."""
    units = plan(7)
    assert len(units) == 12
    assert sorted(times_judged(units).values()) == [10] * 5 + [11] * 2


def test_a_pool_of_one_unit_is_that_unit_ten_times() -> None:
    assert [sorted(unit) for unit in plan(6)] == [list(range(6))] * 10


def test_same_seed_same_plan() -> None:
    assert plan(50, seed=3) == plan(50, seed=3)


def test_other_seed_topic_or_batch_other_plan() -> None:
    dice = [unit_rng(3, "401"), unit_rng(4, "401"), unit_rng(3, "402"), unit_rng(3, "401", 1)]
    plans = [plan_units(range(50), judgments=10, others=6, rng=rng) for rng in dice]
    assert all(plans[0] != other for other in plans[1:])


def test_too_small_a_pool_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"\b5\b.*\b6\b"):
        plan(5)


@given(n=st.integers(6, 60), first=st.integers(1, 10), more=st.integers(0, 6), seed=st.integers(0, 10**6))
def test_more_judgments_add_units_and_plan_only_what_is_missing(
    n: int, first: int, more: int, seed: int
) -> None:
    old = plan(n, judgments=first, seed=seed)
    planned = times_judged(old)
    added = plan_units(
        range(n), judgments=first + more, others=6, rng=unit_rng(seed, "401", 1), planned=planned
    )
    times = planned + times_judged(added)
    missing = sum(max(first + more - planned[document], 0) for document in range(n))
    assert old == plan(n, judgments=first, seed=seed)
    assert all(len(unit) == len(set(unit)) == 6 for unit in added)
    assert set(times.values()) <= {first + more, first + more + 1, *planned.values()}
    assert min(times.values()) >= first + more
    assert len(added) >= -(-missing // 6)
    if not more:
        assert added == []


def test_documents_added_later_get_their_judgments() -> None:
    """A topic that grows from 12 documents to 20 plans eight times ten judgments: ⌈80 / 6⌉ = 14 units."""
    planned = times_judged(plan(12))
    added = plan_units(range(20), judgments=10, others=6, rng=unit_rng(1, "401", 1), planned=planned)
    assert len(added) == 14
    assert set((planned + times_judged(added)).values()) <= {10, 11}


@pytest.mark.parametrize("new", [1, 2, 5, 7])
@pytest.mark.parametrize("seed", range(5))
def test_a_few_documents_added_later_share_their_units(new: int, seed: int) -> None:
    """Each document is in a unit once, so ten judgments take ten units, whose other places are filled."""
    first = plan(9, seed=seed)
    more = plan_units(
        range(9 + new),
        judgments=10,
        others=6,
        rng=unit_rng(seed, "401", batch=len(first)),
        planned=times_judged(first),
    )
    assert len(more) == max(10, -(-10 * new // 6))
    assert all(len(unit) == len(set(unit)) == 6 for unit in more)
    times = times_judged([*first, *more])
    added = times_judged(more)
    assert all(10 <= added[document] <= 11 for document in range(9, 9 + new))
    filled = [times[document] for document in range(9)]
    assert max(filled) - min(filled) <= 1, "the other places go to the documents with the fewest judgments"


def test_neighbours_are_mixed() -> None:
    """Units are no slices of one order: in 50 documents few pairs meet more often than chance makes them."""
    pairs = Counter(
        frozenset((item, other)) for unit in plan(50) for item in unit for other in unit if item < other
    )
    assert max(pairs.values()) <= 7  # a pair meets 84 · 15 / 1225 ≈ 1 time on the average
    assert len(pairs) > 600  # of 1225


def test_anchors_are_placed_anywhere() -> None:
    rng = Random(2)
    orders = [place_documents(list("abcdef"), list("HN"), rng) for _ in range(4000)]
    places = Counter(order.index("H") for order in orders)
    assert all(sorted(order) == sorted("abcdefHN") for order in orders)
    assert all(420 < places[place] < 580 for place in range(8))  # 500 each, σ = 21


def draw(h: dict[str, int], n: dict[str, int], seed: int = 1) -> dict[str, str]:
    return draw_anchors({"H": h, "N": n}, seed=seed, topic_number="401")


def test_anchors_are_drawn_by_seed_whatever_the_order_of_the_file() -> None:
    h, n = ({f"{grade}{number}": 100 for number in range(30)} for grade in "HN")
    assert draw(h, n) == draw(dict(reversed(h.items())), dict(reversed(n.items())))
    drawn = [draw(h, n, seed) for seed in range(200)]
    assert all(len({pair[grade] for pair in drawn}) > 20 for grade in "HN")


def test_anchors_are_drawn_alike_in_length() -> None:
    h, n = {"H-short": 100, "H-long": 900}, {"N-short": 140, "N-longer": 601}
    pairs = {tuple(draw(h, n, seed).values()) for seed in range(60)}
    assert pairs == {("H-short", "N-short"), ("H-long", "N-longer")}  # 1.4 and 1.498 times as long


def test_without_a_pair_alike_in_length_the_nearest_is_drawn() -> None:
    assert {draw({"a": 10, "b": 40}, {"c": 100, "d": 1000}, seed)["H"] for seed in range(20)} == {"b"}
    assert {draw({"a": 10, "b": 40}, {"c": 100, "d": 0}, seed)["N"] for seed in range(20)} == {"c"}


def test_to_an_anchor_that_is_named_the_other_is_drawn() -> None:
    assert {draw({"named": 10}, {"c": 12, "d": 90}, seed)["N"] for seed in range(20)} == {"c"}
    assert draw_anchors({"N": {"c": 1}}, seed=1, topic_number="401") == {"N": "c"}
    assert draw_anchors({}, seed=1, topic_number="401") == {}


def test_the_choice_of_a_topic_is_weighted_or_uniform() -> None:
    left, rng = {"many": 90, "few": 10}, Random(4)
    weighted = Counter(choose_topic(left, weighted=True, rng=rng) for _ in range(4000))
    uniform = Counter(choose_topic(left, weighted=False, rng=rng) for _ in range(4000))
    assert 320 < weighted["few"] < 480  # 400, σ = 19
    assert 1870 < uniform["few"] < 2130  # 2000, σ = 32
