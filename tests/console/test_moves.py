"""Opening, pausing and closing a study from the console: through the services, by form, audited."""

from decimal import Decimal

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client

from judging.models import AuditEntry, Study
from judging.selectors.readiness import readiness
from tests.factories import make_study, make_worker

ADDRESS = "/console/studies/study/"


def press(client: Client, action: str, **fields: str) -> str:
    answer = client.post(f"{ADDRESS}state/{action}/", fields, follow=True)
    assert answer.redirect_chain == [(ADDRESS, 302)]
    return answer.content.decode()


def state() -> str:
    return Study.objects.get(slug="study").state


def test_a_study_opens_pauses_opens_again_and_closes(console: Client, researcher: AbstractBaseUser) -> None:
    make_study(opened=False)
    assert "The study is open." in press(console, action="open")
    assert state() == "open"
    assert "The study is paused" in press(console, action="pause")
    assert state() == "paused"
    press(console, action="open")
    assert "The study is closed." in press(console, action="close", sure="on")
    assert state() == "closed"
    entries = AuditEntry.objects.order_by("pk")
    assert [(entry.verb, entry.actor) for entry in entries] == [
        (verb, researcher) for verb in ("opened", "paused", "opened", "closed")
    ]


@pytest.mark.parametrize(
    ("at_first", "buttons"),
    [("draft", ["open"]), ("open", ["pause", "close"]), ("paused", ["open", "close"]), ("closed", [])],
)
def test_only_the_buttons_that_its_state_allows_are_there(
    console: Client, at_first: str, buttons: list[str]
) -> None:
    Study.objects.filter(pk=make_study(opened=False).pk).update(state=at_first)
    text = console.get(ADDRESS).content.decode()
    assert [name for name in ("open", "pause", "close") if f"state/{name}/" in text] == buttons
    for name in {"open", "pause", "close"} - set(buttons):
        assert (
            "cannot be done with it now"
            in console.get(f"{ADDRESS}state/{name}/", follow=True).content.decode()
        )


def test_closing_asks_whether_one_is_sure(console: Client) -> None:
    make_study()
    assert "tick the box" in press(console, action="close")
    assert state() == "open"


def test_closing_lets_live_units_be_finished_or_cancels_them_and_names_whom_to_pay(console: Client) -> None:
    study = make_study()
    worker = make_worker(study, upto="judging")
    assert (
        "Also cancel the units being judged now (1)" in console.get(f"{ADDRESS}state/close/").content.decode()
    )
    text = press(console, action="close", sure="on", cancel_live="on")
    assert f"please pay them: {worker.pseudonym}." in text
    assert worker.assignments.get().state == "cancelled"


def test_closing_without_cancelling_leaves_live_units_alone(console: Client) -> None:
    worker = make_worker(make_study(), upto="judging")
    press(console, action="close", sure="on")
    assert worker.assignments.get().state == "judging"


def test_a_refusal_is_told_and_changes_nothing(console: Client) -> None:
    study = make_study(opened=False)
    study.topics.first().pool.filter(anchor="H").delete()
    text = press(console, action="open")
    assert 'role="alert"' in text
    assert "cannot open yet" in text
    assert state() == "draft"
    assert console.post(f"{ADDRESS}state/delete/").status_code == 404
    assert "cannot become paused" in press(console, action="pause")


def test_a_form_from_elsewhere_is_refused(researcher: AbstractBaseUser) -> None:
    make_study()
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(researcher)
    assert strict.post(f"{ADDRESS}state/pause/").status_code == 403
    assert state() == "open"


def test_those_who_may_not_manage_see_no_button_and_are_refused(
    console: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_study()
    monkeypatch.setattr("judging.access.may_manage", lambda user, study: False)
    assert "/state/" not in console.get(ADDRESS).content.decode()
    assert console.post(f"{ADDRESS}state/pause/").status_code == 403
    assert state() == "open"


def said(client: Client, action: str) -> str:
    return " ".join(client.get(f"{ADDRESS}state/{action}/").content.decode().split())


def test_what_it_means_is_said_before_it_happens(console: Client) -> None:
    study = make_study(opened=False, pay_per_unit=Decimal("0.20"))
    before = said(console, "open")
    found = readiness(study, now=None)
    assert f"{found.units} units are planned, of 8 documents each: {found.judgments} judgments" in before
    assert f"USD {found.cost:,.2f}" in before
    assert study.state == state() == "draft"
    press(console, action="open")
    make_worker(Study.objects.get(), upto="judging")
    assert "1 unit is being judged now" in said(console, "pause")
    assert f"0 of {found.units} units are done and give 0 judgments; {found.units} are not done" in said(
        console, "close"
    )
    press(console, action="pause")
    assert f"{found.units - 1} units are given out again" in said(console, "open")


def test_what_stands_in_the_way_is_said_and_there_is_no_button(console: Client) -> None:
    study = make_study(opened=False)
    study.topics.first().pool.filter(anchor="H").delete()
    text = said(console, "open")
    assert "It cannot open yet" in text
    assert 'value="open"' not in text
