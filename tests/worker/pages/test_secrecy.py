"""Nothing gives an anchor away: without it, pages, headers, cookies and queries are the same."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db import connection, models
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.test.signals import template_rendered
from django.test.utils import CaptureQueriesContext

from judging.models import Document, Participation, PoolDocument, Study, UnitDocument
from tests.factories import NOW, honest, live_assignment, make_study
from tests.support.visitor import Reply, Visitor, through_client
from tests.worker.pages.actions import REASON, consent, practise, take_topic
from tests.worker.pages.conftest import Clock
from tests.worker.pages.replays import plain, replayed
from tests.worker.pages.tour import tour, tour_study

SEED = 8
WORKER_TEMPLATES = {
    f"worker/{file.name}" for file in Path(settings.BASE_DIR, "templates/worker").glob("*.html")
}

# --- an anchor swapped with another document ---------------------------------------------------------------


@pytest.fixture
def filled(clock: Clock) -> Study:
    """A study of one topic and one unit whose documents all have one text."""
    study = make_study(topics=1, judgments_per_document=1)
    Document.objects.update(title="Filler", text="x" * 400)
    return study


def swap_documents(anchor: str) -> None:
    """The anchor's document becomes an ordinary one of the pool, and the other way round."""
    one, other = _pair(anchor)
    ids = {one.pk: other.document_id, other.pk: one.document_id}
    spare = Document.objects.create(study=one.topic.study, document_id="spare", text="spare")
    PoolDocument.objects.filter(pk=one.pk).update(document=spare)
    for pk in (other.pk, one.pk):
        PoolDocument.objects.filter(pk=pk).update(document_id=ids[pk])


def swap_roles(anchor: str) -> None:
    """Another document of the unit becomes the anchor in its stead, once the order has been drawn."""
    one, other = _pair(anchor)
    UnitDocument.objects.filter(pool_document=other).update(pool_document=one)
    PoolDocument.objects.filter(pk=one.pk).update(anchor="", grade=other.grade)
    PoolDocument.objects.filter(pk=other.pk).update(anchor=anchor, grade=one.grade)


def _pair(anchor: str) -> tuple[PoolDocument, PoolDocument]:
    return PoolDocument.objects.get(anchor=anchor), PoolDocument.objects.filter(anchor="").order_by("pk")[2]


def nothing() -> None:
    """No swap."""


def walk(
    clock: Clock, *, before: Callable[[], None] = nothing, midway: Callable[[], None] = nothing
) -> tuple[list[Reply], list[str]]:
    """The whole way: a finish that fails by the time alone, every button, and a finish that passes.

    `before` runs before the worker comes, `midway` when the order of the documents has been drawn. Returns
    every reply, and every statement that the pages ran.
    """
    cache.clear()  # it keeps the times of the study for a while
    clock.set(NOW)
    before()
    visitor = Visitor(through_client())
    with statements_run() as entry:
        consent(visitor, "/s/study/")
        practise(visitor)
    worker = Participation.objects.get()
    take_topic(visitor, worker)
    unit = live_assignment(worker)
    # Chosen once and for all: (c) passes whichever of two documents is the anchor.
    typed = [honest(judgment) for judgment in unit.judgments.select_related("pool_document")]
    midway()
    with statements_run() as judging:
        for place, magnitude in enumerate(typed):
            clock.move(seconds=20 if place else 5)
            press = "finish" if place == 7 else "next"
            visitor.send(press, magnitude=magnitude, justification=f"{REASON} {place}")
        visitor.send("finish")
        for _ in range(7):
            visitor.send("back")
        clock.move(seconds=20)
        visitor.send("finish")
    unit.refresh_from_db()
    assert (unit.state, unit.failed_checks) == ("completed", {"d": 1})
    return visitor.seen, entry + judging


@contextmanager
def statements_run() -> Iterator[list[str]]:
    """Fills the list with what was run inside the block, when the block ends."""
    run: list[str] = []
    with CaptureQueriesContext(connection) as captured:
        yield run
        run += [masked(query["sql"]) for query in captured]


def masked(statement: str) -> str:
    """A statement but for names that a connection draws by itself, and ids where these run on for ever."""
    statement = re.sub(r'SAVEPOINT "\w+"|csrf\w+', "", statement)
    return re.sub(r"\b\d+\b", "0", statement) if connection.vendor == "postgresql" else statement


@pytest.mark.slow
def test_swapping_an_anchor_with_another_document_changes_no_byte_and_no_query(
    clock: Clock, filled: Study
) -> None:
    with replayed(SEED):
        replies, statements = walk(clock)
    for anchor, (when, swap) in product("HN", (("before", swap_documents), ("midway", swap_roles))):
        with replayed(SEED):
            swapped: dict[str, Any] = {when: lambda anchor=anchor, swap=swap: swap(anchor)}
            other_replies, other_statements = walk(clock, **swapped)
        assert [plain(reply) for reply in other_replies] == [plain(reply) for reply in replies]
        assert other_statements == statements
    assert len(replies) > 40
    assert len(statements) > 200


def test_pages_of_all_documents_differ_by_their_place_alone(clock: Clock, filled: Study) -> None:
    visitor = Visitor(through_client())
    consent(visitor, "/s/study/")
    practise(visitor)
    take_topic(visitor, Participation.objects.get())
    pages = set()
    for place in range(1, 9):
        body = plain(visitor.page.reply)[3].decode()
        body = body.replace(f"ocument {place} of 8", "").replace(f"<span>{place} of 8", "")
        body = re.sub(r'value="\d+"|data-draft="\w{16}\.\d"|/judge/1/\d/', "", body)
        pages.add(body.split("</textarea>")[0])
        if place < 8:
            visitor.send("next", magnitude="5", justification=REASON)
    assert len(pages) == 1


# --- keys and ids ------------------------------------------------------------------------------------------


def spread_keys() -> None:
    """Let the keys of every table begin at a large number of its own."""
    with connection.cursor() as cursor:
        for place, model in enumerate(_models(), start=1):
            table, first = model._meta.db_table, 37_000_000 + place * 1_000_003
            if connection.vendor == "postgresql":
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, first])
            else:
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, first])


def _models() -> list[type[models.Model]]:
    return list(apps.get_app_config("judging").get_models())


@pytest.mark.slow
def test_no_key_and_no_document_id_stands_on_any_page(clock: Clock) -> None:
    spread_keys()
    study = tour_study()
    Document.objects.update(document_id=Concat(Value("WSJ870324-"), F("id")))
    rendered: set[str] = set()

    def note(sender: Any, template: Any, **_: Any) -> None:
        rendered.add(template.name)

    keys: set[str] = set()

    def keep(sender: Any, instance: models.Model, **_: Any) -> None:
        keys.add(str(instance.pk))

    template_rendered.connect(note)
    models.signals.post_save.connect(keep)
    models.signals.pre_delete.connect(keep)
    try:
        seen = tour(study, clock)
    finally:
        template_rendered.disconnect(note)
        models.signals.post_save.disconnect(keep)
        models.signals.pre_delete.disconnect(keep)
    assert rendered >= WORKER_TEMPLATES, "the tour leaves a template out"
    keys |= {str(pk) for model in _models() for pk in model.objects.values_list("pk", flat=True)}
    assert all(len(key) == 8 for key in keys), "the keys are not spread"
    names = set(Document.objects.values_list("document_id", flat=True)) | {"WSJ870324-"}
    for reply in seen:
        sent = b"\n".join([reply.body, reply.url.encode(), *(f"{k}: {v}".encode() for k, v in reply.headers)])
        results = [text for text in keys | names if text.encode() in sent]
        assert not results, (reply.url, results)
