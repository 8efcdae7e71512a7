"""The payments. This is the only table that identifies workers on their platform."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Final, NamedTuple

from judging.core.published.common import WORKER
from judging.core.published.table import Column, Published
from judging.core.selectors.judgments import topics_sorted, unit_id
from judging.core.selectors.payments import COMPLETED, SCREENED_OUT, decided, decided_screen_outs
from judging.models import EventKind, PlatformIdentity, PlatformSubmission, Study
from judging.models.payable import DECISION_FIELDS
from judging.protocol.words import gettext_noop as _


class PaymentRow(NamedTuple):
    """A payment. `platform_id` is empty if the worker has no id on a platform, or if the id was erased."""

    platform_id: Annotated[
        str,
        Column("the worker's id on the platform; empty if the worker came without one, or if it was erased"),
    ]
    submission_id: Annotated[str, Column("the platform's id for the worker's last submission")]
    worker_id: Annotated[str, WORKER]
    topic_id: Annotated[str, Column("the topic's number; empty for a screen-out")]
    unit_id: Annotated[str, Column("the unit, such as `401-0007`; empty for a screen-out")]
    completion_code: Annotated[
        str, Column("the completion code of a completed unit; empty for other payments")
    ]
    state: Annotated[
        str,
        Column(
            "`completed`; `screened_out`, `checks_failed`, `cancelled` (by a forced closing) or `reported` if"
            " the study pays for them; `checks_failed`, `lapsed` or `returned` if an owner compensated a unit"
            " lost to bad anchors"
        ),
    ]
    amount: Annotated[
        Decimal,
        Column(
            "the amount to pay, fixed when the unit was assigned or ended, or when the worker was"
            " screened out; a compensated unit pays its full amount",
            "see `currency`",
        ),
    ]
    currency: Annotated[str, Column("the currency, in three letters such as `USD`")]
    ended_at: Annotated[datetime, Column("when the unit or the screening ended")]
    paid_at: Annotated[
        datetime | None, Column("when the payment was marked as made; empty if it was not made yet")
    ]
    decision: Annotated[
        str,
        Column(
            "`pay`: the payment is due or made; `hold`: a researcher has to decide; `refuse`: it is not made"
        ),
    ]
    reason: Annotated[
        str,
        Column(
            "why: `too_fast`, the documents were open too briefly; `too_many`, the worker had as many"
            " paid units without completion as the study allows; `limit`, the spending limit is reached;"
            " `deleted`, the worker deleted the judgments; `record`, the worker’s units look like guessing;"
            " `reviewed`, a researcher decided; empty if the payment was simply due"
        ),
    ]
    note: Annotated[str, Column("what the researcher who refused the payment told the worker")]
    open_seconds: Annotated[
        float | None,
        Column("for how long the documents of the unit were open; empty if unknown", "seconds"),
    ]


@dataclass(frozen=True)
class Identity:
    """A worker's id on the platform, and the id of the latest submission for each claim.

    `judging.core.selectors.visits` explains claims.
    """

    platform_id: str = ""
    submissions: dict[str, str] = field(default_factory=dict)

    def submission_for(self, claim: str) -> str:
        return self.submissions.get(claim) or self.submissions.get("", "")


def payment_rows(study: Study) -> Iterator[PaymentRow]:
    """Yield a row for each payment: first screen-outs, then units sorted by topic, unit and worker.

    Held and refused payments have rows too.

    Only one topic is in memory at a time.
    """
    identities = _identities(study)
    yield from sorted(_screened_out(study, identities), key=lambda row: row.worker_id)
    for topic in topics_sorted(study):
        paid = decided(study).filter(topic=topic).order_by().values_list(*_PaidAttempt._fields)
        rows = (
            _unit_row(study, topic.number, row, identities)
            for row in map(_PaidAttempt._make, paid.iterator())
        )
        yield from sorted(rows, key=lambda row: (row.unit_id, row.worker_id))


class _PaidAttempt(NamedTuple):
    """The columns that the table needs from an attempt that the study pays for."""

    participation_id: int
    claim: str
    participation__pseudonym: str
    unit__number: int
    completion_code: str | None
    state: str
    pay: Decimal
    compensation: Decimal
    ended_at: datetime
    paid_at: datetime | None
    pay_decision: str
    pay_reason: str
    pay_note: str
    open_seconds: float | None


def _identities(study: Study) -> dict[int, Identity]:
    """Return a dict from participation key to identity. Leave out workers whose identity was erased."""
    identities: dict[int, Identity] = {}
    people = PlatformIdentity.objects.filter(participation__study=study).order_by()
    for participation, name in people.values_list("participation_id", "platform_id").iterator():
        identities[participation] = Identity(name)
    visits = PlatformSubmission.objects.filter(identity__participation__study=study).order_by()
    columns = ("linked_at", "pk", "identity__participation_id", "claim", "submission_id")
    for _at, _pk, participation, claim, name in sorted(visits.values_list(*columns)):
        identities[participation].submissions[claim] = name
    return identities


def _screened_out(study: Study, identities: dict[int, Identity]) -> Iterator[PaymentRow]:
    rows = decided_screen_outs(study).filter(events__kind=EventKind.SCREENED_OUT).order_by()
    columns = ("pk", "pseudonym", "compensation", "events__at", "paid_at", *DECISION_FIELDS)
    for pk, pseudonym, amount, ended_at, paid_at, decision, reason, note in rows.values_list(
        *columns
    ).iterator():
        identity = identities.get(pk, Identity())
        yield PaymentRow(
            platform_id=identity.platform_id,
            submission_id=identity.submission_for(""),
            worker_id=pseudonym,
            topic_id="",
            unit_id="",
            completion_code="",
            state=SCREENED_OUT,
            amount=amount,
            currency=study.currency,
            ended_at=ended_at,
            paid_at=paid_at,
            decision=decision,
            reason=reason,
            note=note,
            open_seconds=None,
        )


def _unit_row(study: Study, topic: str, row: _PaidAttempt, identities: dict[int, Identity]) -> PaymentRow:
    identity = identities.get(row.participation_id, Identity())
    return PaymentRow(
        platform_id=identity.platform_id,
        submission_id=identity.submission_for(row.claim),
        worker_id=row.participation__pseudonym,
        topic_id=topic,
        unit_id=unit_id(topic, row.unit__number),
        completion_code=row.completion_code or "",
        state=row.state,
        amount=row.pay if row.state == COMPLETED else row.compensation,
        currency=study.currency,
        ended_at=row.ended_at,
        paid_at=row.paid_at,
        decision=row.pay_decision,
        reason=row.pay_reason,
        note=row.pay_note,
        open_seconds=row.open_seconds,
    )


PAYMENTS: Final = Published(
    "payments",
    _("Payments to workers, with the workers’ ids on the platform."),
    PaymentRow,
    payment_rows,
    place=7,
    personal=True,
)
