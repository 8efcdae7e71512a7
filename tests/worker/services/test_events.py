"""An event names who, where, when and which check; it holds no magnitude and no text of a worker."""

from random import Random

import pytest
from django.db import models

from judging.models import Event, Judgment, Participation, check_of_kind, event_kinds
from judging.protocol.checks import unit_checks
from judging.protocol.reported import Fault
from judging.watching.services.workers import block_worker
from judging.worker.services.arrival import note_same_browser
from judging.worker.services.lapse import expire_assignments
from judging.worker.services.leaving import report_document, resume_lapsed_unit, return_unit, withdraw
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    answer_rightly,
    answer_wrongly,
    current,
    fail_practice,
    form,
    inverted,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    pass_practice,
    send,
)

pytestmark = pytest.mark.django_db
SECRET = "123.4567"
WORDS = "My very own words"
FACTS = {"facts", "kind", "check_name", "at", "attempt", "option", "anchors", "tau", "short", "fault"}


def everything_happens() -> None:
    """A study in which every kind of event occurs, with tell-tale numbers and words in every answer."""
    study = make_study(topics=6, check_attempts=2, lapse_minutes=10)
    worker = make_worker(study, upto="practising")
    fail_practice(worker)
    pass_practice(worker)
    worker.refresh_from_db()
    _fail_the_checks(worker)
    reserve_unit(participation=worker, now=later(1000), rng=Random(1))
    answer_wrongly(worker, now=later(1000))
    reserve_unit(participation=worker, now=later(1001), rng=Random(2))
    answer_rightly(worker, now=later(1001))
    send(worker, form(worker, SECRET, WORDS), now=later(1002))
    expire_assignments(now=later(1601))
    resume_lapsed_unit(participation=worker, number=3, now=later(1602))
    send(worker, form(worker, SECRET, WORDS), action="extend", now=later(1602))
    send(worker, form(worker, SECRET, "..."), now=later(1602))
    return_unit(participation=worker, now=later(1603))
    judge_unit(worker, now=later(1700), magnitude=_secretly)
    return_unit(participation=worker, now=later(2000))
    reserve_unit(participation=worker, now=later(2001), rng=Random(3))
    block_worker(participation=worker, now=later(2002))
    withdraw(participation=worker, delete_judgments=False, now=later(2003))
    reporter = make_worker(study, upto="judging")
    report_document(participation=reporter, number=1, position=0, fault=Fault.BROKEN, now=later(1))
    unlucky = make_worker(study, upto="practising")
    for _ in range(3):
        fail_practice(unlucky)
    note_same_browser(participation=unlucky, before=worker, now=later(2004))
    guesser = make_worker(make_study(slug="guessed", topics=4, check_attempts=1, record_check="on"))
    for number in range(4):
        judge_unit(guesser, now=later(hours=number), magnitude=inverted)


def _secretly(judgment: Judgment) -> str:
    return "1000.4567" if judgment.pool_document.anchor == "H" else SECRET


def _fail_the_checks(worker: Participation) -> None:
    """Two tries with no time at all, the second with the order turned round, so that τ < 0."""
    reserve_unit(participation=worker, now=later(0), rng=Random(0))
    answer_rightly(worker)
    for sign in (1, -1):
        for position in range(8):
            anchor = {"H": -60, "N": 60}.get(current(worker).pool_document.anchor, 0)
            number = f"{500 + sign * (position + anchor)}.4567"
            send(worker, form(worker, number, f"{WORDS} {position} {sign}"), action="next")
        while sign == 1 and live_assignment(worker).cursor:
            here = current(worker)
            send(worker, form(worker, here.raw_input, here.justification), action="back")


def test_every_kind_of_event_occurs_and_none_holds_a_magnitude_or_text() -> None:
    everything_happens()
    of_other_checks = {check.event for check in unit_checks() if check.letter not in "cd"}
    assert set(Event.objects.values_list("kind", flat=True)) == set(event_kinds()) - of_other_checks
    for row in Event.objects.values():
        assert row["tau"] is None or -1 <= row["tau"] <= 1
        written = [str(value) for name, value in row.items() if name != "tau"]
        assert not [value for value in written if WORDS in value or ".456" in value]


def test_an_event_has_no_place_for_a_magnitude_or_a_text() -> None:
    relations = {"id", "study", "participation", "topic", "unit", "assignment", "document"}
    fields = {field.name: field for field in Event._meta.concrete_fields}
    texts = {name for name, field in fields.items() if isinstance(field, models.CharField | models.TextField)}
    assert set(fields) - relations == FACTS
    assert texts == {"kind", "check_name", "anchors", "fault"}  # each has only a few words


def test_every_event_bears_what_belongs_to_its_kind_and_nothing_else() -> None:
    everything_happens()
    outside = {"practice_failed", "screened_out", "blocked", "withdrawn", "same_browser", "gated"}
    for event in Event.objects.all():
        assert event.check_name == check_of_kind(event.kind)
        counted = event.check_name or event.kind in {"checks_failed", "screened_out"}
        assert (event.attempt is not None) == bool(counted)
        assert (event.option is not None) == (event.kind == "comprehension_failed")
        assert bool(event.anchors) == (event.kind == "anchors_failed")
        assert (event.short is not None) == (event.kind == "time_failed")
        assert event.tau is None or event.kind in {"anchors_failed", "order_inverted"}
        named = {event.topic is not None, event.unit is not None, event.assignment is not None}
        assert named == {event.kind not in outside}
        if event.assignment:
            assert (event.unit, event.topic) == (event.assignment.unit, event.assignment.topic)
