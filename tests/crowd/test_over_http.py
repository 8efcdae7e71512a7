"""The same minds at the served pages: the sample judged by a crowd over real HTTP."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from pytest_django.live_server_helper import LiveServer

from evaluation.crowds import TYPICAL
from judging.core.clock import now
from judging.crowd.kinds import SPAMMER
from judging.crowd.mind import Mind, Reaction, traits_of
from judging.models import Assignment, Event, Study, Unit
from judging.understanding.scoring import medians_by_grade
from judging.worker.services.lapse import expire_assignments
from tests.support.http_crowd import HttpWorker, judge_over_http, memory_of, pace_for
from tests.support.integrity import broken_invariants
from tests.support.quick_sample import SECONDS, open_sample
from tests.support.visitor import through_http


@pytest.fixture
def study(transactional_db: None, tmp_path: Path) -> Study:
    return open_sample(tmp_path, "over-http")


@pytest.mark.long
def test_a_crowd_judges_the_sample_over_http(study: Study, live_server: LiveServer) -> None:
    memory = memory_of(study)
    for seed in range(4):
        judge_over_http(live_server.url, study.slug, memory, workers=10, seed=seed, pace=pace_for(SECONDS))
        expire_assignments(now=now() + timedelta(minutes=61), study=study)
        if not Unit.objects.filter(topic__study=study).exclude(state="done").exists():
            break
    else:
        raise AssertionError("four crowds have not done every unit")
    assert broken_invariants(study) == []
    rows = [row for row in medians_by_grade(study) if row.grade in "NMRH"]
    assert [row.grade for row in rows] == ["N", "M", "R", "H"]
    assert all(lower.median < higher.median for lower, higher in pairwise(rows))


class Stubborn(Mind):
    """A worker who inverts the numbers after every failed check."""

    def react(self) -> Reaction:
        return Reaction.INVERT


def test_who_gives_all_documents_the_same_number_never_gets_through(
    study: Study, live_server: LiveServer
) -> None:
    """Every number is first mistyped and refused; then all are alike, also when turned round."""
    kind = replace(
        SPAMMER, understands=1.0, stays=0.0, presses_back=0.0, breaks_off=0.0, gives_back=0.0, slips=1.0
    )
    (traits,) = traits_of(replace(TYPICAL, spammers=1.0, exponent=0.0, noise=0.0), 1, Random(1))
    worker = HttpWorker(
        through_http(live_server.url),
        Stubborn(traits, Random(1), least_seconds=20, kind=replace(kind, eye=0.0)),
        memory_of(study),
        wait=lambda seconds: None,
    )
    worker.live(study.slug)
    assert worker.refusals == 8
    assignment = Assignment.objects.get(participation__study=study)
    assert (assignment.state, assignment.failed_checks) == ("revising", {"c": 1}), (
        "unchanged: no attempt is lost"
    )
    assert Unit.objects.get(pk=assignment.unit_id).state == "reserved"
    failures = Event.objects.filter(assignment=assignment, kind="anchors_failed")
    assert list(failures.values_list("anchors", flat=True)) == ["tied"]


class LateByOneLine(Mind):
    """While this worker looks at the first line, others do the last units."""

    def line(self, length: float, among: Sequence[float] = ()) -> str:
        Unit.objects.update(state="done")
        return super().line(length)


def test_who_practises_while_others_take_the_last_unit_stops(study: Study, live_server: LiveServer) -> None:
    (traits,) = traits_of(TYPICAL, 1, Random(1))
    worker = HttpWorker(
        through_http(live_server.url),
        LateByOneLine(traits, Random(1), least_seconds=20),
        memory_of(study),
        wait=lambda seconds: None,
    )
    worker.live(study.slug)
    assert (worker.page.step, worker.page.asks()) == ("practice", False)
