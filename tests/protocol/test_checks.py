"""Checks (c) and (d) on the documents of one unit, and Kendall's τ between two tries."""

from dataclasses import dataclass
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from judging.protocol.anchor_pairs import anchors_of
from judging.protocol.checks import CHECKS, attempts_left, failed_checks, unit_checks
from judging.protocol.checks.anchors import tau_between_attempts
from judging.protocol.checks.check import FinishedUnit, Observation
from judging.protocol.judges import KINDS
from judging.protocol.scales import DEFAULT
from judging.protocol.scales.answers import compare

TRIES = st.lists(
    st.tuples(st.sampled_from([0.5, 1.0, 2.0, 7.0, 100.0]), st.floats(1e-100, 1e100)), min_size=2, max_size=12
)


@dataclass(frozen=True)
class Asked:
    """The settings of a study that the checks read."""

    anchor_ties: str = "fail"
    scale: str = DEFAULT
    seconds_per_document: float = 20
    anchor_pairs: int = 1


def unit(high: float, low: float, *seconds: float) -> FinishedUnit:
    others = [Observation("", 5.0, spent) for spent in seconds]
    return FinishedUnit([Observation("N", low, 20.0), *others, Observation("H", high, 20.0)])


def failed(*seen: float, anchor_ties: str = "fail") -> dict[str, object]:
    """The letters of the checks that fail, each with its facts."""
    return {check.letter: facts for check, facts in failed_checks(unit(*seen), Asked(anchor_ties))}


@pytest.mark.parametrize(
    ("high", "low", "anchor_ties", "passes"),
    [
        (2, 1, "fail", True),
        (1, 1, "fail", False),
        (1, 2, "fail", False),
        (2, 1, "pass", True),
        (1, 1, "pass", True),
        (1, 2, "pass", False),
    ],
)
def test_check_c_with_both_settings_of_anchor_ties(
    high: float, low: float, anchor_ties: str, passes: bool
) -> None:
    facts = {"anchors": compare(high, low), "tau": None}
    assert failed(high, low, anchor_ties=anchor_ties) == ({} if passes else {"c": facts})


@pytest.mark.parametrize("ties", ["fail", "pass"])
@pytest.mark.parametrize("orders", list(product(["ordered", "tied", "inverted"], repeat=2)))
def test_check_c_with_two_pairs_passes_if_each_pair_passes(orders: tuple[str, str], ties: str) -> None:
    """Each pair is checked on its own: H2 may be far below H, and even below N."""
    numbers = {"ordered": (2.0, 1.0), "tied": (3.0, 3.0), "inverted": (1.0, 2.0)}
    (h, n), (h2, n2) = (numbers[order] for order in orders)
    documents = [("H", h * 100), ("N", n * 100), ("", 5.0), ("H2", h2), ("N2", n2)]
    finished = FinishedUnit([Observation(anchor, value, 20.0) for anchor, value in documents])
    allowed = {"ordered", "tied"} if ties == "pass" else {"ordered"}
    facts = [facts for _check, facts in failed_checks(finished, Asked(ties, anchor_pairs=2))]
    assert facts == ([] if allowed >= {*orders} else [{"anchors": " ".join(orders), "tau": None}])


def test_random_numbers_pass_one_pair_half_the_time_and_two_pairs_a_quarter() -> None:
    """Over all orders of different numbers, as a bot types them."""

    def share(pairs: int) -> float:
        anchors = anchors_of(pairs)
        units = [
            FinishedUnit(
                [Observation(anchor, value, 20.0) for anchor, value in zip(anchors, order, strict=True)]
            )
            for order in permutations([1.0, 2.0, 3.0, 4.0][: len(anchors)])
        ]
        return sum(not failed_checks(unit, Asked(anchor_pairs=pairs)) for unit in units) / len(units)

    assert (share(1), share(2)) == (1 / 2, 1 / 4)


def test_a_failure_of_two_pairs_is_said_in_words() -> None:
    fact = next(fact for fact in CHECKS["c"].facts if fact.name == "anchors")
    assert len(fact.options) == len(set(fact.options)) == 2 + 8
    assert "ordered" not in fact.options
    assert "ordered ordered" not in fact.options
    assert str(fact.words("inverted")) == "the N anchor was judged more relevant"
    assert str(fact.words("ordered tied")) == (
        "first pair: the H anchor was judged more relevant; "
        "second pair: both anchors were judged equally relevant"
    )


def test_check_d_counts_the_documents_that_fell_short() -> None:
    assert failed(2, 1, 20.0, 19.99, 0.0) == {"d": {"short": 2}}


@pytest.mark.parametrize(("anchors_fail", "time_fails"), list(product([False, True], repeat=2)))
def test_both_checks_always_run(anchors_fail: bool, time_fails: bool) -> None:
    result = failed(1 if anchors_fail else 3, 2, 0.0 if time_fails else 20.0)
    assert set(result) == {letter for letter, fails in (("c", anchors_fail), ("d", time_fails)) if fails}


def test_a_failed_check_has_the_tau_with_the_try_before() -> None:
    seen = unit(1, 2, 20.0)
    again = FinishedUnit(seen.documents, earlier=[[9.0, 9.0, 9.0], [-number for number in seen.numbers]])
    ((_, facts),) = failed_checks(again, Asked())
    assert facts == {"anchors": "inverted", "tau": -1.0}


@pytest.mark.parametrize("anchors", ["", "H", "N", "HH", "HHN", "HNN"])
def test_a_unit_without_exactly_one_anchor_of_each_kind_is_an_error(anchors: str) -> None:
    with pytest.raises(ValueError, match="unpack"):
        failed_checks(FinishedUnit([Observation(anchor, 1.0, 20.0) for anchor in anchors]), Asked())


@pytest.mark.parametrize("anchors", [["H", "N"], ["H", "N", "H2"], ["H", "H2", "N2", "N2", "N"]])
def test_a_unit_without_its_second_pair_is_an_error(anchors: list[str]) -> None:
    unit = FinishedUnit([Observation(anchor, 1.0, 20.0) for anchor in anchors])
    with pytest.raises(ValueError, match="unpack"):
        failed_checks(unit, Asked(anchor_pairs=2))


def test_the_checks_in_the_order_of_their_letters() -> None:
    assert [*CHECKS] == sorted(CHECKS)
    assert [check.letter for check in unit_checks()] == [letter for letter in CHECKS if letter not in "ab"]
    facts = [fact.name for check in CHECKS.values() for fact in check.facts]
    assert len(set(facts)) == len(facts), "each is a field of the events"


@given(TRIES)
def test_tau_is_scipys_tau_b(tries: list[tuple[float, float]]) -> None:
    earlier, later = zip(*tries, strict=True)
    tau = tau_between_attempts(earlier, later)
    expected = kendalltau(earlier, later, variant="b").statistic
    if tau is None:
        assert len(set(earlier)) == 1 or len(set(later)) == 1
    else:
        assert tau == pytest.approx(expected, abs=1e-12)
        assert -1 <= tau <= 1


def test_tau_of_the_same_the_turned_and_the_constant() -> None:
    numbers = [1.0, 5.0, 2.0, 9.0]
    assert tau_between_attempts(numbers, numbers) == 1
    assert tau_between_attempts(numbers, [1 / number for number in numbers]) == -1
    assert tau_between_attempts(numbers, [3.0] * 4) is None
    assert tau_between_attempts([3.0] * 4, numbers) is None


def test_attempts_left() -> None:
    assert [attempts_left(3, failed=failed) for failed in range(5)] == [3, 2, 1, 0, 0]
    assert attempts_left(None, failed=99) is None


def test_time_is_not_checked_for_judges_without_eyes() -> None:
    documents = [Observation(anchor, value, 0.1) for anchor, value in (("H", 9.0), ("N", 1.0))]
    seen, unseen = (FinishedUnit(documents, is_timed=is_timed) for is_timed in (True, False))
    assert [check.letter for check, _ in failed_checks(seen, Asked())] == ["d"]
    assert failed_checks(unseen, Asked()) == []
    assert KINDS["person"].is_timed
    assert not KINDS["machine"].is_timed
