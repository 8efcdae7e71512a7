"""What a study can choose for the page of a document: earlier numbers, and a word about going on early."""

from collections.abc import Callable

import pytest

from judging.integrity import INVARIANTS, breaches
from judging.models import Event, Participation
from tests.factories import live_assignment, make_study
from tests.support.visitor import Visitor
from tests.worker.pages.actions import judge
from tests.worker.pages.conftest import Clock

Enter = Callable[..., tuple[Visitor, Participation]]


@pytest.mark.parametrize(("shown", "third"), [("none", []), ("last", ["222.5"]), ("all", ["111.5", "222.5"])])
def test_earlier_numbers_are_shown_as_the_study_wants(shown: str, third: list[str], enter: Enter) -> None:
    visitor, worker = enter(make_study(show_previous=shown), "judging")
    assert "111.5" not in visitor.page.text
    for number in ("111.5", "222.5"):
        judge(visitor, worker, magnitude=lambda judgment, number=number: number)
    assert [number for number in ("111.5", "222.5") if number in visitor.page.text] == third
    visitor.send("back")
    assert "222.5" not in visitor.page.text  # that of the document itself stands in its field


def test_going_on_early_is_said_once(clock: Clock, enter: Enter) -> None:
    visitor, worker = enter(make_study(early_next="warn", seconds_per_document=20), "judging")
    clock.move(seconds=7)
    page = judge(visitor, worker)
    assert live_assignment(worker).cursor == 0
    assert page.value("magnitude")  # what was typed is kept
    assert "7" in page.text
    judge(visitor, worker)
    assert live_assignment(worker).cursor == 1


def test_who_stays_long_enough_is_not_warned(clock: Clock, enter: Enter) -> None:
    visitor, worker = enter(make_study(early_next="warn", seconds_per_document=20), "judging")
    clock.move(seconds=12)
    judge(visitor, worker)
    clock.move(seconds=8)
    visitor.page = visitor.open("/s/study/judge/")
    judge(visitor, worker)
    assert live_assignment(worker).cursor == 1


def test_nothing_is_said_by_default(clock: Clock, enter: Enter) -> None:
    visitor, worker = enter(make_study(seconds_per_document=20), "judging")
    judge(visitor, worker)
    assert live_assignment(worker).cursor == 1


def test_the_task_page_shows_the_practice_beside_its_first_line(clock: Clock, enter: Enter) -> None:
    visitor, worker = enter(make_study(), "consented")
    visitor.send("next")
    attempt = worker.practice_attempts.get()
    for place, length in enumerate(attempt.lengths):
        visitor.send("next", magnitude=str(1 + sorted(attempt.lengths).index(length)))
        assert (visitor.page.step == "task") == (place == 2)
    attempt.refresh_from_db()
    for length, number in zip(attempt.lengths, attempt.magnitudes, strict=True):
        assert f"{length / attempt.lengths[0]:.2g} ×" in visitor.page.text
        assert f"{number:.3g} ({number / attempt.magnitudes[0]:.2g} ×)" in visitor.page.text


@pytest.mark.parametrize("reason", [".", "12", "…", "-_-"])
def test_a_reason_without_words_is_asked_about_once_and_recorded(reason: str, enter: Enter) -> None:
    visitor, worker = enter(make_study(), "judging")
    page = judge(visitor, worker, reason=reason)
    assert (live_assignment(worker).cursor, page.value("justification")) == (0, reason)
    judge(visitor, worker, reason=reason)
    assert live_assignment(worker).cursor == 1
    assert live_assignment(worker).judgments.get(position=0).justification == reason
    assert Event.objects.filter(kind="reason_asked").count() == 1


def test_the_same_reason_everywhere_is_asked_about_at_the_end(clock: Clock, enter: Enter) -> None:
    visitor, worker = enter(make_study(seconds_per_document=0), "judging")
    for _ in range(7):
        judge(visitor, worker, reason="It is relevant.")
    page = judge(visitor, worker, press="finish", reason="it is  relevant.")
    assert page.step == "judge"
    judge(visitor, worker, press="finish", reason="it is  relevant.")
    assert live_assignment(worker).state == "completed"
    assert Event.objects.filter(kind="reason_asked").count() == 1


def test_a_reason_in_any_script_is_a_reason(enter: Enter) -> None:
    visitor, worker = enter(make_study(), "judging")
    for reason in ("خارج الموضوع", "無関係", "не то"):
        judge(visitor, worker, reason=reason)
    assert live_assignment(worker).cursor == 3
    assert not Event.objects.filter(kind="reason_asked").exists()


def test_a_study_can_take_decimals_alone(enter: Enter) -> None:
    visitor, worker = enter(make_study(numbers="decimals"), "judging")
    assert 'inputmode="decimal"' in visitor.page.html
    page = judge(visitor, worker, magnitude=lambda judgment: "1/3")
    assert (live_assignment(worker).cursor, page.value("magnitude")) == (0, "1/3")
    assert live_assignment(worker).judgments.get(position=0).number is None
    assert not list(breaches(INVARIANTS))
    judge(visitor, worker, magnitude=lambda judgment: "0,5")
    assert live_assignment(worker).judgments.get(position=0).number == 0.5


def test_fractions_stay_typeable_on_a_phone_where_they_are_allowed(enter: Enter) -> None:
    visitor, _ = enter(make_study(), "judging")
    assert 'inputmode="text"' in visitor.page.html
