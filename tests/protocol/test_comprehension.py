"""Check (b): the options of the question are shuffled, and the place on the page leads back to the option."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from judging.protocol.checks.comprehension import OPTIONS, chosen_option, shuffle_options


@given(st.integers())
def test_every_option_is_shown_once_and_found_again(seed: int) -> None:
    order = shuffle_options(Random(seed))
    assert sorted(order) == list(range(OPTIONS))
    assert [chosen_option(order, place) for place in range(OPTIONS)] == list(order)


def test_all_orders_are_equally_likely() -> None:
    rng = Random(5)
    orders = Counter(shuffle_options(rng) for _ in range(24 * 400))
    assert len(orders) == 24
    assert all(300 < times < 500 for times in orders.values())  # 400 each, σ = 20
