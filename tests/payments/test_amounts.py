"""What is paid for, how much, and to whom: each amount is fixed when it comes to be due."""

import json
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from judging.archive.catalogue import EXPORTS, export_chunks
from judging.core.published.payments import PAYMENTS, payment_rows
from judging.core.selectors.payments import Sum, totals
from judging.core.services.studies import close_study
from judging.models import Assignment, AuditEntry, Participation, Study
from judging.payments.export import payment_chunks
from judging.watching.services.workers import block_worker, erase_identity
from judging.worker.services.arrival import link_submission
from judging.worker.services.leaving import withdraw
from tests.factories import answer_wrongly, fail_practice, judge_unit, later, make_worker
from tests.payments.conftest import fill, paying_study


def rows(study: Study) -> list[dict[str, str]]:
    text = b"".join(payment_chunks(study, "jsonl", now=later(hours=4)))
    return [json.loads(line) for line in text.splitlines()]


def test_units_screen_outs_and_cancelled_units_are_rows(database: str) -> None:
    study = paying_study()
    people = fill(study)
    results = [
        (row["state"], row["platform_id"], row["submission_id"], row["worker_id"], row["amount"])
        for row in rows(study)
    ]
    judge, novice, late = (people[name].pseudonym for name in ("judge", "novice", "late"))
    assert results[0] == ("screened_out", "P-novice", "S-2", novice, "0.05")
    assert sorted(results[1:]) == [
        ("cancelled", "P-late", "S-3", late, "0.10"),
        ("completed", "P-judge", "S-1", judge, "0.20"),
        ("completed", "P-judge", "S-1", judge, "0.20"),
    ]
    keys = [(row["topic_id"], row["unit_id"], row["worker_id"]) for row in rows(study)]
    assert keys == sorted(keys)
    codes = {row["unit_id"]: row["completion_code"] for row in rows(study) if row["state"] == "completed"}
    for unit in people["judge"].assignments.select_related("topic", "unit"):
        assert codes[f"{unit.topic.number}-{unit.unit.number:04d}"] == unit.completion_code
    assert {row["completion_code"] for row in rows(study) if row["state"] != "completed"} == {""}
    assert {row["currency"] for row in rows(study)} == {"USD"}
    assert rows(study)[0]["ended_at"] == "2026-03-02T11:00:00Z"
    assert all(row["paid_at"] is None for row in rows(study))


def test_csv_writes_money_with_its_cents(study: Study) -> None:
    fill(study)
    text = b"".join(payment_chunks(study, "csv", now=later(hours=4))).decode()
    lines = [line.split(",") for line in text.splitlines()]
    assert lines[0][7] == "amount"
    assert [line[7] for line in lines[1:]].count("0.20") == 2


def test_totals_are_exact_on_both_databases(database: str) -> None:
    study = paying_study(judgments_per_document=2)
    judge_unit(make_worker(study))
    fail_practice(make_worker(study, upto="practising"))
    make_worker(study, upto="judging")
    assert totals(study).due == Sum(2, Decimal("0.25"))
    assert totals(study).paid == Sum(0, Decimal("0.00"))
    assert totals(study).committed == Sum(1, Decimal("0.20"))
    assert totals(study).open == Sum(2, Decimal("0.40"))
    assert totals(study).at_most == Decimal("0.85")
    close_study(study=study, now=later(hours=3), force=True)
    assert totals(study).due == Sum(3, Decimal("0.35"))
    assert str(totals(study).committed.amount) == "0.00"


def test_ten_times_a_tenth_is_one(db: None) -> None:
    study = paying_study(pay_per_unit=Decimal("0.10"), judgments_per_document=5)
    for _ in range(5):
        worker = make_worker(study)
        for number in range(2):
            judge_unit(worker, now=later(hours=number))
    assert totals(study).due == Sum(10, Decimal("1.00"))


def test_what_the_study_does_not_pay_is_no_row(db: None) -> None:
    study = paying_study(pay_screened_out=0, pay_cancelled=0)
    fill(study)
    assert [row["state"] for row in rows(study)] == ["completed", "completed"]


def test_a_unit_without_pay_has_a_row_for_its_code(db: None) -> None:
    study = paying_study(pay_per_unit=0)
    judge_unit(make_worker(study))
    assert [(row["amount"], bool(row["completion_code"])) for row in rows(study)] == [("0.00", True)]


def test_wrong_answers_to_questions_screen_out_too(db: None) -> None:
    study = paying_study(comprehension_attempts=1)
    worker = make_worker(study, upto="question")
    answer_wrongly(worker, now=later(30))
    assert [(row["state"], row["amount"]) for row in rows(study)] == [("screened_out", "0.05")]
    withdraw(participation=worker, delete_judgments=False, now=later(60))
    assert [row["state"] for row in rows(study)] == ["screened_out"]


def test_a_blocked_worker_is_not_paid_for_the_unit_in_work(study: Study) -> None:
    block_worker(participation=make_worker(study, upto="judging"), now=later(30))
    assert rows(study) == []


def test_later_changes_of_the_study_change_nobodys_pay(study: Study) -> None:
    fill(study)
    before = rows(study)
    Study.objects.update(pay_per_unit=9, pay_screened_out=9, pay_cancelled=9)
    assert rows(Study.objects.get()) == before


def test_who_withdraws_and_keeps_the_judgments_stays_paid(study: Study) -> None:
    people = fill(study)
    before = rows(study)
    withdraw(participation=people["judge"], delete_judgments=False, now=later(hours=4))
    assert rows(study) == before


def test_an_erased_identity_leaves_the_row_without_ids(study: Study) -> None:
    people = fill(study)
    erase_identity(participation=people["judge"], now=later(hours=4))
    mine = [row for row in rows(study) if row["worker_id"] == people["judge"].pseudonym]
    assert [(row["platform_id"], row["submission_id"], row["amount"]) for row in mine] == [
        ("", "", "0.20")
    ] * 2


def test_the_last_submission_counts(study: Study) -> None:
    worker = make_worker(study, platform_id="P", submission_id="z-first")
    link_submission(participation=worker, submission_id="a-second", now=later(30))
    judge_unit(worker, now=later(60))
    assert [row["submission_id"] for row in rows(study)] == ["a-second"]


def test_every_export_is_audited_before_its_first_line(study: Study) -> None:
    fill(study)
    chunks = payment_chunks(study, "csv", now=later(hours=4))
    assert not AuditEntry.objects.filter(verb="exported").exists()
    first = next(chunks)
    entry = AuditEntry.objects.get(verb="exported")
    assert entry.detail == {"what": "payments", "format": "csv", "rows": 4}
    assert (entry.actor, entry.at) == (None, later(hours=4))
    assert len(b"".join([first, *chunks]).splitlines()) == 5


def test_no_other_way_gives_the_payments(study: Study) -> None:
    assert PAYMENTS.name not in EXPORTS
    with pytest.raises(ValueError, match=r"\bpayments\b"):
        export_chunks(study, "payments", "csv")


def test_the_database_sorts_no_text_and_is_asked_as_often_for_many(
    study: Study, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    def asked() -> list[str]:
        with CaptureQueriesContext(connection) as queries:
            list(payment_rows(study))
        return [query["sql"] for query in queries]

    few = asked()
    fill(study)
    many = asked()
    assert len(many) == len(few) == 2 + 1 + 1 + 2  # ids, screen-outs, topics, and one for each of two topics
    assert not any("ORDER BY" in sql and "place" not in sql for sql in many)
    with django_assert_num_queries(3):
        totals(study)


@pytest.mark.parametrize(
    "change",
    [
        {"compensation": Decimal("0.10")},
        {"compensation": Decimal("-0.10"), "state": "cancelled"},
    ],
)
def test_the_database_refuses_compensation_of_what_was_not_cancelled(study: Study, change: dict) -> None:
    judge_unit(make_worker(study))
    if "state" in change:
        change = {**change, "completion_code": None}
    with pytest.raises(IntegrityError):
        Assignment.objects.update(**change)


def test_the_database_refuses_to_call_paid_what_is_not_due(study: Study) -> None:
    make_worker(study, upto="judging")
    with pytest.raises(IntegrityError):
        Participation.objects.update(paid_at=later())
