"""Opening, pausing and closing a study from the console: through the services, by form, audited."""

import re
from decimal import Decimal

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client

from judging.core.selectors.readiness import readiness
from judging.models import AuditEntry, Study
from tests.factories import make_study, make_worker
from tests.support.html import compact
from tests.support.problems import problems_in

ADDRESS = "/console/studies/study/"


def press(client: Client, action: str, **fields: str) -> str:
    answer = client.post(f"{ADDRESS}state/{action}/", fields, follow=True)
    assert answer.redirect_chain == [(ADDRESS, 302)]
    text = answer.content.decode()
    assert len(told(text)) + len(problems_in(text)) == 1, "the page says once what became of it"
    return text


def told(text: str) -> list[str]:
    """Return what a page says was done."""
    return re.findall(r'<p class="notice success" role="status">(.*?)</p>', compact(text))


def state() -> str:
    return Study.objects.get(slug="study").state


def test_a_study_opens_pauses_opens_again_and_closes(console: Client, researcher: AbstractBaseUser) -> None:
    make_study(opened=False)
    assert told(press(console, action="open"))
    assert state() == "open"
    assert told(press(console, action="pause"))
    assert state() == "paused"
    press(console, action="open")
    assert told(press(console, action="close", sure="on"))
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
        answer = console.get(f"{ADDRESS}state/{name}/", follow=True)
        assert answer.redirect_chain == [(ADDRESS, 302)]
        assert problems_in(answer.content.decode())


def test_closing_asks_whether_one_is_sure(console: Client) -> None:
    make_study()
    assert problems_in(press(console, action="close"))
    assert state() == "open"


def test_closing_lets_live_units_be_finished_or_cancels_them_and_names_whom_to_pay(console: Client) -> None:
    study = make_study()
    worker = make_worker(study, upto="judging")
    page = console.get(f"{ADDRESS}state/close/").content.decode()
    assert re.search(r'name="cancel_live">[^<]*\b1\b', page)
    (done,) = told(press(console, action="close", sure="on", cancel_live="on"))
    assert worker.pseudonym in done
    assert worker.assignments.get().state == "cancelled"


def test_closing_without_cancelling_leaves_live_units_alone(console: Client) -> None:
    worker = make_worker(make_study(), upto="judging")
    press(console, action="close", sure="on")
    assert worker.assignments.get().state == "judging"


def test_a_refusal_is_told_and_changes_nothing(console: Client) -> None:
    study = make_study(opened=False)
    study.topics.first().pool.filter(anchor="H").delete()
    assert problems_in(press(console, action="open"))
    assert state() == "draft"
    assert console.post(f"{ADDRESS}state/delete/").status_code == 404
    assert problems_in(press(console, action="pause"))
    assert state() == "draft"


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
    monkeypatch.setattr("judging.core.access.may_manage", lambda user, study: False)
    assert "/state/" not in console.get(ADDRESS).content.decode()
    assert console.post(f"{ADDRESS}state/pause/").status_code == 403
    assert state() == "open"


def numbers(client: Client, action: str) -> list[list[str]]:
    """Return the numbers in each line of what an action would do."""
    listed = client.get(f"{ADDRESS}state/{action}/").content.decode().split('<ul id="consequences">')[1]
    lines = re.findall(r"<li>(.*?)</li>", listed.split("</ul>")[0])
    return [re.findall(r"\d+(?:[.,]\d+)*", line) for line in lines]


def test_what_it_means_is_said_before_it_happens(console: Client) -> None:
    study = make_study(opened=False, pay_per_unit=Decimal("0.20"))
    before = numbers(console, "open")
    result = readiness(study, now=None)
    work = result.planned
    assert before[0] == [str(work.units), "8", str(work.judgments), str(len(result.topics))]
    assert before[1][0] == f"{result.planned.cost:,.2f}"
    assert study.state == state() == "draft"
    press(console, action="open")
    make_worker(Study.objects.get(), upto="judging")
    assert numbers(console, "pause")[1][0] == "1"
    assert numbers(console, "close")[1] == ["0", str(result.planned.units), "0", str(result.planned.units)]
    press(console, action="pause")
    assert numbers(console, "open")[0] == [str(result.planned.units - 1)]


def test_what_stands_in_the_way_is_said_and_there_is_no_button(console: Client) -> None:
    study = make_study(opened=False)
    study.topics.first().pool.filter(anchor="H").delete()
    text = console.get(f"{ADDRESS}state/open/").content.decode()
    assert 'role="alert"' in text
    assert 'value="open"' not in text
