"""The payments. This is the only table that identifies workers on their platform."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Final, NamedTuple

from judging.core.published.base import Column, Published
from judging.core.published.common import WORKER
from judging.core.selectors.judgments import topics_sorted, unit_id
from judging.core.selectors.payments import COMPLETED, SCREENED_OUT, compensated, payable
from judging.models import EventKind, PlatformIdentity, PlatformSubmission, Study
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
        datetime | None, Column("when the payment was marked as made; empty if it is still due")
    ]


class Identity(NamedTuple):
    """A worker's id on the platform, and the id of the latest submission."""

    platform_id: str = ""
    submission_id: str = ""


def payment_rows(study: Study) -> Iterator[PaymentRow]:
    """Yield a row for each payment: first screen-outs, then units sorted by topic, unit and worker.

    Only one topic is in memory at a time.
    """
    identities = _identities(study)
    yield from sorted(_screened_out(study, identities), key=lambda row: row.worker_id)
    for topic in topics_sorted(study):
        paid = payable(study).filter(topic=topic).order_by().values_list(*_PaidAttempt._fields)
        rows = (
            _unit_row(study, topic.number, row, identities)
            for row in map(_PaidAttempt._make, paid.iterator())
        )
        yield from sorted(rows, key=lambda row: (row.unit_id, row.worker_id))


class _PaidAttempt(NamedTuple):
    """The columns that the table needs from a paid attempt."""

    participation_id: int
    participation__pseudonym: str
    unit__number: int
    completion_code: str | None
    state: str
    pay: Decimal
    compensation: Decimal
    ended_at: datetime
    paid_at: datetime | None


def _identities(study: Study) -> dict[int, Identity]:
    """Return a dict from participation key to identity. Leave out workers whose identity was erased."""
    identities: dict[int, Identity] = {}
    people = PlatformIdentity.objects.filter(study=study).order_by()
    for participation, name in people.values_list("participation_id", "platform_id").iterator():
        identities[participation] = Identity(name)
    latest: dict[int, tuple[datetime, int]] = {}
    visits = PlatformSubmission.objects.filter(identity__study=study).order_by()
    for participation, name, at, pk in visits.values_list(
        "identity__participation_id", "submission_id", "linked_at", "pk"
    ).iterator():
        if participation not in latest or latest[participation] < (at, pk):
            latest[participation] = at, pk
            identities[participation] = identities[participation]._replace(submission_id=name)
    return identities


def _screened_out(study: Study, identities: dict[int, Identity]) -> Iterator[PaymentRow]:
    rows = compensated(study).filter(events__kind=EventKind.SCREENED_OUT).order_by()
    for pk, pseudonym, amount, ended_at, paid_at in rows.values_list(
        "pk", "pseudonym", "compensation", "events__at", "paid_at"
    ).iterator():
        identity = identities.get(pk, Identity())
        yield PaymentRow(
            *identity, pseudonym, "", "", "", SCREENED_OUT, amount, study.currency, ended_at, paid_at
        )


def _unit_row(study: Study, topic: str, row: _PaidAttempt, identities: dict[int, Identity]) -> PaymentRow:
    identity = identities.get(row.participation_id, Identity())
    return PaymentRow(
        platform_id=identity.platform_id,
        submission_id=identity.submission_id,
        worker_id=row.participation__pseudonym,
        topic_id=topic,
        unit_id=unit_id(topic, row.unit__number),
        completion_code=row.completion_code or "",
        state=row.state,
        amount=row.pay if row.state == COMPLETED else row.compensation,
        currency=study.currency,
        ended_at=row.ended_at,
        paid_at=row.paid_at,
    )


PAYMENTS: Final = Published(
    "payments",
    _("Payments to workers, with the workers’ ids on the platform."),
    PaymentRow,
    payment_rows,
    place=7,
    personal=True,
)
