"""One more check, declared here alone: it fails a unit over HTTP, and all that tells of checks tells it."""

import csv
import io
from collections.abc import Iterator

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from judging.models import Event, Judgment, Participation, Study
from judging.models.event import constraints_on_kinds
from judging.protocol.checks import CHECKS
from judging.protocol.checks.base import Finding, FinishedUnit, Settings, UnitCheck
from tests.factories import honest, live_assignment, make_study
from tests.support.exports import export_lines
from tests.support.integrity import broken_invariants
from tests.support.visitor import Visitor, through_http
from tests.worker.pages.deeds import consent, judge_all, practise, take_topic


def verdict(unit: FinishedUnit, study: Settings) -> Finding:
    return Finding(len(set(unit.magnitudes)) > 3)


VARIETY = UnitCheck("e", "Variety", "units with too few magnitudes", "variety_failed", verdict)


@pytest.fixture
def one_more(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The check is registered, and the database migrated for it; afterwards neither."""
    before = {constraint.name: constraint for constraint in Event._meta.constraints}

    def migrate(*old_and_new: dict[str, object]) -> None:
        old, new = old_and_new
        monkeypatch.setattr(Event._meta, "constraints", [*new.values()])
        with connection.schema_editor() as editor:
            for name in new:
                if old[name] is not new[name]:
                    editor.remove_constraint(Event, old[name])
                    editor.add_constraint(Event, new[name])

    monkeypatch.setitem(CHECKS, "e", VARIETY)
    with_it = before | {constraint.name: constraint for constraint in constraints_on_kinds()}
    migrate(before, with_it)
    yield
    Event.objects.all().delete()
    migrate(with_it, before)


def three_numbers(judgment: Judgment) -> str:
    return {"H": "100", "N": "1"}.get(judgment.pool_document.anchor, "5")


def exported(study: Study, what: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(export_lines(study, what, "csv")))))


@pytest.mark.usefixtures("one_more")
def test_a_check_declared_in_one_place_runs_and_is_told_of(live_server: LiveServer) -> None:
    study = make_study(topics=1, seconds_per_document=0)
    visitor = Visitor(through_http(live_server.url))
    consent(visitor, "/s/study/")
    worker = Participation.objects.get()
    practise(visitor)
    take_topic(visitor, worker)
    judge_all(visitor, worker, magnitude=three_numbers)
    unit = live_assignment(worker)
    assert (unit.state, unit.failed_checks) == ("revising", {"e": 1})
    while live_assignment(worker).cursor:
        visitor.send("back")
    judge_all(visitor, worker, magnitude=honest)
    assert live_assignment(worker).state == "completed"

    (event,) = exported(study, "events")
    assert (event["kind"], event["check"], event["attempt"]) == ("variety_failed", "e", "1")
    topic, total = exported(study, "table1")
    for row in (topic, total):
        assert [row[f"failed_e_{times}"] for times in ("0", "1", "2_or_more")] == ["0", "1", "0"]
    assert [row["failed_e"] for what in ("units", "workers") for row in exported(study, what)] == ["1", "1"]

    admin = Client()
    admin.force_login(get_user_model().objects.create_superuser("ada"))
    (told,) = admin.get("/api/v1/studies/study/events/").json()["results"]
    assert (told["kind"], told["check"]) == ("variety_failed", "e")
    (told,) = admin.get("/api/v1/studies/study/units/").json()["results"]
    assert (told["failed_c"], told["failed_d"], told["failed_e"]) == (0, 0, 1)
    for page in ("", "quality/", "events/", "workers/", "table1/", "thresholds/"):
        assert admin.get(f"/console/studies/study/{page}").status_code == 200
    assert "failed_e" in admin.get("/console/studies/study/thresholds/").content.decode()
    assert broken_invariants(study) == []
