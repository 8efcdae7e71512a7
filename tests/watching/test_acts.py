"""Acting on workers and units from a worker's page: told beforehand, checked, audited, undone."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from judging.core.clock import now
from judging.core.services.errors import RefusedError
from judging.core.services.members import set_role
from judging.core.services.studies import close_study
from judging.models import Assignment, AuditEntry, Participation, Role, Study, Unit
from judging.watching.services.workers import block_worker, free_reservation, unblock_worker
from judging.worker.services.arrival import give_consent
from judging.worker.services.leaving import withdraw
from judging.worker.services.reservation import reserve_unit
from tests.factories import (
    NOW,
    dice,
    judge_unit,
    later,
    live_assignment,
    make_study,
    make_worker,
    send,
)
from tests.support.html import compact
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(module_db: None) -> tuple[Study, Participation]:
    """A study, and somebody who has completed two units of it and is at a third."""
    study = make_study(topics=3, judgments_per_document=3)
    worker = make_worker(study)
    judge_unit(worker)
    judge_unit(worker, now=later(minutes=10))
    reserve_unit(participation=worker, now=now(), rng=dice(worker, NOW))
    return study, worker


@pytest.fixture
def study(made: tuple[Study, Participation], db: None) -> Study:
    return Study.objects.get(pk=made[0].pk)


@pytest.fixture
def worker(made: tuple[Study, Participation], db: None) -> Participation:
    return Participation.objects.get(pk=made[1].pk)


class Page:
    """A worker's page in a browser."""

    def __init__(self, client: Client, worker: Participation) -> None:
        self.client = client
        self.address = f"/console/studies/study/workers/{worker.pseudonym}/"

    def html(self) -> str:
        return self.client.get(self.address).content.decode()

    def press(self, action: str, **form: object) -> str:
        """Press a button that must work; the page that follows, which says that it did."""
        answer = self.client.post(self.address, {"action": action} | form)
        assert (answer.status_code, answer.url) == (302, self.address), answer.content.decode()
        html = self.html()
        assert re.search(r'role="status"[^>]*>\s*[^<\s]', html)
        return html

    def refused(self, action: str, **form: object) -> str:
        answer = self.client.post(self.address, {"action": action} | form)
        assert answer.status_code == 409
        return compact(answer.content.decode())


@pytest.fixture
def page(console: Client, worker: Participation) -> Page:
    return Page(console, worker)


def verbs() -> list[str]:
    result = AuditEntry.objects.filter(actor__username="ada").order_by("pk")
    return list(result.values_list("verb", flat=True))


def test_block_and_unblock(page: Page, worker: Participation, study: Study) -> None:
    page.press("block")
    worker.refresh_from_db()
    assert worker.state == "blocked"
    assert live_assignment(worker).state == "cancelled"
    page.refused("block")
    page.press("unblock")
    worker.refresh_from_db()
    assert worker.state == "ready"
    page.refused("unblock")
    assert verbs() == ["blocked", "unblocked"]
    assert broken_invariants(study) == []


def test_who_is_unblocked_goes_on_where_the_practice_was_left(study: Study) -> None:
    arrived = give_consent(study=study, now=NOW, rng=dice(make_worker(study), NOW))
    practising = make_worker(study, upto="practising")
    for worker, state in ((arrived, "consented"), (practising, "practising"), (make_worker(study), "ready")):
        block_worker(participation=worker, now=NOW)
        unblock_worker(participation=worker, now=NOW)
        worker.refresh_from_db()
        assert worker.state == state


def test_who_left_is_not_unblocked(study: Study) -> None:
    worker = make_worker(study)
    withdraw(participation=worker, delete_judgments=False, now=NOW)
    with pytest.raises(RefusedError, match="withdrawn"):
        unblock_worker(participation=worker, now=NOW)


def test_one_unit_is_left_out_collected_again_and_taken_back_in(page: Page, worker: Participation) -> None:
    html = page.press("exclude", number=1, reason="Not read.", collect_again="on")
    assert "Not read." in html
    unit = worker.assignments.get(number=1).unit
    assert unit.excluded_at is not None
    assert unit.copies.get().number == 4
    page.press("include", number=1)
    unit.refresh_from_db()
    assert (unit.excluded_at, unit.copies.count()) == (None, 1)
    assert verbs() == ["unit_excluded", "unit_included"]
    assert AuditEntry.objects.get(verb="unit_excluded").detail["reason"] == "Not read."


def test_all_units_of_a_worker_and_back(page: Page, worker: Participation, study: Study) -> None:
    others = judge_unit(make_worker(study), now=later(hours=5))
    page.press("exclude", number=1, reason="The first.", collect_again="on")
    page.press("exclude_all", reason="Spam.", collect_again="on")
    assert Unit.objects.filter(copy_of__isnull=False).count() == 2
    assert Unit.objects.filter(excluded_at__isnull=False).count() == 2
    assert set(Unit.objects.exclude(exclusion_reason="").values_list("exclusion_reason", flat=True)) == {
        "The first.",
        "Spam.",
    }, "an earlier reason stays"
    page.refused("exclude_all", reason="Spam.")
    page.press("include_all")
    assert not Unit.objects.filter(excluded_at__isnull=False).exists()
    page.refused("include_all")
    # Their copies stay; excluding once more makes no second ones.
    page.press("exclude_all", reason="Spam.", collect_again="on")
    assert Unit.objects.filter(copy_of__isnull=False).count() == 2
    others.unit.refresh_from_db()
    assert others.unit.excluded_at is None
    assert broken_invariants(study) == []


def test_a_refusal_excludes_nothing_and_loses_nothing_typed(
    page: Page, worker: Participation, study: Study
) -> None:
    page.refused("exclude", number=1, reason="  ")
    close_study(study=study, now=NOW)
    html = page.refused("exclude_all", reason='He said "5"', collect_again="on")
    assert 'value="He said &quot;5&quot;"' in html
    assert 'name="collect_again" checked' in html
    assert not Unit.objects.filter(excluded_at__isnull=False).exists()
    html = page.refused("exclude", number=2, reason="x" * 501)
    assert html.count(f'value="{"x" * 501}"') == 1
    assert verbs() == []


def test_a_reservation_is_freed_and_taken_up_again_while_nobody_has(
    page: Page, worker: Participation, study: Study
) -> None:
    live = live_assignment(worker)
    page.press("free", number=live.number)
    live.refresh_from_db()
    assert live.state == "lapsed"
    assert live.ended_at is not None
    assert live.ended_at <= now()
    live.unit.refresh_from_db()
    assert live.unit.state == "open"
    entry = AuditEntry.objects.get(verb="reservation_freed")
    assert (entry.detail["worker"], entry.actor.get_username()) == (worker.pseudonym, "ada")
    page.refused("free", number=live.number)
    page.refused("free", number=1)
    assert broken_invariants(study) == []


def test_what_was_typed_survives_being_freed(study: Study) -> None:
    worker = make_worker(study, upto="judging")
    send(worker)
    free_reservation(participation=worker, number=1, now=later(minutes=5))
    assert live_assignment(worker).judgments.exclude(raw_input="").count() == 1
    send(worker, now=later(minutes=6))
    again = live_assignment(worker)
    assert (again.state, again.judgments.exclude(raw_input="").count()) == ("judging", 2)
    assert again.lapses_at == later(minutes=66)


@pytest.mark.parametrize(
    ("action", "form"),
    [
        ("", {}),
        ("explode", {"number": 1}),
        ("exclude", {"number": 9, "reason": "x"}),
        ("exclude", {"number": "one", "reason": "x"}),
        ("exclude", {"number": "9" * 30, "reason": "x"}),
        ("exclude", {"number": 3, "reason": "x"}),
        ("include", {"number": 1}),
        ("exclude", {"number": 1, "reason": "a\0b"}),
    ],
)
def test_what_no_button_sends_is_refused(page: Page, action: str, form: dict[str, object]) -> None:
    page.refused(action, **form)
    assert not Unit.objects.filter(excluded_at__isnull=False).exists()
    assert verbs() == []


def test_an_attempt_that_came_to_nothing_excludes_nobody_else_s_unit(study: Study, console: Client) -> None:
    """A unit is excluded for the attempt that was completed: not from the page of one that lapsed."""
    worker = make_worker(study, upto="judging")
    free_reservation(participation=worker, number=1, now=later(minutes=5))
    unit = live_assignment(worker).unit
    other = make_worker(study)
    Unit.objects.filter(topic=unit.topic).exclude(pk=unit.pk).update(state="retired")
    Unit.objects.exclude(topic=unit.topic).update(state="retired")
    assert judge_unit(other, now=later(minutes=6)).unit == unit
    Page(console, worker).refused("exclude", number=1, reason="x")
    assert not Unit.objects.filter(excluded_at__isnull=False).exists()


@pytest.mark.parametrize(("role", "may"), [(Role.OWNER, True), (Role.EDITOR, True), (Role.VIEWER, False)])
def test_viewers_look_and_do_not_touch(worker: Participation, study: Study, role: Role, may: bool) -> None:
    user = get_user_model().objects.create_user("vera", is_staff=True)
    set_role(study=study, user=user, role=role, now=NOW)
    client = Client()
    client.force_login(user)
    page = Page(client, worker)
    assert ('name="action"' in page.html()) is may
    answers = {
        client.post(page.address, {"action": action, "number": 1, "reason": "x"}).status_code
        for action in ("block", "exclude", "include", "free", "exclude_all")
    }
    assert (answers == {403}) is not may
    assert Assignment.objects.filter(state="cancelled").exists() is may


def test_acts_need_a_token_of_the_form(page: Page) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(get_user_model().objects.get(username="ada"))
    assert strict.post(page.address, {"action": "block"}).status_code == 403
    assert verbs() == []
