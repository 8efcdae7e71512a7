"""The exports beside the judgments: units, workers, events and Table 1."""

import csv
import io
import json
from random import Random

import pytest

from judging.archive.catalogue import EXPORTS, export_chunks
from judging.core.published.table1 import table1
from judging.models import Participation, Study, Unit
from judging.protocol.checks import unit_checks
from judging.watching.services.curation import exclude_unit
from judging.worker.services.leaving import return_unit
from judging.worker.services.reservation import reserve_unit
from tests.archive.exports.conftest import add_decision, add_grades, judge, make_judged_study
from tests.factories import (
    answer_rightly,
    answer_wrongly,
    fail_practice,
    form,
    inverted,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    pass_practice,
    see,
    send,
)
from tests.support.exports import export_lines


@pytest.fixture
def study(db: None) -> Study:
    """A judged study of each test alone, as others begin without any."""
    return make_judged_study()


def rows_of(study: Study, what: str) -> list[dict[str, str]]:
    text = "".join(export_lines(study, what, "csv"))
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


@pytest.fixture
def eventful(db: None) -> Study:
    """One worker fails practice once, (c) and (d) at the first finish, then completes; others do not."""
    study = make_study(topics=1, judgments_per_document=4)
    trier = make_worker(study, upto="practising", platform_id="person-1")
    fail_practice(trier)
    pass_practice(trier)
    trier.refresh_from_db()
    revised(trier)
    answer_wrongly(make_worker(study, upto="question", platform_id="person-2"))
    return_unit(participation=make_worker(study, upto="judging", platform_id="person-3"), now=later(60))
    make_worker(study, upto="judging", platform_id="person-4", now=later(90))
    return study


def revised(worker: Participation) -> None:
    """Judge a unit with one use of back, too fast and with the anchors inverted; then mend it."""
    reserve_unit(participation=worker, now=later(0), rng=Random(1))
    answer_rightly(worker)
    see(worker)
    send(worker, now=later(1))
    see(worker, now=later(1))
    send(worker, action="back", now=later(2))
    assert judge_unit(worker, now=later(3), seconds=2, magnitude=inverted).state == "revising"
    now = 100
    for _ in range(7):
        see(worker, now=later(now))
        now += 30
        send(worker, form(worker), action="back", now=later(now))
    for position in range(8):
        see(worker, now=later(now))
        now += 30
        send(worker, action="finish" if position == 7 else "next", now=later(now))
    assert live_assignment(worker).state == "completed"


def test_units_tell_how_each_attempt_went(eventful: Study) -> None:
    rows = rows_of(eventful, "units")
    assert sorted(row["state"] for row in rows) == [
        "completed",
        "comprehension_failed",
        "judging",
        "returned",
    ]
    keys = [(row["topic_id"], row["unit_id"], row["worker_id"]) for row in rows]
    assert keys == sorted(keys)
    (done,) = (row for row in rows if row["state"] == "completed")
    assert (done["back"], done["revisions"]) == ("1", "7")
    assert (done["failed_c"], done["failed_d"], done["failed_finishes"]) == ("1", "1", "1")
    assert done["seconds"] == "550.0"
    (live,) = (row for row in rows if row["state"] == "judging")
    assert (live["ended_at"], live["seconds"]) == ("", "")


def test_a_unit_is_excluded_only_for_its_completed_attempt(eventful: Study) -> None:
    worker = eventful.participations.get(identity__platform_id="person-4")
    assignment = live_assignment(worker)
    return_unit(participation=worker, now=later(100))
    again = judge_unit(make_worker(eventful, upto="ready"), now=later(200))
    assert again.unit_id == assignment.unit_id
    exclude_unit(unit=again.unit, reason="Not read.", now=later(hours=2))
    rows = [row for row in rows_of(eventful, "units") if row["unit_id"].endswith(f"-{again.unit.number:04}")]
    flagged = {(row["worker_id"], row["excluded"], row["exclusion_reason"]) for row in rows}
    assert (again.participation.pseudonym, "1", "Not read.") in flagged
    assert (worker.pseudonym, "0", "") in flagged


def test_workers_are_known_by_pseudonym_only(eventful: Study) -> None:
    rows = rows_of(eventful, "workers")
    assert [row["worker_id"] for row in rows] == sorted(row["worker_id"] for row in rows)
    assert len(rows) == 4
    (trier,) = (row for row in rows if row["units_completed"] == "1")
    assert (trier["practice_attempts"], trier["units"], trier["failed_c"]) == ("2", "1", "1")
    assert sum(int(row["comprehension_failures"]) for row in rows) == 1
    assert {row["pay"] for row in rows} == {"0.00"}


def test_no_export_tells_who_a_worker_is(eventful: Study) -> None:
    secrets = ["person-", *eventful.participations.values_list("token", flat=True)]
    secrets += eventful.participations.filter(assignments__state="completed").values_list(
        "assignments__completion_code", flat=True
    )
    assert len(secrets) == 6
    add_decision(eventful)
    add_grades(eventful, "trec", place=0)
    for export in EXPORTS.values():
        for layout in export.formats:
            content = b"".join(export_chunks(eventful, export.name, layout))
            assert content
            assert not [secret for secret in secrets if secret.encode() in content]


def test_events_come_by_topic_those_without_one_first(eventful: Study) -> None:
    rows = rows_of(eventful, "events")
    assert (rows[0]["topic_id"], rows[0]["kind"], rows[0]["check"]) == ("", "practice_failed", "a")
    kinds = sorted(row["kind"] for row in rows)
    assert kinds == [
        "anchors_failed",
        "comprehension_failed",
        "practice_failed",
        "returned",
        "time_failed",
    ]
    (anchors,) = (row for row in rows if row["kind"] == "anchors_failed")
    assert (anchors["check"], anchors["anchors"], anchors["attempt"]) == ("c", "inverted", "1")
    (time,) = (row for row in rows if row["kind"] == "time_failed")
    assert (time["check"], time["short"], time["unit_id"]) == ("d", "8", anchors["unit_id"])


def test_table_1_counts_units_by_back_and_failed_checks(eventful: Study) -> None:
    judge_unit(make_worker(eventful), now=later(hours=1))
    topic, total = table1(eventful)
    assert (topic.topic_id, topic.documents, topic.units) == ("401", 8, 2)
    assert (topic.h_id, topic.n_id) == ("D401-H", "D401-N")
    assert topic.times[:9] == (1, 1, 0) * 3, "of back, of check (c), of check (d)"
    assert topic.times[9:] == (2, 0, 0) * (len(unit_checks()) - 2), "no other check failed"
    assert total == topic._replace(topic_id="all", h_id="", n_id="")


def test_table_1_puts_two_and_more_together(study: Study) -> None:
    first, second, third = study.topics.get(number="402").assignments.order_by("pk")
    for assignment, uses in ((first, 2), (second, 3), (third, 1)):
        assignment.back_uses, assignment.failed_checks = uses, {"c": uses - 1} if uses > 1 else {}
        assignment.save()
    untouched, topic, total = table1(study)
    assert set(untouched.times) == {3, 0}
    assert (untouched.times[:9], topic.times[:9]) == ((3, 0, 0) * 3, (0, 1, 2, 1, 1, 1, 3, 0, 0))
    assert (total.times[:9], total.units, total.documents) == ((3, 1, 2, 4, 1, 1, 6, 0, 0), 6, 16)


def test_table_1_counts_the_units_whose_judgments_count(study: Study) -> None:
    exclude_unit(unit=Unit.objects.get(topic__number="401", number=1), reason="Odd.", now=later(hours=2))
    assert [row.units for row in table1(study)] == [2, 3, 5]


def test_json_lines_hold_the_same_cells(eventful: Study) -> None:
    judge(eventful, workers=1)
    for what in ("units", "workers", "events", "table1"):
        lines = [json.loads(line) for line in export_lines(eventful, what, "jsonl")]
        table = rows_of(eventful, what)
        assert [list(line) for line in lines] == [list(row) for row in table]
        assert len(lines) == len(table) > 0
