"""Decide whether the end of a unit, or of a participation, is paid at once, reviewed first, or not paid.

Every end that a study pays for goes through `decide`: a completed unit, failed checks, a document that could
not be judged, a cancelled unit, and a screened-out worker. The result is stored with the payment. Exports,
totals and the platforms' payments read the stored result and never decide again.

An end is held if a person has to look at it: too little time was measured, the judgments are deleted, the
worker's record looks like guessing, or the study's spending limit is reached. Only the number of ends that
were paid without a completed unit leads to a refusal, because the study states this limit beforehand.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from judging.protocol.words import gettext_noop as _


class PayDecision(StrEnum):
    """What happens to a payment: it is due, waits for a researcher, or is refused."""

    PAY = "pay"
    HOLD = "hold"
    REFUSE = "refuse"


class PayReason(StrEnum):
    """Why a payment is held or refused, or REVIEWED if a researcher decided."""

    TOO_FAST = "too_fast"
    TOO_MANY = "too_many"
    LIMIT = "limit"
    DELETED = "deleted"
    RECORD = "record"
    REVIEWED = "reviewed"


REASONS_IN_WORDS: Final = {
    PayReason.TOO_FAST: _("The documents were open for less time than the study asks for."),
    PayReason.TOO_MANY: _("The worker was already paid for as many uncompleted units as the study allows."),
    PayReason.LIMIT: _("The study has reached its spending limit."),
    PayReason.DELETED: _("The worker deleted the judgments."),
    PayReason.RECORD: _("The worker’s units look like guessing."),
    PayReason.REVIEWED: _("A researcher decided."),
}
"""Maps each reason to the sentence that researchers read."""


WORDS_FOR_WORKERS: Final = {
    (PayDecision.HOLD, PayReason.TOO_FAST): _(
        "A researcher checks this first, because the documents were open only briefly."
    ),
    (PayDecision.HOLD, PayReason.LIMIT): _("A researcher checks this first."),
    (PayDecision.HOLD, PayReason.DELETED): _(
        "A researcher checks this first, because the answers are deleted."
    ),
    (PayDecision.HOLD, PayReason.RECORD): _("A researcher checks this first."),
    (PayDecision.REFUSE, PayReason.TOO_MANY): _(
        "Not paid. You already get pay for as many sets that were not completed as this study allows."
    ),
    (PayDecision.REFUSE, PayReason.REVIEWED): _("Not paid. A researcher decided this."),
}
"""Maps each decision that is not simply to pay, with its reason, to the sentence that the worker reads."""


@dataclass(frozen=True)
class PayFacts:
    """What is known about an end that the study pays for.

    `seconds` is the time for which documents were open, and `least_seconds` is the time that the study asks
    for. `compensated` is the number of earlier ends for which the worker gets or may get pay without a
    completed unit. `available` is the money that the study can still spend, or None without a limit.
    `looks_guessed` says whether the worker's record looks like guessing.
    """

    amount: Decimal
    completed: bool
    seconds: float = 0.0
    least_seconds: float = 0.0
    compensated: int = 0
    most_compensated: int | None = None
    available: Decimal | None = None
    looks_guessed: bool = False


@dataclass(frozen=True)
class PayVerdict:
    """The decision about a payment, and the reason if it is not simply paid."""

    decision: PayDecision
    reason: PayReason | None = None


PAID: Final = PayVerdict(PayDecision.PAY)
HELD_AS_DELETED: Final = PayVerdict(PayDecision.HOLD, PayReason.DELETED)


def decide(facts: PayFacts) -> PayVerdict:
    """Return what happens to the pay for an end.

    Completed units are never refused here: they passed the checks, and their number is limited when units are
    reserved. The spending limit also applies when units are reserved, so it can only concern a screened-out
    worker.
    """
    if facts.amount <= 0:
        return PAID
    if (
        not facts.completed
        and facts.most_compensated is not None
        and facts.compensated >= facts.most_compensated
    ):
        return PayVerdict(PayDecision.REFUSE, PayReason.TOO_MANY)
    if facts.seconds < facts.least_seconds:
        return PayVerdict(PayDecision.HOLD, PayReason.TOO_FAST)
    if facts.looks_guessed:
        return PayVerdict(PayDecision.HOLD, PayReason.RECORD)
    if facts.available is not None and facts.amount > facts.available:
        return PayVerdict(PayDecision.HOLD, PayReason.LIMIT)
    return PAID


def least_seconds(*, least_paid_seconds: int | None, seconds_per_document: float, documents: int) -> float:
    """Return the time that must be measured before an end is paid at once.

    `documents` is the number of documents that the worker reached. Without a setting, each of them, and at
    least one, needs the minimum seconds of a document.
    """
    if least_paid_seconds is not None:
        return float(least_paid_seconds)
    return seconds_per_document * max(1, documents)
