"""Markup, SQL and line ends in every field of every form, and in every text stored: they stay text."""

import re
from collections.abc import Iterator
from copy import deepcopy
from html import unescape
from pathlib import Path
from typing import Any, Final

import pytest
from django.apps import apps
from django.core import mail
from django.core.cache import cache
from django.db import IntegrityError, connection, models, transaction
from django.http import HttpResponse
from django.test import Client

from judging.core.services.events import audit
from judging.models import AuditEntry, PlatformIdentity, Question, Study
from tests.factories import NOW
from tests.house.walk import World, addresses
from tests.support.visitor import Form, Page, Reply

NASTY: Final = "\"'></textarea></title><script>alert(1)</script>"
SQL: Final = f"x'; DROP TABLE judging_study; --%s{{{{7*7}}}}{NASTY}"
LINES: Final = f"a\r\nX-Injected: yes\r\n\r\n{NASTY}"
ROUTES: Final = dict(addresses())
PLACES: Final = [name for name in ROUTES if not name.startswith("worker:")]
"""Workers' pages are tried field by field in tests/worker/pages/test_hostile.py."""


@pytest.fixture
def world(db: None, settings: Any, tmp_path: Path) -> World:
    settings.EXPORTS_FOLDER = settings.DRAFTS_FOLDER = settings.REPORTS_FOLDER = tmp_path
    cache.clear()
    return World()


class UndoneError(Exception):
    """Takes back what a request has changed."""


def body_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def expect_harmless(answer: HttpResponse, where: str) -> None:
    """No error of ours, no header of theirs, and on a page no markup of theirs."""
    assert answer.status_code < 500, where
    assert "X-Injected" not in answer.headers, where
    body = body_of(answer)
    for name, value in answer.headers.items():
        assert not re.search(r"[\r\n]", f"{name}{value}"), where
    if answer.headers.get("Content-Type", "").startswith(("text/html", "image/svg")):
        assert b"<script>alert" not in body, where


def forms_of(answer: HttpResponse) -> Iterator[tuple[Form, dict[str, str]]]:
    """The forms of a page, each with what it would send: its fields, and the first of every choice."""
    if not answer.headers.get("Content-Type", "").startswith("text/html"):
        return
    page = Page(Reply(200, "/", (), body_of(answer)))
    selects = dict(re.findall(r'<select[^>]* name="([^"]*)"[^>]*>\s*<option(?: value="([^"]*)")?', page.html))
    for form in page.forms:
        chosen = {name: values[0] for name, values in form.choices.items()}
        yield form, selects | chosen | form.fields


def texts_of(form: Form) -> list[str]:
    """The fields into which people type."""
    return [name for name in form.fields if name not in form.hidden]


def fillings(form: Form) -> Iterator[dict[str, str]]:
    """Ours in every field at once, then in one at a time: each text alone, and what no form lets one type."""
    for text in (SQL, LINES):
        yield dict.fromkeys(texts_of(form), text)
    for name in form.hidden.keys() - {"csrfmiddlewaretoken"}:
        yield {name: LINES}
    if len(texts_of(form)) > 1:
        yield from ({name: SQL} for name in texts_of(form))


def test_every_field_of_every_form_of_the_console(world: World) -> None:
    sent = stored = 0
    seen: set[tuple[str, ...]] = set()  # the same form stands on many pages
    browsers = {visitor: world.browser(visitor) for visitor in ("anonymous", "admin")}
    for name in PLACES:
        for visitor, browser in browsers.items():
            cache.clear()
            shown = browser.get(world.address(name, ROUTES[name]), follow=True)
            address = shown.redirect_chain[-1][0] if shown.redirect_chain else None
            for form, filled in list(forms_of(shown)):
                target = (form.action or address or world.address(name, ROUTES[name])).partition("?next")[0]
                what = (visitor, target, *form.fields, *map(str, form.buttons[:1]))
                if what in seen or (visitor == "anonymous" and not texts_of(form)):
                    continue
                seen.add(what)
                presses = dict(form.buttons[:1])
                for typed in fillings(form):
                    sent += 1
                    where = f"{name}: {target} {typed}"
                    stored += _send(browser, form, target, filled | presses | typed, where)
    assert sent > 100
    assert stored >= 10


def _send(client: Client, form: Form, target: str, data: dict[str, str], where: str) -> int:
    """How many texts that were sent were found in the database afterwards, each of them whole."""
    cache.clear()
    cookies = deepcopy(client.cookies)
    try:
        with transaction.atomic():
            method = client.post if form.method == "post" else client.get
            answer = method(target, data)
            expect_harmless(answer, where)
            results = []
            if answer.status_code in (301, 302):  # something was done
                if not answer["Location"].startswith("http"):
                    expect_harmless(client.get(answer["Location"], follow=True), where)
                results = [text for text in stored_texts() if "alert(1)" in text]
            assert all(NASTY in text for text in results), (where, results)
            assert Study.objects.filter(slug="study").exists(), where
            raise UndoneError
    except UndoneError:
        client.cookies = cookies  # of a session that is there again, should the form have ended it
        return len(results)


def text_fields(model: type[models.Model]) -> list[Any]:
    kinds = (models.CharField, models.TextField)
    return [
        concrete_field
        for concrete_field in model._meta.concrete_fields
        if isinstance(concrete_field, kinds) and not concrete_field.choices
    ]


def stored_texts() -> Iterator[str]:
    """All that stands in columns of text."""
    for model in set(apps.get_app_config("judging").get_models()) - {AuditEntry}:
        if names := [field.name for field in text_fields(model)]:
            for row in model.objects.values_list(*names):
                yield from filter(None, row)


# --- what is stored already --------------------------------------------------------------------------------

LEFT_ALONE: Final = {"slug", "token", "key", "pseudonym", "folder", "kind", "text", "sha256"}
"""Names in addresses and keys; `text` is put in where it is shown."""


def plant() -> int:
    """Put markup into every column of text that has room for it; returns how many columns that were."""
    planted = 0
    study = Study.objects.get(slug="study")
    for verb in ("opened", "exported"):
        audit(study=study, verb=verb, actor=None, now=NOW, what=NASTY, reason=NASTY)
    Question.objects.update(text=NASTY, options=[f"{NASTY}{letter}" for letter in "ABCD"])
    PlatformIdentity.objects.create(
        study=study, participation=study.participations.order_by("pk")[0], platform_id=NASTY
    )
    for model in apps.get_app_config("judging").get_models():
        for field in text_fields(model):
            room = field.max_length or 10_000
            if field.name in LEFT_ALONE or room < len(NASTY) + 10 or model in (AuditEntry,):
                continue
            for row in model.objects.all():
                before, value = getattr(row, field.name), f"{NASTY}{row.pk}"
                try:
                    with transaction.atomic():
                        planted += bool(model.objects.filter(pk=row.pk).update(**{field.name: value}))
                except IntegrityError:
                    assert before == getattr(model.objects.get(pk=row.pk), field.name)
    model_texts = {"Document": {"text": NASTY}}
    for name, values in model_texts.items():
        apps.get_model("judging", name).objects.update(**values)
    return planted


def test_markup_in_every_column_of_text_is_shown_as_text(world: World) -> None:
    assert plant() > 50
    topic = world.study.topics.order_by("place")[0]
    pooled = topic.pool.select_related("document").order_by("pk")[0]
    world.queries["console:documents"] = {"topic": topic.number}
    world.queries["console:document"] = {"topic": topic.number, "id": pooled.document.document_id}
    seen, admin = 0, world.browser("admin")
    for name in PLACES:
        if name in ("console:logout", "console:password_set"):
            continue
        answer = admin.get(world.address(name, ROUTES[name]))
        expect_harmless(answer, name)
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            seen += NASTY in unescape(answer.content.decode())
    assert seen > 15
    for address in admin_pages(admin):
        expect_harmless(admin.get(address), address)


def admin_pages(admin: Client) -> list[str]:
    """The lists of Django's admin, and the page of one row of each."""
    front = admin.get("/admin/").content.decode()
    lists = sorted(set(re.findall(r'href="(/admin/judging/\w+/)"', front)))
    assert len(lists) > 8
    rows = [
        re.search(rf'href="({item}\d+/change/[^"]*)"', admin.get(item).content.decode()) for item in lists
    ]
    return lists + [row[1] for row in rows if row]


def test_line_ends_in_names_make_no_header(world: World, settings: Any) -> None:
    """In names that stand in file names, in addresses that lead on, and in subjects of e-mails."""
    settings.MAIL_SERVER = ("smtp", "mail.example.org", 25, "", "")
    settings.DEFAULT_FROM_EMAIL = "Plumbline <plumbline@example.org>"
    Study.objects.filter(slug="study").update(title=LINES, requester=LINES)
    topic = world.study.topics.order_by("place")[0]
    topic.number = "4\r\nX-Injected: yes"
    topic.save()
    client = world.browser("owner")
    data = {"action": "invite", "email": "x@example.org\r\nBcc: y@example.org", "role": "viewer"}
    client.post("/console/studies/study/members/", data)
    assert mail.outbox == []
    client.post("/console/studies/study/members/", data | {"email": "x@example.org"})
    (sent,) = mail.outbox
    head = sent.message().as_string().partition("\n\n")[0]
    assert "\nX-Injected" not in head
    assert "\n" not in sent.subject
    for name in ("export", "export_manifest", "report_table", "study_archive", "job_file", "documents"):
        route = f"console:{name}"
        expect_harmless(client.get(world.address(route, ROUTES[route])), name)
    for address in ("/console/login/?next=/a%0d%0aX-Injected:%20yes", "/console/%0d%0aX-Injected:yes"):
        expect_harmless(Client().get(address), address)
        expect_harmless(Client().post(address, {"username": "viewer", "password": "x"}), address)


def test_queries_of_addresses_are_text_too(world: World) -> None:
    names = ("q", "sort", "page", "state", "topic", "id", "code", "actor", "kind", "worker", "table", "next")
    client, studies = world.browser("admin"), Study.with_hidden.count()
    for name in PLACES:
        if name.startswith("admin"):
            continue
        for text in (SQL, LINES, "\0", "9" * 400):
            cache.clear()
            with transaction.atomic():
                answer = client.get(
                    f"/{ROUTES[name]}"
                    if "<" not in ROUTES[name]
                    else world.address(name, ROUTES[name]).partition("?")[0],
                    dict.fromkeys(names, text),
                )
            expect_harmless(answer, f"{name} {text[:9]!r}")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM judging_study")
        assert cursor.fetchone() == (studies,)
