"""Every end that can be paid is decided once: paid, held for a researcher, or refused; the facts stay."""

from datetime import datetime
from decimal import Decimal

import pytest

from judging.core.published.payments import payment_rows
from judging.core.selectors.payments import Sum, payments_of, totals
from judging.core.selectors.units import no_work_for, no_work_in, reached_limit
from judging.core.services.errors import RefusedError
from judging.core.services.studies import close_study
from judging.models import Assignment, AuditEntry, Participation, Study, Visit
from judging.payments.services.deciding import resolve_payment
from judging.payments.services.payments import ExportedPayment, mark_paid
from judging.protocol.paying import PayDecision, PayFacts, PayReason, decide
from judging.protocol.reported import Fault
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import report_document, resume_lapsed_unit, withdraw
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    answer_rightly,
    current,
    dice,
    fail_practice,
    form,
    inverted,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    see,
    send,
)

PAYS = {
    "pay_per_unit": Decimal("0.20"),
    "pay_checks_failed": Decimal("0.15"),
    "pay_cancelled": Decimal("0.10"),
}
NONE = Sum(0, Decimal("0.00"))


def hurried_report(worker: Participation, *, at: datetime, seconds: float) -> Assignment:
    """Take a unit and report its first document after it was open for some seconds."""
    reserve_unit(participation=worker, now=at, rng=dice(worker, at))
    answer_rightly(worker, now=at)
    see(worker, now=at)
    attempt = live_assignment(worker)
    after = at + (later(seconds) - later())
    report_document(participation=worker, number=attempt.number, position=0, fault=Fault.BROKEN, now=after)
    attempt.refresh_from_db()
    return attempt


def decisions(study: Study) -> list[tuple[str, str, str]]:
    return sorted((row.state, row.decision, row.reason) for row in payment_rows(study))


def test_reports_without_reading_are_held_and_then_refused(database: str) -> None:
    study = make_study(topics=5, **PAYS)
    worker = make_worker(study)
    for place in range(5):
        hurried_report(worker, at=later(60 + 7 * place), seconds=0.2)
    assert decisions(study) == [
        ("reported", "hold", "too_fast"),
        ("reported", "hold", "too_fast"),
        ("reported", "hold", "too_fast"),
        ("reported", "refuse", "too_many"),
        ("reported", "refuse", "too_many"),
    ]
    assert (totals(study).due, totals(study).held.count, totals(study).refused.count) == (NONE, 3, 2)
    assert {row.open_seconds for row in payment_rows(study)} == {0.2}


def test_an_honest_report_is_paid_at_once(db: None) -> None:
    study = make_study(**PAYS)
    hurried_report(make_worker(study), at=later(60), seconds=25)
    assert decisions(study) == [("reported", "pay", "")]
    assert totals(study).due == Sum(1, Decimal("0.10"))


def test_failed_checks_in_no_time_are_held_with_their_facts(db: None) -> None:
    study = make_study(topics=2, **PAYS)
    worker = make_worker(study)
    attempt = judge_unit(worker, magnitude=inverted, seconds=0.1)
    for again in range(2):
        assert attempt.live
        answer = form(worker, inverted(current(worker)), f"Once more, {again}.")
        send(worker, answer, action="finish", now=later(2 + again))
        attempt = live_assignment(worker)
    assert (attempt.state, attempt.pay_decision, attempt.pay_reason) == ("checks_failed", "hold", "too_fast")
    assert not Visit.objects.exists()
    assert attempt.open_seconds is not None
    assert 0 < attempt.open_seconds < 160
    assert attempt.failed_checks == {"c": 3, "d": 3}


def test_paid_ends_count_in_the_units_of_a_worker(db: None) -> None:
    study = make_study(topics=3, max_units_per_worker=2, **PAYS)
    worker = make_worker(study)
    hurried_report(worker, at=later(60), seconds=25)
    assert reached_limit(worker) == ""
    judge_unit(worker, now=later(hours=1))
    assert reached_limit(worker) == "worker"
    assert reserve_unit(participation=worker, now=later(hours=2), rng=dice(worker, later())) is None


def test_a_cancelled_unit_that_nobody_read_is_held(db: None) -> None:
    study = make_study(**PAYS)
    make_worker(study, upto="judging")
    close_study(study=study, now=later(5), force=True)
    assert decisions(study) == [("cancelled", "hold", "too_fast")]


def test_deleting_the_judgments_holds_their_pay_and_keeps_the_facts(database: str) -> None:
    study = make_study(**PAYS)
    worker = make_worker(study)
    done = judge_unit(worker)
    withdraw(participation=worker, delete_judgments=True, now=later(hours=2))
    assert decisions(study) == [("completed", "hold", "deleted")]
    done.refresh_from_db()
    assert done.open_seconds is not None
    assert done.open_seconds >= 160
    assert totals(study).due == NONE


def test_pay_that_was_made_is_not_held_afterwards(db: None) -> None:
    study = make_study(**PAYS)
    worker = make_worker(study)
    judge_unit(worker)
    (row,) = payment_rows(study)
    payment = ExportedPayment("line 1", row.state, row.worker_id, row.unit_id, row.amount)
    mark_paid(study=study, payments=[payment], now=later(hours=2))
    withdraw(participation=worker, delete_judgments=True, now=later(hours=3))
    assert decisions(study) == [("completed", "pay", "")]


def test_pay_that_was_made_before_it_was_held_can_be_marked(db: None) -> None:
    study = make_study(**PAYS)
    worker = make_worker(study)
    judge_unit(worker)
    (row,) = payment_rows(study)
    payment = ExportedPayment("line 1", row.state, row.worker_id, row.unit_id, row.amount)
    withdraw(participation=worker, delete_judgments=True, now=later(hours=2))
    mark_paid(study=study, payments=[payment], now=later(hours=3))
    assert decisions(study) == [("completed", "pay", "reviewed")]
    assert totals(study).paid.count == 1


@pytest.mark.parametrize(("pays", "status"), [(True, "due"), (False, "refused")])
def test_a_researcher_decides_a_held_payment(db: None, pays: bool, status: str) -> None:
    study = make_study(**PAYS)
    worker = make_worker(study)
    attempt = hurried_report(worker, at=later(60), seconds=1)
    resolve_payment(
        participation=worker, number=attempt.number, pays=pays, note="Nothing was read.", now=later(90)
    )
    (payment,) = payments_of(worker)
    assert (payment.status, payment.reason) == (status, "reviewed")
    assert payment.note == ("" if pays else "Nothing was read.")
    entry = AuditEntry.objects.get(verb="payment_decided")
    assert (entry.detail["worker"], entry.detail["held_for"]) == (worker.pseudonym, "too_fast")
    assert entry.detail["decision"] == attempt.__class__.objects.get().pay_decision


def test_only_held_payments_can_be_decided_and_refusals_need_a_reason(db: None) -> None:
    study = make_study(**PAYS)
    worker = make_worker(study)
    done = judge_unit(worker)
    with pytest.raises(RefusedError):
        resolve_payment(participation=worker, number=done.number, pays=True, now=later(90))
    with pytest.raises(RefusedError):
        resolve_payment(participation=worker, number=None, pays=True, now=later(90))
    attempt = hurried_report(worker, at=later(hours=1), seconds=1)
    with pytest.raises(RefusedError):
        resolve_payment(participation=worker, number=attempt.number, pays=False, note=" ", now=later(90))
    assert not AuditEntry.objects.filter(verb="payment_decided").exists()


@pytest.mark.parametrize(
    ("facts", "decision", "reason"),
    [
        ({}, PayDecision.PAY, None),
        ({"amount": Decimal(0), "least_seconds": 9}, PayDecision.PAY, None),
        ({"seconds": 9, "least_seconds": 10}, PayDecision.HOLD, PayReason.TOO_FAST),
        ({"seconds": 10, "least_seconds": 10}, PayDecision.PAY, None),
        ({"compensated": 2, "most_compensated": 3}, PayDecision.PAY, None),
        ({"compensated": 3, "most_compensated": 3}, PayDecision.REFUSE, PayReason.TOO_MANY),
        ({"compensated": 9, "most_compensated": None}, PayDecision.PAY, None),
        ({"completed": True, "compensated": 3, "most_compensated": 3}, PayDecision.PAY, None),
        ({"looks_guessed": True}, PayDecision.HOLD, PayReason.RECORD),
        ({"available": Decimal("0.49")}, PayDecision.HOLD, PayReason.LIMIT),
        ({"available": Decimal("0.50")}, PayDecision.PAY, None),
    ],
)
def test_the_rule(facts: dict, decision: PayDecision, reason: PayReason | None) -> None:
    verdict = decide(PayFacts(**{"amount": Decimal("0.50"), "completed": False, **facts}))
    assert (verdict.decision, verdict.reason) == (decision, reason)


def test_the_spending_limit_stops_reservations_and_pays_what_is_in_work(database: str) -> None:
    study = make_study(topics=3, spending_limit=Decimal("0.50"), **PAYS)
    first, second, third = (make_worker(study) for _ in range(3))
    assert reserve_unit(participation=first, now=later(), rng=dice(first, later()))
    assert reserve_unit(participation=second, now=later(), rng=dice(second, later()))
    assert no_work_for(third, now=later())
    assert no_work_in(study, now=later())
    assert reserve_unit(participation=third, now=later(), rng=dice(third, later())) is None
    for worker in (first, second):
        judge_unit(worker, now=later(10))
    money = totals(study)
    assert (money.due, money.blocks_work) == (Sum(2, Decimal("0.40")), True)
    Study.objects.update(spending_limit=Decimal("0.60"))
    study.refresh_from_db()
    third.study = study
    assert not totals(study).blocks_work
    assert reserve_unit(participation=third, now=later(hours=1), rng=dice(third, later()))


def test_the_spending_limit_expects_the_dearest_end_of_a_unit(db: None) -> None:
    study = make_study(spending_limit=Decimal("0.20"), **{**PAYS, "pay_cancelled": Decimal("0.30")})
    worker = make_worker(study)
    assert reserve_unit(participation=worker, now=later(), rng=dice(worker, later())) is None


def test_a_lapsed_unit_is_not_resumed_beyond_the_spending_limit(db: None) -> None:
    study = make_study(topics=3, spending_limit=Decimal("0.25"), **PAYS)
    worker, other = make_worker(study, upto="judging"), make_worker(study)
    expire_assignments(now=later(hours=2))
    judge_unit(other, now=later(hours=2))
    attempt = live_assignment(worker)
    assert not resume_lapsed_unit(participation=worker, number=attempt.number, now=later(hours=3))


def test_a_screen_out_beyond_the_spending_limit_is_held(db: None) -> None:
    study = make_study(
        spending_limit=Decimal("0.25"),
        pay_per_unit=Decimal("0.20"),
        pay_screened_out=Decimal("0.10"),
        practice_attempts=1,
        seconds_per_document=0,
    )
    worker = make_worker(study, upto="practising")
    judge_unit(make_worker(study))
    fail_practice(worker, now=later(hours=1))
    assert ("screened_out", "hold", "limit") in decisions(study)
