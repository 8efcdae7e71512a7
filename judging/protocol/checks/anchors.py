"""Check (c): the H anchor has a larger magnitude than the N anchor ([T15] 3.4)."""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from typing import Final

from judging.protocol.checks.base import Fact, Finding, FinishedUnit, Settings, UnitCheck
from judging.protocol.scales import judging_of
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
    """Pass if the H anchor has the larger magnitude, or the same magnitude if the study lets ties pass.

    The scale of the study says how the numbers compare. Raise ValueError unless the unit has exactly one H
    and one N anchor.
    """
    order = judging_of(study).compare(unit.magnitude_of("H"), unit.magnitude_of("N"))
    tau = tau_between_attempts(unit.earlier[-1], unit.magnitudes) if unit.earlier else None
    passed = order == "ordered" or (order == "tied" and study.anchor_ties == "pass")
    return Finding(passed, {"anchors": order, "tau": tau})


_ORDERS: Final = {
    "tied": _("both anchors had the same number"),
    "inverted": _("the N anchor had the larger number"),
}


def _order_in_words(order: str) -> Sentence:
    return Sentence(_ORDERS[order])


def _tau_in_words(tau: float) -> Sentence:
    text = _("Kendall’s τ between the numbers in this attempt and those in an earlier attempt: {tau}")
    return Sentence(text, {"tau": f"{tau:.2f}"})


CHECK: Final = UnitCheck(
    letter="c",
    heading=_("(c) Anchors"),
    failed=_("units that failed the anchor check"),
    event="anchors_failed",
    verdict=verdict,
    facts=(
        Fact("anchors", str, "`tied` or `inverted`", _order_in_words, options=("tied", "inverted")),
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
