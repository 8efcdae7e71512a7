"""The form below a document: next, back, the same form again, two tabs, and the clock."""

from dataclasses import replace
from math import inf, nan

import pytest

from judging.models import Judgment, Participation, Visit
from judging.protocol.scales import DEFAULT, judging_on
from judging.worker.services.outcome import Kind
from judging.worker.services.visits import open_document
from tests.factories import (
    NOW,
    current,
    form,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    see,
    send,
    tied,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def worker() -> Participation:
    return make_worker(make_study(), upto="judging")


def at(worker: Participation, position: int) -> Judgment:
    return live_assignment(worker).judgments.get(position=position)


def test_next_saves_closes_the_visit_and_moves_on(worker: Participation) -> None:
    see(worker)
    outcome = send(worker, form(worker, "2 1/2", "Half of it fits."), now=later(21.5))
    first = at(worker, 0)
    visit = Visit.objects.get()
    assert outcome.kind == Kind.MOVED
    assert (first.raw_input, first.number, first.justification) == ("2 1/2", 2.5, "Half of it fits.")
    assert (first.saved_at, first.visible_seconds, first.revisions) == (later(21.5), 3.0, 0)
    assert (visit.judgment, visit.closed_at, visit.seconds) == (first, later(21.5), 21.5)
    assert live_assignment(worker).cursor == 1


@pytest.mark.parametrize("text", ["", "0", "-3", "NaN", "inf", "∞", "1,000", "1e200", "a lot", "1/0"])
def test_next_with_an_invalid_number_keeps_what_was_typed(worker: Participation, text: str) -> None:
    see(worker)
    outcome = send(worker, form(worker, text, "Because."), now=later(5))
    first = at(worker, 0)
    assert (outcome.kind, list(outcome.faults)) == (Kind.INVALID, ["magnitude"])
    assert (first.raw_input, first.number, first.justification) == (text, None, "Because.")
    assert live_assignment(worker).cursor == 0
    assert Visit.objects.get().closed_at is None


def test_next_without_a_justification_is_asked_again(worker: Participation) -> None:
    outcome = send(worker, form(worker, "5", " \n"))
    assert outcome.faults == {"justification": judging_on(DEFAULT).asked.no_reason}
    assert at(worker, 0).number == 5
    assert list(send(worker, form(worker, "x", "")).faults) == ["magnitude", "justification"]


def test_next_mended_after_a_fault_moves_on(worker: Participation) -> None:
    send(worker, form(worker, "none"))
    assert send(worker, form(worker, "1")).kind == Kind.MOVED
    assert live_assignment(worker).cursor == 1


def test_finish_before_the_last_document_is_next(worker: Participation) -> None:
    send(worker, action="finish")
    assert (live_assignment(worker).state, live_assignment(worker).cursor) == ("judging", 1)


def test_back_saves_the_draft_as_typed_even_if_invalid(worker: Participation) -> None:
    send(worker)
    assert send(worker, form(worker, "lots", ""), action="back").kind == Kind.MOVED
    second = at(worker, 1)
    assert (second.raw_input, second.number, second.justification) == ("lots", None, "")
    assert (live_assignment(worker).cursor, live_assignment(worker).back_uses) == (0, 1)


def test_back_is_not_offered_on_document_1(worker: Participation) -> None:
    assert send(worker, action="back").kind == Kind.MOVED
    assert (live_assignment(worker).cursor, live_assignment(worker).back_uses) == (0, 0)


def test_back_and_a_changed_answer_is_a_revision_of_the_answer(worker: Participation) -> None:
    send(worker, form(worker, "5"))
    send(worker, action="back")
    send(worker, form(worker, "6"))
    assert (at(worker, 0).number, at(worker, 0).revisions) == (6, 1)


def failed() -> Participation:
    """A worker at the last document, who has failed both checks once."""
    worker = make_worker(make_study(topics=1), upto="judging")
    judge_unit(worker, seconds=1, magnitude=tied)
    return worker


def test_going_straight_to_a_document_keeps_what_was_typed_and_is_a_revision() -> None:
    worker = failed()
    see(worker, now=later(100))
    old = form(worker, "x 2", "A draft.")
    outcome = send(worker, replace(old, go=2), now=later(130))
    unit = live_assignment(worker)
    left = unit.judgments.get(position=7)
    assert (outcome.kind, outcome.position) == (Kind.MOVED, 2)
    assert (unit.state, unit.cursor, unit.revisions, unit.back_uses) == ("revising", 2, 1, 0)
    assert (left.raw_input, left.number, left.justification) == ("x 2", None, "A draft.")
    assert Visit.objects.get(judgment=left, opened_at=later(100)).seconds == 30
    assert not Visit.objects.filter(closed_at__isnull=True).exists()
    see(worker, now=later(130))
    assert Visit.objects.get(closed_at__isnull=True).judgment.position == 2
    assert send(worker, replace(old, go=5, justification="Other.")).kind == Kind.STALE
    assert live_assignment(worker).cursor == 2
    send(worker, action="finish", now=later(160))
    assert live_assignment(worker).cursor == 7, "the first gap is the draft"


@pytest.mark.parametrize("position", [-1, 7, 8, 999])
def test_there_is_no_way_to_any_other_place(position: int) -> None:
    worker = failed()
    see(worker, now=later(100))
    assert send(worker, replace(form(worker, "9", "Kept."), go=position)).kind == Kind.MOVED
    unit = live_assignment(worker)
    assert (unit.cursor, unit.revisions) == (7, 0)
    assert unit.judgments.get(position=7).justification == "Kept."
    assert Visit.objects.filter(closed_at__isnull=True).count() == 1


def test_before_the_first_finish_nobody_goes_straight_to_a_document() -> None:
    worker = make_worker(make_study(topics=1), upto="judging")
    assert send(worker, replace(form(worker, "9"), go=5)).kind == Kind.MOVED
    unit = live_assignment(worker)
    assert (unit.cursor, unit.revisions, unit.back_uses) == (0, 0, 0)


def test_same_form_again_with_the_same_content_moves_on(worker: Participation) -> None:
    sent = form(worker)
    send(worker, sent)
    assert send(worker, sent).kind == Kind.MOVED
    assert live_assignment(worker).cursor == 1


def test_same_form_again_with_other_content_overwrites_nothing(worker: Participation) -> None:
    sent = form(worker, "5")
    send(worker, sent)
    for action in ("next", "back", "finish"):
        assert send(worker, replace(sent, raw_input="9"), action=action).kind == Kind.STALE
    assert (at(worker, 0).raw_input, live_assignment(worker).cursor) == ("5", 1)
    assert at(worker, 1).raw_input == ""


def test_same_form_again_after_back_is_still_the_old_form(worker: Participation) -> None:
    """The page of document 1 from before: its cursor is right again, but its serial is not."""
    old = form(worker, "5")
    send(worker, old)
    send(worker, form(worker, "", ""), action="back")
    assert send(worker, replace(old, raw_input="9")).kind == Kind.STALE
    assert (at(worker, 0).raw_input, live_assignment(worker).cursor) == ("5", 0)


@pytest.mark.parametrize("change", [{"number": 2}, {"position": 8}, {"position": -1}, {"serial": 99}])
def test_a_form_that_was_never_given_is_stale(worker: Participation, change: dict[str, int]) -> None:
    assert send(worker, replace(form(worker), **change)).kind == Kind.STALE
    assert at(worker, 0).raw_input == ""


def test_a_form_of_another_worker_cannot_be_sent(worker: Participation) -> None:
    other = make_worker(live_assignment(worker).participation.study)
    assert send(other, form(worker)).kind == Kind.STALE
    assert at(worker, 0).raw_input == ""


def test_two_tabs_have_one_cursor_and_one_open_visit(worker: Participation) -> None:
    see(worker)
    see(worker, now=later(3))
    left = form(worker, "5")
    send(worker, left, now=later(20))
    assert send(worker, replace(left, raw_input="6"), now=later(22)).kind == Kind.STALE
    see(worker, now=later(22))
    assert list(Visit.objects.values_list("seconds", "closed_at")) == [(20, later(20)), (0, None)]


def test_two_tabs_a_page_asked_for_before_and_opened_after_leaving_starts_no_visit(
    worker: Participation,
) -> None:
    assignment, judgment = live_assignment(worker), current(worker)
    send(worker, now=later(1))
    open_document(assignment=assignment, judgment=judgment, now=later(2))
    assert not Visit.objects.exists()


def test_reload_goes_on_with_the_visit(worker: Participation) -> None:
    for second in (0, 5, 12):
        see(worker, now=later(second))
    send(worker, now=later(20))
    assert list(Visit.objects.values_list("opened_at", "seconds")) == [(NOW, 20)]


def test_visits_of_one_document_add_up(worker: Participation) -> None:
    see(worker)
    send(worker, now=later(12))
    see(worker, now=later(12))
    send(worker, form(worker, "", ""), action="back", now=later(14))
    see(worker, now=later(14))
    send(worker, now=later(22))
    assert [visit.seconds for visit in at(worker, 0).visits.all()] == [12, 8]


def test_clock_backwards_a_negative_visit_is_0(worker: Participation) -> None:
    see(worker, now=later(30))
    assert send(worker, now=later(10)).kind == Kind.MOVED
    assert Visit.objects.get().seconds == 0


def test_clock_jumps_a_visit_counts_at_most_15_minutes(worker: Participation) -> None:
    see(worker)
    send(worker, now=later(minutes=55))
    assert Visit.objects.get().seconds == 15 * 60


@pytest.mark.parametrize(
    ("told", "kept"), [(2.5, 2.5), (-5, 0), (nan, 0), (inf, 0), (-inf, 0), (1e30, 86_400), (0, 0)]
)
def test_whatever_the_browser_says_of_visible_seconds_is_harmless(
    worker: Participation, told: float, kept: float
) -> None:
    assert send(worker, replace(form(worker), visible_seconds=told)).kind == Kind.MOVED
    assert at(worker, 0).visible_seconds == kept
