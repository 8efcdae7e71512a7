"""Whatever is typed or sent: no error page of ours, and no markup that was not written by us."""

from collections.abc import Callable
from itertools import product

import pytest
from django.test import Client

from judging.limits import LONGEST_REASON
from judging.models import Document, Participation, Question, Study, Topic
from tests.factories import live_assignment, make_study
from tests.support.visitor import Page, Visitor, through_client
from tests.worker.pages.actions import consent, practise
from tests.worker.pages.conftest import Clock

Enter = Callable[..., tuple[Visitor, Participation]]

HOSTILE = {
    "NUL": "a\0b",
    "only NUL": "\0",
    "controls": "\x01\x02\x0b\x1b\x7f\u0085",
    "not a character": "\ufffe\uffff",
    "right to left": "\u202e 12 \u200f",
    "astral": "😀" * 500,
    "a megabyte": "x" * 1_000_000,
    "a megabyte of digits": "9" * 1_000_000,
    "a megabyte of blanks": " " * 1_000_000,
    "markup": "</textarea><script>alert(1)</script>",
    "template": "{{ study.pk }}{% debug %}",
}
SHORT = {name: text for name, text in HOSTILE.items() if len(text) < 10_000}
TYPED = ("magnitude", "justification")
HIDDEN = ("number", "serial", "position", "visible_seconds", "attempt", "line", "arrival")
CHOSEN = ("answer", "action", "consent", "resume", "delete_judgments")


@pytest.mark.parametrize("upto", ["consented", "practising", "ready", "question", "judging"])
def test_no_text_in_any_field_is_an_error(upto: str, database: str, enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, upto)
    address = visitor.page.path
    form = visitor.filled(visitor.page.forms[0])
    for names, texts in ((TYPED, HOSTILE), (HIDDEN, SHORT), (CHOSEN, SHORT)):
        for text in texts.values():
            page = visitor.post(address, form | dict.fromkeys(names, text))
            assert page.status == 200
            assert "<script>alert" not in page.html


@pytest.mark.parametrize("upto", ["practising", "question", "judging"])
def test_a_field_that_is_missing_or_odd_is_no_error(upto: str, enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, upto)
    address = visitor.page.path
    form = visitor.filled(visitor.page.forms[0])
    for name in (*HIDDEN, *CHOSEN):
        assert visitor.post(address, form | {name: "\0-1"}).status == 200, name
        assert visitor.post(address, {key: form[key] for key in form if key != name}).status == 200, name


def test_no_text_on_the_consent_form_is_an_error(study: Study, visitor: Visitor) -> None:
    for text in SHORT.values():
        assert visitor.post("/s/study/", {"consent": text, "arrival": text}).path == "/s/study/"
    assert not Participation.objects.exists()


def test_what_was_typed_comes_back_but_for_nul(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    stored = ""
    for name, text in HOSTILE.items():
        page = visitor.send("next", magnitude="5x", justification=text)
        kept = text.replace("\0", "")
        stored = kept if len(kept) <= LONGEST_REASON else stored
        assert live_assignment(worker).judgments.get(position=0).justification == stored, name
        assert page.value("justification") == kept, name


def test_six_megabytes_are_refused_and_not_an_error(enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, "judging")
    form = visitor.filled(visitor.page.forms[0], justification="x" * 6_000_000)
    assert visitor.request("POST", "/s/study/judge/", form).status == 413


HALF = {"unicode_escape": r"half \ud800", "raw_unicode_escape": r"half \ud800", "utf-7": "half +2AA-"}


@pytest.mark.parametrize("charset", [*HALF, "utf-16", "rot13"])
def test_a_form_in_another_character_set_is_refused(charset: str, enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    fields = visitor.filled(visitor.page.forms[0], magnitude="5", justification=HALF.get(charset, "half"))
    parts = (
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    body = ("".join(parts) + "--b--\r\n").encode()
    kind = f"multipart/form-data; boundary=b; charset={charset}"
    for address in ("", "judge/", "practice/", "units/"):
        response = visitor_of(worker).generic("POST", f"/s/study/{address}", body, content_type=kind)
        assert response.status_code == 400
    assert live_assignment(worker).cursor == 0
    assert live_assignment(worker).judgments.get(position=0).raw_input == ""


def visitor_of(worker: Participation) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.get(f"/s/study/resume/{worker.token}/")
    return client


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", "no-such-set"])
def test_a_form_that_names_our_character_set_is_taken(charset: str, study: Study) -> None:
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    response = Client().generic("POST", "/s/study/", b"consent=yes", content_type=kind)
    assert response.status_code == 302


@pytest.mark.parametrize("sent", ["%ED%A0%80", "%FF%FE", "%F0%9F%98%80", "a%00b"])
def test_odd_bytes_in_a_platforms_link(sent: str, clock: Clock, visitor: Visitor) -> None:
    make_study(platform="generic", id_parameter="PID", submission_parameter="SID")
    assert consent(visitor, f"/s/study/?PID={sent}&SID={sent}&PID%00=x").step == "instructions"
    assert Participation.objects.count() == 1


@pytest.mark.parametrize("sent", ["%00", "%0A", "%20%20"])
def test_bytes_that_are_no_id_are_refused(sent: str, clock: Clock, visitor: Visitor) -> None:
    make_study(platform="generic", id_parameter="PID", submission_parameter="SID")
    for method in ("GET", "POST"):
        assert visitor.request(method, f"/s/study/?PID={sent}&PID%00=x", {"consent": "yes"}).status == 403
    assert not Participation.objects.exists()


def test_odd_addresses_are_not_found(study: Study, visitor: Visitor) -> None:
    odd = ("study%00/", "%ED%A0%80/", "study/resume/%00/", f"{'a' * 5000}/", "study//")
    assert {visitor.request("GET", f"/s/{address}").status for address in odd} == {404}


def test_other_methods_are_refused(enter: Enter, study: Study) -> None:
    _, worker = enter(study, "judging")
    client = visitor_of(worker)
    for method, step in product(
        ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"), ("", "judge/", "units/", "withdraw/")
    ):
        assert client.generic(method, f"/s/study/{step}").status_code in {403, 405}, (method, step)


# --- what a study file may hold ----------------------------------------------------------------------------

MARKUP = "<script>alert(1)</script><b onclick=x>&amp; \" ' {{ 7 }}"


def test_markup_in_topics_documents_and_answers_is_text(enter: Enter, study: Study) -> None:
    Topic.objects.update(title=f"T{MARKUP}", description=f"D{MARKUP}", narrative=f"N{MARKUP}")
    Question.objects.update(text=f"Q{MARKUP}", options=[f"{letter}{MARKUP}" for letter in "ABCD"])
    Document.objects.update(title=f"H{MARKUP}", text=f"P1{MARKUP}\n\nP2{MARKUP}")
    Study.objects.update(title=f"S{MARKUP}", requester=f"R{MARKUP}", contact=f"C{MARKUP}")
    visitor, worker = enter(study, "question")
    expect_text(visitor.page, "TDNQABCDSRC")
    unit = live_assignment(worker)
    visitor.send("next", answer=unit.option_order.index(unit.topic.question.right_option))
    expect_text(visitor.page, "TDNHSRC", "P1", "P2")
    page = visitor.send("next", magnitude=f"m{MARKUP}", justification=f"j{MARKUP}")
    assert page.value("justification") == f"j{MARKUP}"
    assert page.value("magnitude") == f"m{MARKUP}"
    expect_no_markup(page)
    visitor.send("return")
    expect_text(visitor.page, "TSRC")


def expect_text(page: Page, letters: str, *more: str) -> None:
    expect_no_markup(page)
    for letter in (*letters, *more):
        assert f"{letter}<script>alert(1)</script><b onclick=x>&amp; \" ' {{{{ 7 }}}}" in page.text, letter


def expect_no_markup(page: Page) -> None:
    assert all(tag != "script" or attributes.get("src") for tag, attributes in page.tags)
    assert not any("onclick" in attributes for _, attributes in page.tags)


MARKDOWN = """
<script>alert(1)</script> <img src=x onerror=alert(1)>

<div onclick="alert(1)">block</div>

[one](javascript:alert(1)) [two](JaVaScRiPt:alert(1)) [three](data:text/html,<script>alert(1)</script>)
[four](vbscript:x) [five](&#106;avascript:alert(1)) <javascript:alert(1)> [six](java\tscript:alert(1))
[seven][ref] ![eight](javascript:alert(1)) [nine](https://example.org/"onmouseover="alert(1))

[ref]: javascript:alert(1) "title"

| a | b |
|---|---|
| <script>alert(1)</script> | [x](javascript:alert(1)) |
"""


@pytest.mark.parametrize("field", ["information", "consent", "instructions_magnitude", "instructions_task"])
def test_markdown_of_a_study_brings_no_script_in(field: str, clock: Clock) -> None:
    make_study(topics=1, **{field: f"**Bold** and [a link](https://example.org/).\n{MARKDOWN}"})
    visitor = Visitor(through_client())
    consent(visitor, "/s/study/")
    if field == "instructions_task":
        practise(visitor)
    pages = [Page(reply) for reply in visitor.seen if reply.status == 200]
    (page,) = (page for page in pages if "<strong>Bold</strong>" in page.html)
    assert ("a", {"href": "https://example.org/"}) in page.tags
    expect_no_markup(page)
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
        for name in ("href", "src"):
            target = attributes.get(name, "").lower().strip()
            assert not target.startswith(("javascript:", "data:", "vbscript:")), (tag, attributes)
            assert "script:" not in target
