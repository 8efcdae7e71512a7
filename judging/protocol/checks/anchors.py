"""Check (c): in each pair of anchors, H has a larger magnitude than N ([T15] 3.4).

With two pairs, each pair is checked on its own: H against N, and H2 against N2. A rule across the pairs
(every H above every N) would stop random numbers a little more often: 5 units of 6 instead of 3 of 4. But it
compares twice as many documents, so it fails more honest workers. And if one anchor is bad, the rule blames
both pairs, so nobody sees which of them to replace.
"""

from collections.abc import Sequence
from itertools import combinations, product
from math import sqrt
from typing import Final, get_args

from judging.protocol.anchor_pairs import MOST_PAIRS, PAIRS
from judging.protocol.checks.check import Fact, Finding, FinishedUnit, Settings, UnitCheck
from judging.protocol.scales import judging_of
from judging.protocol.scales.answers import AnchorOrder
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _


def tau_between_attempts(earlier: Sequence[float], later: Sequence[float]) -> float | None:
    """Return Kendall's τ_b, in [-1, 1], between the magnitudes of two attempts to finish a unit.

    Return None if all magnitudes of one of the attempts are equal. A negative value means that the worker
    reversed the order instead of correcting it. Such a value causes an event, but the unit is never rejected
    because of it.
    """
    concordance = earlier_pairs = later_pairs = 0
    for (x1, y1), (x2, y2) in combinations(zip(earlier, later, strict=True), 2):
        x, y = (x1 > x2) - (x1 < x2), (y1 > y2) - (y1 < y2)
        concordance += x * y
        earlier_pairs += x * x
        later_pairs += y * y
    if not earlier_pairs or not later_pairs:
        return None
    return concordance / sqrt(earlier_pairs * later_pairs)


def verdict(unit: FinishedUnit, study: Settings) -> Finding:
    """Pass if H has the larger magnitude in each pair, or the same magnitude if the study lets ties pass.

    The scale of the study says how the numbers compare. Raise ValueError unless the unit has exactly one
    document for each anchor of the study.
    """
    order = judging_of(study).order
    orders = [order(unit, high, low) for high, low in PAIRS[: study.anchor_pairs]]
    tau = tau_between_attempts(unit.earlier[-1], unit.numbers) if unit.earlier else None
    allowed = {"ordered", "tied"} if study.anchor_ties == "pass" else {"ordered"}
    return Finding(allowed.issuperset(orders), {"anchors": " ".join(orders), "tau": tau})


def orders_of(anchors: str) -> list[str]:
    """Return how the anchors of each pair compare, from the fact `anchors` of an event. "" has no pairs."""
    return anchors.split()


_POSSIBLE: Final = [product(get_args(AnchorOrder), repeat=pairs) for pairs in range(1, MOST_PAIRS + 1)]
FAILURES: Final = tuple(
    " ".join(orders) for possible in _POSSIBLE for orders in possible if {*orders} != {"ordered"}
)
"""All values that the fact `anchors` of an event can have: an order for each pair, not all of them right."""
_ORDERS: Final = {
    "ordered": _("the H anchor was judged more relevant"),
    "tied": _("both anchors were judged equally relevant"),
    "inverted": _("the N anchor was judged more relevant"),
}


def _order_in_words(order: str) -> Sentence:
    """Return a sentence for the fact `anchors`, which has one order or, with two pairs, two."""
    pairs = [Sentence(_ORDERS[of_pair]) for of_pair in orders_of(order)]
    if len(pairs) == 1:
        return pairs[0]
    return Sentence(_("first pair: {first}; second pair: {second}"), {"first": pairs[0], "second": pairs[1]})


def _tau_in_words(tau: float) -> Sentence:
    text = _("Kendall’s τ between the answers in this attempt and those in an earlier attempt: {tau}")
    return Sentence(text, {"tau": f"{tau:.2f}"})


CHECK: Final = UnitCheck(
    letter="c",
    heading=_("(c) Anchors"),
    failed=_("units that failed the anchor check"),
    event="anchors_failed",
    event_words=_("anchors failed"),
    verdict=verdict,
    facts=(
        Fact(
            "anchors",
            str,
            "`tied` or `inverted`; with two pairs of anchors, a word for each pair, such as `ordered tied`",
            _order_in_words,
            options=FAILURES,
        ),
        Fact(
            "tau",
            float,
            "Kendall's τ between this attempt and the previous one; for `order_inverted`, the"
            " lowest τ between this attempt and any earlier one",
            _tau_in_words,
            unit="−1 … 1",
        ),
    ),
)
