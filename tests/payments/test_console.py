"""Payments in the console: the sums for all who see the study, the list for its owners, and single codes."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from judging.core.selectors.payments import totals
from judging.core.services.studies import close_study
from judging.models import Assignment, AuditEntry, Participation, Role, Study
from judging.payments.export import payment_chunks
from judging.watching.services.curation import exclude_unit
from judging.worker.services.leaving import withdraw
from tests.factories import judge_unit, later, make_worker
from tests.payments.conftest import fill, paying_study
from tests.support.html import compact
from tests.support.rehearsals import into_rehearsal

PAGE = "/console/studies/study/payments/"
LIST = "/console/studies/study/payments.csv"
SESSION_AND_USER = 2


def text_of(client: Client, address: str, **fields: str) -> str:
    answer = client.get(address, fields)
    assert answer.status_code == 200
    return unescape(compact(answer.content.decode()))


def sums(text: str) -> dict[str, list[str]]:
    row = r'<tr data-sum="(\w+)"><th scope="row">.*?</th><td>(.*?)</td><td>(.*?)</td>'
    rows = re.findall(row, text)
    return {name: [count, amount] for name, count, amount in rows}


def facts(text: str) -> dict[str, str]:
    return {
        name: re.sub(r"<[^>]+>", "", value)
        for name, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", text)
    }


def upload(client: Client, content: bytes) -> str:
    answer = client.post(PAGE, {"file": SimpleUploadedFile("list.csv", content)}, follow=True)
    assert answer.redirect_chain == [(PAGE, 302)]
    return unescape(compact(answer.content.decode()))


def test_the_sums(browser_of_owner: Client, study: Study) -> None:
    judge_unit(make_worker(study))
    make_worker(study, upto="judging")
    text = text_of(browser_of_owner, PAGE)
    assert sums(text) == {
        "paid": ["0", "0.00"],
        "due": ["1", "0.20"],
        "held": ["0", "0.00"],
        "committed": ["1", "0.20"],
        "open": ["18", "3.60"],
        "at_most": ["", "4.00"],
        "refused": ["0", "0.00"],
    }
    assert f'href="{PAGE}"' in text_of(browser_of_owner, "/console/studies/study/members/")


def test_an_owner_takes_the_list_and_says_it_was_handed_over(
    browser_of_owner: Client, owner: AbstractBaseUser, study: Study
) -> None:
    fill(study)
    answer = browser_of_owner.get(LIST)
    assert answer["Content-Disposition"] == 'attachment; filename="study-payments.csv"'
    content = b"".join(answer.streaming_content)
    assert content == b"".join(payment_chunks(study, "csv", now=later()))
    taken = AuditEntry.objects.filter(verb="exported").order_by("pk").first()
    assert (taken.actor, taken.detail["rows"]) == (owner, 4)
    text = upload(browser_of_owner, content)
    assert sums(text)["paid"] == ["4", "0.55"]
    assert AuditEntry.objects.get(verb="payments_marked").actor == owner
    assert sums(upload(browser_of_owner, content))["paid"] == ["4", "0.55"]


def test_a_wrong_file_and_none_are_told(browser_of_owner: Client, study: Study) -> None:
    fill(study)
    page = upload(browser_of_owner, b"a,b\n1,2\n")
    assert "list.csv:1: " in page
    assert "`worker_id`" in page
    assert 'aria-invalid="true"' in browser_of_owner.post(PAGE, follow=True).content.decode()
    assert totals(study).paid.count == 0


@pytest.mark.parametrize("role", [Role.EDITOR, Role.VIEWER])
def test_others_see_the_sums_alone(
    study: Study,
    member: Callable[..., AbstractBaseUser],
    logged_in: Callable[[AbstractBaseUser], Client],
    role: Role,
) -> None:
    fill(study)
    client = logged_in(member("someone", study, role))
    text = text_of(client, PAGE)
    assert sums(text)["due"] == ["4", "0.55"]
    assert "payments.csv" not in text
    assert 'type="file"' not in text
    assert client.get(LIST).status_code == 403
    assert client.post(PAGE, {"file": SimpleUploadedFile("list.csv", b"")}).status_code == 403
    assert not AuditEntry.objects.filter(verb="exported").exists()


def test_strangers_find_neither_and_guests_log_in(
    study: Study,
    owner: AbstractBaseUser,
    member: Callable[..., AbstractBaseUser],
    logged_in: Callable[[AbstractBaseUser], Client],
) -> None:
    stranger = logged_in(member("stranger"))
    for address in (PAGE, LIST):
        assert stranger.get(address).status_code == 404
        assert Client().get(address).status_code == 302
    assert 'data-empty="new"' in text_of(stranger, "/console/")


def test_an_unknown_format_is_not_found(browser_of_owner: Client, study: Study) -> None:
    assert browser_of_owner.get("/console/studies/study/payments.qrels").status_code == 404


def test_a_simulated_study_says_that_nobody_is_paid(browser_of_owner: Client, study: Study) -> None:
    message = 'data-simulated="unpaid"'
    assert message not in text_of(browser_of_owner, PAGE)
    into_rehearsal(study)
    assert message in text_of(browser_of_owner, PAGE)


@pytest.fixture
def done(study: Study) -> Assignment:
    return judge_unit(make_worker(study, platform_id="P-judge"))


@pytest.mark.parametrize(
    "typed",
    [
        lambda code: code,
        lambda code: code.lower(),
        lambda code: code.replace("-", ""),
        lambda code: f"  {code.replace('-', ' – ')}\t",
    ],
)
def test_a_code_says_what_it_belongs_to(
    browser_of_owner: Client, done: Assignment, typed: Callable[[str], str]
) -> None:
    text = text_of(browser_of_owner, "/console/code/", code=typed(done.completion_code))
    result = facts(text)
    assert result == {
        "Study": "The study study",
        "Worker": done.participation.pseudonym,
        "Topic": str(done.topic),
        "Unit": f"{done.topic.number}-{done.unit.number:04d}",
        "State": "completed",
        "Completed (UTC)": f"{done.ended_at:%Y-%m-%d %H:%M}",
        "Amount": "0.20 USD",
        "Paid (UTC)": "not yet",
    }
    assert "P-judge" not in text


def test_a_code_says_what_became_of_the_unit(browser_of_owner: Client, done: Assignment) -> None:
    exclude_unit(unit=done.unit, reason="Odd.", now=later(hours=1))
    Assignment.objects.update(paid_at=later(hours=2))
    found_page = text_of(browser_of_owner, "/console/code/", code=done.completion_code)
    result = facts(found_page)
    assert notes(found_page) == ["excluded"]
    assert result["Paid (UTC)"] == "2026-03-02 11:00"
    withdraw(participation=done.participation, delete_judgments=True, now=later(hours=3))
    found_page = text_of(browser_of_owner, "/console/code/", code=done.completion_code)
    result = facts(found_page)
    assert notes(found_page) == ["judgments_deleted"]
    assert result["Amount"] == "0.20 USD"


@pytest.mark.parametrize(
    ("typed", "read"),
    [("AAAA-BBBB-CCCC", "AAAA-BBBB-CCCC"), ("AAAA-BBBB-CCC0", ""), ("<b>", ""), ("A" * 5000, "")],
)
def test_a_wrong_code_says_so(browser_of_owner: Client, done: Assignment, typed: str, read: str) -> None:
    text = compact(browser_of_owner.get("/console/code/", {"code": typed}).content.decode())
    assert unknown(text) == read
    assert "<b>" not in text
    assert "<dt>" not in text


def unknown(text: str) -> str:
    """Return the code that a page does not know, or "" if what was typed is not a code."""
    (code,) = re.findall(r'data-unknown="(.*?)"', text)
    return code


def notes(text: str) -> list[str]:
    """Return what a page says about the unit of a code besides its state."""
    return re.findall(r'data-note="(\w+)"', text)


def test_a_code_of_a_study_one_may_not_see_is_as_unknown_as_any(
    done: Assignment,
    owner: AbstractBaseUser,
    member: Callable[..., AbstractBaseUser],
    logged_in: Callable[[AbstractBaseUser], Client],
) -> None:
    text = text_of(logged_in(member("stranger")), "/console/code/", code=done.completion_code)
    assert unknown(text) == done.completion_code
    root = get_user_model().objects.create_superuser("root")
    assert facts(text_of(logged_in(root), "/console/code/", code=done.completion_code))


def test_queries_do_not_grow(
    browser_of_owner: Client, study: Study, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for workers in (1, 3):
        for _ in range(workers):
            judge_unit(make_worker(study))
        with django_assert_num_queries(SESSION_AND_USER + 6):  # study, members, units, and three sums
            browser_of_owner.get(PAGE)
        code = Assignment.objects.first().completion_code
        with django_assert_num_queries(SESSION_AND_USER + 1):
            browser_of_owner.get("/console/code/", {"code": code})


def worker_page(worker: Participation, page: str) -> str:
    client = Client()
    client.get(f"/s/{worker.study.slug}/resume/{worker.token}/")
    return unescape(compact(client.get(f"/s/{worker.study.slug}/{page}/").content.decode()))


def amounts_on(page: str) -> tuple[list[str], list[str]]:
    """The amount of each payment on the page about the pay, and the total."""
    rows = re.findall(r"<tr data-end.*?</tr>", page)
    amounts = [amount for row in rows for amount in re.findall(r"\d+\.\d\d USD", row)]
    return amounts, re.findall(r'data-pay="total">([^<]*)<', page)


def test_workers_see_what_they_are_paid_for_and_the_sum(db: None) -> None:
    people = fill(paying_study())
    judge = worker_page(people["judge"], "units")
    assert amounts_on(judge) == (["0.20 USD"] * 2, ["0.40 USD"])
    late = worker_page(people["late"], "units")
    assert amounts_on(late) == (["0.10 USD"], ["0.10 USD"])
    novice = worker_page(people["novice"], "end")
    assert amounts_on(novice) == (["0.05 USD"], ["0.05 USD"])
    assert 'class="code"' not in late + novice


@pytest.mark.parametrize(("pay", "told"), [("0.05", True), ("0.00", False)])
def test_before_they_agree_workers_are_told_what_trying_pays(study: Study, pay: str, told: bool) -> None:
    Study.objects.update(pay_screened_out=pay)
    assert ("0.05 USD" in text_of(Client(), "/s/study/?PID=new")) is told


def test_where_the_study_does_not_pay_workers_are_told_whom_to_ask(db: None) -> None:
    people = fill(paying_study(pay_screened_out=0, pay_cancelled=0))
    outcome = worker_page(people["late"], "units").partition("<form")[0]
    assert "study@example.org" in outcome
    assert "<table>" not in worker_page(people["novice"], "end")


def held_study() -> tuple[Study, Participation]:
    study = paying_study(seconds_per_document=20, pay_screened_out=0)
    worker = make_worker(study, upto="judging")
    close_study(study=study, now=later(5), force=True)
    return study, worker


@pytest.mark.parametrize(
    ("fields", "sums_after"),
    [
        ({"action": "pay"}, {"due": ["1", "0.10"], "held": ["0", "0.00"], "refused": ["0", "0.00"]}),
        (
            {"action": "refuse", "note": "Nothing was read."},
            {"due": ["0", "0.00"], "held": ["0", "0.00"], "refused": ["1", "0.10"]},
        ),
        ({"action": "refuse", "note": " \0"}, {"due": ["0", "0.00"], "held": ["1", "0.10"]}),
        ({"action": "burn"}, {"due": ["0", "0.00"], "held": ["1", "0.10"]}),
        ({}, {"due": ["0", "0.00"], "held": ["1", "0.10"]}),
    ],
)
def test_an_owner_decides_a_held_payment(
    member: Callable, logged_in: Callable, fields: dict[str, str], sums_after: dict[str, list[str]]
) -> None:
    study, worker = held_study()
    owner = logged_in(member("olga", study, Role.OWNER))
    text = text_of(owner, PAGE)
    (key,) = re.findall(r'<tr data-held="([^"]+)">', text)
    assert key == f"{worker.pseudonym}/1"
    assert 'data-attention="held"' in text_of(owner, "/console/studies/study/")
    answer = owner.post(PAGE, {"payment": key, **fields}, follow=True)
    after = sums(unescape(compact(answer.content.decode())))
    assert {name: after[name] for name in sums_after} == sums_after
    decided = bool(AuditEntry.objects.filter(verb="payment_decided"))
    assert decided == (after["held"] == ["0", "0.00"])


def test_only_owners_decide_and_only_real_payments(member: Callable, logged_in: Callable) -> None:
    study, worker = held_study()
    editor = logged_in(member("edi", study, Role.EDITOR))
    assert "data-held" in text_of(editor, PAGE)
    assert 'value="refuse"' not in text_of(editor, PAGE)
    key = f"{worker.pseudonym}/1"
    assert editor.post(PAGE, {"payment": key, "action": "pay"}).status_code == 403
    owner = logged_in(member("olga", study, Role.OWNER))
    assert owner.post(PAGE, {"payment": "nobody/1", "action": "pay"}).status_code == 404
    for wrong in (worker.pseudonym, f"{worker.pseudonym}/9", f"{worker.pseudonym}/x"):
        assert owner.post(PAGE, {"payment": wrong, "action": "pay"}).status_code == 302
    assert totals(study).held.count == 1


def test_held_and_refused_rows_of_an_upload_are_not_marked(member: Callable, logged_in: Callable) -> None:
    study, _worker = held_study()
    owner = logged_in(member("olga", study, Role.OWNER))
    for form in ("csv", "jsonl"):
        upload(owner, b"".join(payment_chunks(study, form, now=later())))
    assert totals(study).paid.count == 0


def test_a_worker_reads_where_the_pay_stands(db: None) -> None:
    _study, worker = held_study()
    assert 'data-status="held"' in worker_page(worker, "units")


def test_deleting_the_judgments_keeps_the_code_of_a_held_unit(db: None) -> None:
    study = paying_study(completion_url="https://platform.example/done?c={code}")
    worker = make_worker(study)
    done = judge_unit(worker)
    withdraw(participation=worker, delete_judgments=True, now=later(hours=1))
    assert done.completion_code in worker_page(worker, "end")


@pytest.mark.parametrize(
    ("role", "status", "gate"), [(Role.OWNER, 302, "opened"), (Role.EDITOR, 403, "closed")]
)
def test_a_stopped_worker_is_shown_and_an_owner_lets_the_worker_go_on(
    member: Callable, logged_in: Callable, role: Role, status: int, gate: str
) -> None:
    study = paying_study()
    worker = make_worker(study)
    judge_unit(worker)
    Participation.objects.update(gate="closed", gated_at=later(), gate_record={"units": 4, "passed": 1})
    browser = logged_in(member("olga", study, role))
    assert 'data-attention="gated"' in text_of(browser, "/console/studies/study/")
    page = f"/console/studies/study/workers/{worker.pseudonym}/"
    assert 'data-gate="closed"' in text_of(browser, page)
    assert browser.post(page, {"action": "clear_record"}).status_code == status
    assert Participation.objects.get().gate == gate
    assert f'data-gate="{gate}"' in text_of(browser, page)


def test_a_stopped_worker_reads_it(db: None) -> None:
    worker = make_worker(paying_study())
    judge_unit(worker)
    Participation.objects.update(gate="closed", gated_at=later())
    page = worker_page(worker, "units")
    assert 'data-why="record"' in page
    assert "guess" not in page
