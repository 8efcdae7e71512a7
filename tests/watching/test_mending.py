"""A topic with bad anchors is retired, copied with other anchors, and its workers are compensated."""

import csv
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from judging.core.selectors.payments import Sum, totals
from judging.core.services.members import set_role
from judging.core.services.studies import pause_study, retire_topic
from judging.integrity import INVARIANTS, breaches
from judging.models import AuditEntry, KnownGrade, PoolDocument, Ranking, Role, Study, Topic, Unit
from judging.watching.services.curation import exclude_unit
from judging.watching.services.mending import compensate_topic
from judging.watching.services.workers import block_worker
from judging.worker.services.leaving import return_unit
from tests.factories import NOW, answer_rightly, inverted, judge_unit, later, make_study, make_worker
from tests.people.conftest import browser_of

pytestmark = pytest.mark.django_db
PAGE = "/console/studies/study/quality/topic/?number=401"


@pytest.fixture
def study() -> Study:
    """One topic of eight others; four of their grades are H or N, so that there are other anchors."""
    study = make_study(topics=1, documents=8, judgments_per_document=3, pay_per_unit=Decimal("0.20"))
    others = PoolDocument.objects.filter(anchor="").order_by("pk")
    for row, grade in zip(others, "HHNNMMRR", strict=True):
        PoolDocument.objects.filter(pk=row.pk).update(grade=grade)
    return study


def topic_of(study: Study, number: str = "401") -> Topic:
    return study.topics.get(number=number)


def id_of(grade: str, anchor: str = "", topic: str = "401") -> str:
    rows = PoolDocument.objects.filter(topic__number=topic, grade=grade, anchor=anchor)
    return rows.order_by("pk")[0].document.document_id


def lose_unit(study: Study) -> None:
    """A worker fails check (c) and gives the unit back."""
    worker = make_worker(study)
    judge_unit(worker, magnitude=inverted)
    return_unit(participation=worker, now=later(minutes=30))


def replace(client: Client, **fields: str) -> Any:
    form = {"action": "replace", "H": id_of("H"), "N": id_of("N"), "sure": "on"}
    return client.post(PAGE, {**form, **fields})


def test_topics_of_a_paused_study_are_replaced_and_planned_at_once(study: Study, console: Client) -> None:
    pause_study(study=study, now=NOW)
    assert replace(console).status_code == 302
    assert topic_of(study, "401-2").units.filter(state="open").exists()


def test_the_copy_has_the_new_anchors_and_all_that_belongs_to_the_topic(
    study: Study, console: Client
) -> None:
    judge_unit(make_worker(study))
    graded, ranked = KnownGrade.objects.count(), Ranking.objects.count()
    h, n = id_of("H"), id_of("N")

    assert replace(console).status_code == 302

    old, copy = topic_of(study), topic_of(study, "401-2")
    assert (old.retired_at is not None, copy.retired_at) == (True, None)
    assert (copy.title, copy.narrative, copy.question.options) == (
        old.title,
        old.narrative,
        old.question.options,
    )
    assert {row.anchor: row.document.document_id for row in copy.pool.exclude(anchor="")} == {"H": h, "N": n}
    assert copy.pool.count() == old.pool.count()
    assert (KnownGrade.objects.count(), Ranking.objects.count()) == (2 * graded, 2 * ranked)
    assert Unit.objects.filter(topic=copy, state="open").count() == 4  # 8 documents, 3 times, by 6
    assert set(Unit.objects.filter(topic=old).values_list("state", flat=True)) == {"done", "retired"}
    assert not Unit.objects.filter(excluded_at__isnull=False).exists()
    entry = AuditEntry.objects.get(verb="topic_replaced")
    assert (entry.actor_name, entry.detail["copy"], entry.detail["h"]) == ("ada", "401-2", h)
    assert not list(breaches(INVARIANTS))


def test_workers_judge_the_copy_and_its_anchors_check_them(study: Study, console: Client) -> None:
    replace(console)
    done = judge_unit(make_worker(study), now=later(minutes=5))
    assert (done.state, done.topic.number) == ("completed", "401-2")


def test_the_units_done_can_be_left_out(study: Study, console: Client) -> None:
    judge_unit(make_worker(study))
    replace(console, exclude="on")
    assert Unit.objects.get(state="done").excluded_at is not None


@pytest.mark.parametrize(
    "fields",
    [
        {"sure": ""},
        {"H": "nowhere"},
        {"H": ""},
        {"action": "other"},
    ],
)
def test_nothing_is_done_where_the_form_is_wrong(
    study: Study, console: Client, fields: dict[str, str]
) -> None:
    form = {"action": "replace", "H": id_of("H"), "N": id_of("N"), "sure": "on", **fields}
    answer = console.post(PAGE, {name: value for name, value in form.items() if value or name != "sure"})
    assert answer.status_code == 400
    assert not Topic.objects.exclude(number="401").exists()
    assert topic_of(study).retired_at is None


def test_anchors_of_another_grade_and_the_old_pair_are_refused(study: Study, console: Client) -> None:
    assert replace(console, H=id_of("M")).status_code == 400
    assert replace(console, H=id_of("N")).status_code == 400
    assert replace(console, H=id_of("H", "H"), N=id_of("N", "N")).status_code == 400
    assert not AuditEntry.objects.filter(verb="topic_replaced").exists()


def test_a_topic_is_replaced_once_while_its_copy_is_in_use(study: Study, console: Client) -> None:
    assert 'value="replace"' in console.get(PAGE).text
    replace(console)

    answer = replace(console)

    assert answer.status_code == 400
    assert 'value="replace"' not in answer.text
    assert "?number=401-2" in answer.text
    assert study.topics.count() == 2

    retire_topic(topic=topic_of(study, "401-2"), now=later())
    assert replace(console).status_code == 302
    assert topic_of(study, "401-3").retired_at is None


def test_who_lost_a_unit_is_paid_once_and_as_a_line_of_its_own(study: Study, console: Client) -> None:
    judge_unit(make_worker(study))
    lose_unit(study)
    lose_unit(study)
    console.post(PAGE, {"action": "retire", "sure": "on"})
    before = totals(study).due

    assert console.post(PAGE, {"action": "compensate"}).status_code == 302
    assert console.post(PAGE, {"action": "compensate"}).status_code == 400

    after = totals(study).due
    assert (after.count - before.count, after.amount - before.amount) == (2, Decimal("0.40"))
    text = console.get("/console/studies/study/payments.csv").getvalue().decode()
    states = [row["state"] for row in csv.DictReader(StringIO(text))]
    assert sorted(states) == ["completed", "returned", "returned"]
    entry = AuditEntry.objects.get(verb="compensated")
    assert (entry.actor_name, entry.detail["amount"], len(entry.detail["units"])) == ("ada", "0.40", 2)
    assert not list(breaches(INVARIANTS))


def test_blocked_workers_are_not_compensated(study: Study) -> None:
    lose_unit(study)
    lose_unit(study)
    block_worker(participation=study.participations.order_by("pk")[0], now=later(minutes=40))
    retire_topic(topic=topic_of(study), now=later(minutes=50))
    assert compensate_topic(topic=topic_of(study), now=later(minutes=60)) == Sum(1, Decimal("0.20"))


def test_the_page_adds_the_pay_as_decimals(study: Study, console: Client) -> None:
    for _ in range(3):  # as floats, 0.2 + 0.2 + 0.2 is 0.6000000000000001
        lose_unit(study)
    retire_topic(topic=topic_of(study), now=later(minutes=50))
    text = " ".join(console.get(PAGE).text.split())
    assert f"{study.currency} 0.60 in total" in text


def test_the_page_counts_only_units_that_there_are(study: Study, console: Client) -> None:
    judge_unit(make_worker(study))
    text = " ".join(console.get(PAGE).text.split())
    assert "The topic is retired for good, so no more workers get it. </li>" in text
    assert "The 1 completed unit stays" in text
    unit = Unit.objects.get(state="done")
    exclude_unit(unit=unit, reason="The anchors are bad.", now=later(), actor=None)
    assert "completed unit" not in console.get(PAGE).text


def test_nobody_is_compensated_while_the_topic_is_in_use(study: Study, console: Client) -> None:
    lose_unit(study)
    assert console.post(PAGE, {"action": "compensate"}).status_code == 400
    assert totals(study).due.count == 0


def test_a_unit_that_no_anchor_failed_is_not_compensated(study: Study, console: Client) -> None:
    worker = make_worker(study, upto="question")
    answer_rightly(worker)
    return_unit(participation=worker, now=later(minutes=1))
    retire_topic(topic=topic_of(study), now=later())
    assert console.post(PAGE, {"action": "compensate"}).status_code == 400


def test_who_may_do_what(study: Study, django_user_model: Any) -> None:
    lose_unit(study)
    people = {role: django_user_model.objects.create_user(role.value) for role in Role}
    for role, user in people.items():
        set_role(study=study, user=user, role=role, now=NOW)
    retire, pay = {"action": "retire", "sure": "on"}, {"action": "compensate"}
    browsers = {role: browser_of(user) for role, user in people.items()}
    assert browsers[Role.VIEWER].get(PAGE).status_code == 200
    assert browsers[Role.VIEWER].post(PAGE, retire).status_code == 403
    assert browsers[Role.EDITOR].post(PAGE, retire).status_code == 302
    assert browsers[Role.EDITOR].post(PAGE, pay).status_code == 403
    assert browsers[Role.OWNER].post(PAGE, pay).status_code == 302


def test_compensation_is_exported_and_marked_as_paid(study: Study, tmp_path: Any) -> None:
    lose_unit(study)
    retire_topic(topic=topic_of(study), now=later())
    compensate_topic(topic=topic_of(study), now=later())
    call_command("export", "study", what="payments", output=str(tmp_path / "due.csv"))
    call_command("mark_paid", "study", str(tmp_path / "due.csv"))
    assert (totals(study).paid.amount, totals(study).due.count) == (Decimal("0.20"), 0)
