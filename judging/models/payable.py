"""The decision about a payment, which assignments and participations store together with the amount."""

from datetime import datetime
from typing import Final

from django.db import models
from django.db.models import Q

from judging.models.fields import choices, one_of
from judging.protocol.paying import REASONS_IN_WORDS, WORDS_FOR_WORKERS, PayDecision, PayReason

DECISION_FIELDS: Final = ("pay_decision", "pay_reason", "pay_note")
LONGEST_NOTE: Final = 500


class Payable(models.Model):
    """A row that can be paid for. The decision only matters if the row has an amount to pay."""

    pay_decision = models.CharField(
        max_length=6,
        choices=choices(PayDecision),
        default=PayDecision.PAY.value,
        db_default=PayDecision.PAY.value,
        help_text="pay: due once there is an amount. hold: waits for a researcher. refuse: not paid.",
    )
    pay_reason = models.CharField(
        max_length=8,
        choices=choices(PayReason),
        blank=True,
        default="",
        db_default="",
        help_text="Why it is held or refused, or that a researcher decided.",
    )
    pay_note = models.CharField(
        max_length=LONGEST_NOTE,
        blank=True,
        default="",
        db_default="",
        help_text="What the researcher who refused it told the worker.",
    )

    paid_at: "models.DateTimeField[datetime | str | None, datetime | None]"
    """Each table has its own: whether something can be paid differs."""

    class Meta:
        abstract = True

    @property
    def words_for_researchers(self) -> str:
        """Return the English sentence that says why the payment is held or refused."""
        return REASONS_IN_WORDS[PayReason(self.pay_reason)]

    @property
    def words_for_worker(self) -> str:
        """Return the English sentence that tells the worker why the payment is held or refused, or ""."""
        if self.pay_decision == PayDecision.PAY:
            return ""
        return WORDS_FOR_WORKERS[PayDecision(self.pay_decision), PayReason(self.pay_reason)]


def decision_constraints(table: str) -> list[models.CheckConstraint]:
    """Return the constraints on the decision, named after the table."""
    pays = Q(pay_decision=PayDecision.PAY.value)
    return [
        one_of("pay_decision", PayDecision, name=f"{table}_pay_decision_known"),
        one_of("pay_reason", PayReason, name=f"{table}_pay_reason_known", empty=True),
        models.CheckConstraint(
            condition=(pays & Q(pay_reason__in=["", PayReason.REVIEWED.value])) | (~pays & ~Q(pay_reason="")),
            name=f"{table}_unpaid_for_a_reason",
        ),
        models.CheckConstraint(condition=pays | Q(paid_at__isnull=True), name=f"{table}_paid_only_when_due"),
    ]
