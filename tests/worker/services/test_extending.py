"""More time for a unit, once, for one click."""

from dataclasses import replace
from datetime import timedelta

import pytest

from judging.models import Assignment, Event
from judging.worker.services.outcome import Kind
from tests.factories import form, judge_unit, later, live_assignment, make_study, make_worker, send

pytestmark = pytest.mark.django_db


def test_more_time_is_given_once_and_recorded() -> None:
    worker = make_worker(make_study(lapse_minutes=30), upto="judging")
    before = live_assignment(worker).lapses_at
    for number in range(2):
        send(worker, action="extend", now=later(minutes=number))
    unit = live_assignment(worker)
    assert (unit.lapses_at, unit.extended) == (before + timedelta(minutes=30), True)
    assert Event.objects.filter(kind="extended", assignment=unit).count() == 1


def test_what_is_typed_is_kept_and_the_document_stays() -> None:
    worker = make_worker(make_study(), upto="judging")
    answer = form(worker, magnitude="nonsense", justification="")
    assert send(worker, answer, action="extend").kind == Kind.MOVED
    judgment = live_assignment(worker).judgments.get(position=0)
    assert (judgment.raw_input, live_assignment(worker).cursor) == ("nonsense", 0)
    # The form of the page is still the current one.
    assert (
        send(worker, replace(answer, raw_input="5", justification="Fine."), action="next").kind == Kind.MOVED
    )
    assert live_assignment(worker).cursor == 1


def test_an_extended_unit_can_be_finished_after_its_first_limit() -> None:
    worker = make_worker(make_study(lapse_minutes=30), upto="judging")
    send(worker, action="extend", now=later(minutes=20))
    assert judge_unit(worker, now=later(minutes=45)).state == "completed"


def test_an_old_form_gives_no_time() -> None:
    worker = make_worker(make_study(), upto="judging")
    old = form(worker)
    send(worker)
    send(worker, replace(old, raw_input="77"), action="extend")
    assert not Assignment.objects.get().extended
