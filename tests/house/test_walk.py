"""Who gets what: every address of the site × everybody, and every way to ask.

An address that is added to the site and not to `GET` fails here, and so does one that answers to a form, or
to another method, without standing in the tables below. The columns are `VISITORS`:

anonymous, worker, stranger, viewer, editor, owner, admin
"""

from contextlib import suppress
from typing import Any, Final

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse

from tests.house.walk import VISITORS, World, addresses
from tests.people.conftest import PASSWORD

ROUTES: Final = dict(addresses())
GET: Final = {
    "favicon.ico": "302 302 302 302 302 302 302",
    "home": "200 200 200 200 200 200 200",
    "worker:information": "200 302 200 200 200 200 200",
    "worker:instructions": "302 302 302 302 302 302 302",
    "worker:practice_now": "302 302 302 302 302 302 302",
    "worker:practice": "403 302 403 403 403 403 403",
    "worker:task": "302 302 302 302 302 302 302",
    "worker:topic_now": "302 302 302 302 302 302 302",
    "worker:topic": "403 302 403 403 403 403 403",
    "worker:judge_now": "302 302 302 302 302 302 302",
    "worker:judge": "403 302 403 403 403 403 403",
    "worker:units": "302 200 302 302 302 302 302",
    "worker:pay": "302 200 302 302 302 302 302",
    "worker:pay_visit": "302 200 302 302 302 302 302",
    "worker:end": "302 302 302 302 302 302 302",
    "worker:withdraw": "302 200 302 302 302 302 302",
    "worker:resume": "302 302 302 302 302 302 302",
    "worker:picture": "404 200 404 404 404 404 404",
    "console:studies": "302 302 200 200 200 200 200",
    "console:login": "200 200 200 200 200 200 200",
    "console:logout": "405 405 405 405 405 405 405",
    "console:password_change": "302 302 200 200 200 200 200",
    "console:password_ask": "200 200 200 200 200 200 200",
    "console:password_asked": "200 200 200 200 200 200 200",
    "console:password_set": "302 302 302 302 302 302 302",
    "console:invitation": "200 200 200 200 200 200 200",
    "console:people": "302 302 403 403 403 403 200",
    "console:site_audit": "302 302 403 403 403 403 200",
    "console:code": "302 302 200 200 200 200 200",
    "console:help": "302 302 200 200 200 200 200",
    "console:study": "302 302 404 200 200 200 200",
    "console:search": "302 302 404 200 200 200 200",
    "console:set_up": "302 302 404 200 200 200 200",
    "console:plan": "302 302 404 200 200 200 200",
    "console:members": "302 302 404 200 200 200 200",
    "console:audit": "302 302 404 200 200 200 200",
    "console:way_in": "302 302 404 200 200 200 200",
    "console:payments": "302 302 404 200 200 200 200",
    "console:download_payments": "302 302 404 403 403 200 200",
    "console:quality": "302 302 404 200 200 200 200",
    "console:mend_topic": "302 302 404 200 200 200 200",
    "console:worker_statistics": "302 302 404 200 200 200 200",
    "console:worker_pair": "302 302 404 200 200 200 200",
    "console:thresholds": "302 302 404 200 200 200 200",
    "console:table1": "302 302 404 200 200 200 200",
    "console:events": "302 302 404 200 200 200 200",
    "console:workers": "302 302 404 200 200 200 200",
    "console:worker": "302 302 404 200 200 200 200",
    "console:understanding": "302 302 404 200 200 200 200",
    "console:documents": "302 302 404 200 200 200 200",
    "console:document": "302 302 404 200 200 200 200",
    "console:grades": "302 302 404 200 200 200 200",
    "console:picture": "302 302 404 200 200 200 200",
    "console:arms": "302 302 404 200 200 200 200",
    "console:judges": "302 302 404 200 200 200 200",
    "console:judge": "302 302 404 200 200 200 200",
    "console:labels": "302 302 404 403 200 200 200",
    "console:results": "302 302 404 200 200 200 200",
    "console:systems": "302 302 404 200 200 200 200",
    "console:figures": "302 302 404 200 200 200 200",
    "console:papers": "302 302 404 200 200 200 200",
    "console:figure": "302 302 404 200 200 200 200",
    "console:figure_file": "302 302 404 200 200 200 200",
    "console:report_table": "302 302 404 200 200 200 200",
    "console:whole_report": "302 302 404 200 200 200 200",
    "console:setup": "302 302 200 403 200 200 200",
    "console:setup_overview": "302 302 404 403 200 200 200",
    "console:setup_file": "302 302 404 403 200 200 200",
    "console:setup_archive": "302 302 404 403 200 200 200",
    "console:setup_preview": "302 302 404 403 200 200 200",
    "console:setup_estimate": "302 302 404 403 200 200 200",
    "console:setup_files": "302 302 404 403 200 200 200",
    "console:setup_download": "302 302 404 403 200 200 200",
    "console:setup_columns": "302 302 404 403 200 200 200",
    "console:setup_grades": "302 302 404 403 200 200 200",
    "console:setup_import_topics": "302 302 404 403 200 200 200",
    "console:setup_replace": "302 302 404 403 200 200 200",
    "console:setup_delete_topics": "302 302 404 403 200 200 200",
    "console:setup_topics": "302 302 404 403 200 200 200",
    "console:setup_topic": "302 302 404 403 200 200 200",
    "console:setup_topic_preview": "302 302 404 403 200 200 200",
    "console:setup_advice": "302 302 404 403 200 200 200",
    "console:setup_anchors": "302 302 404 403 200 200 200",
    "console:setup_settings": "302 302 404 403 200 200 200",
    "console:state": "302 302 404 403 200 200 200",
    "console:rehearse": "405 405 405 405 405 405 405",
    "console:decide": "405 405 405 405 405 405 405",
    "console:study_archive": "302 302 404 403 200 200 200",
    "console:as_worker": "405 405 405 405 405 405 405",
    "console:copy": "405 405 405 405 405 405 405",
    "console:setup_change": "405 405 405 405 405 405 405",
    "console:import": "302 302 404 404 404 404 200",
    "console:jobs": "302 302 404 200 200 200 200",
    "console:job": "302 302 404 200 200 200 200",
    "console:job_file": "302 302 404 200 200 200 200",
    "console:job_manifest": "302 302 404 200 200 200 200",
    "console:export": "302 302 404 200 200 200 200",
    "console:export_manifest": "302 302 404 200 200 200 200",
    "api:schema": "200 200 200 200 200 200 200",
    "api:token": "401 401 405 405 405 405 405",
    "api:studies": "401 401 200 200 200 200 200",
    "api:study": "401 401 404 200 200 200 200",
    "api:result": "401 401 404 404 404 404 404",
    "api:arms": "401 401 404 404 404 404 404",
    "api:topics": "401 401 404 200 200 200 200",
    "api:judgments": "401 401 404 200 200 200 200",
    "api:gains": "401 401 404 200 200 200 200",
    "api:units": "401 401 404 200 200 200 200",
    "api:events": "401 401 404 200 200 200 200",
    "api:exports": "401 401 404 200 200 200 200",
    "api:export": "401 401 404 200 200 200 200",
    "api:judgments_export": "401 401 404 200 200 200 200",
    "api:judgments_manifest": "401 401 404 200 200 200 200",
    "api:manifest": "401 401 404 200 200 200 200",
    "api:api/v1/": "404 404 404 404 404 404 404",
    "admin:": "302 302 302 302 302 302 200",
    "healthz": "200 200 200 200 200 200 200",
    "readyz": "200 200 200 200 200 200 200",
    "prolific-messages": "405 405 405 405 405 405 405",
    "metrics": "200 200 200 200 200 200 200",  # the address is what counts: tests come from this machine
}
POST: Final = {
    "prolific-messages": "404 404 404 404 404 404 404",  # without a secret
    "favicon.ico": "302 302 302 302 302 302 302",
    "worker:information": "200 302 200 200 200 200 200",
    "worker:instructions": "403 302 403 403 403 403 403",
    "worker:practice_now": "403 302 403 403 403 403 403",
    "worker:practice": "403 302 403 403 403 403 403",
    "worker:task": "403 302 403 403 403 403 403",
    "worker:topic_now": "403 302 403 403 403 403 403",
    "worker:topic": "403 302 403 403 403 403 403",
    "worker:judge_now": "403 200 403 403 403 403 403",
    "worker:judge": "403 200 403 403 403 403 403",
    "worker:units": "403 302 403 403 403 403 403",
    "worker:pay": "405 405 405 405 405 405 405",
    "worker:pay_visit": "405 405 405 405 405 405 405",
    "worker:end": "403 302 403 403 403 403 403",
    "worker:withdraw": "302 302 302 302 302 302 302",
    "console:login": "302 302 302 302 302 302 302",
    "console:logout": "302 302 302 302 302 302 302",
    "console:password_change": "302 302 200 200 200 200 200",
    "console:password_ask": "200 200 200 200 200 200 200",
    "console:password_set": "302 302 302 302 302 302 302",
    "console:invitation": "400 400 302 302 302 302 302",
    "console:people": "302 302 403 403 403 403 302",
    "console:members": "302 302 404 403 403 302 302",
    "console:way_in": "302 302 404 403 400 400 400",
    "console:payments": "302 302 404 403 403 302 302",
    "console:mend_topic": "302 302 404 403 400 400 400",
    "console:worker_statistics": "302 302 404 302 302 302 302",
    "console:thresholds": "302 302 404 403 403 302 302",
    "console:worker": "302 302 404 403 409 409 409",
    "console:plan": "302 302 404 302 302 302 302",
    "console:understanding": "302 302 404 302 302 302 302",
    "console:documents": "302 302 404 302 302 302 302",
    "console:document": "302 302 404 403 409 409 409",
    "console:grades": "302 302 404 302 302 302 302",
    "console:judges": "302 302 404 302 302 302 302",
    "console:labels": "302 302 404 403 400 400 400",
    "console:arms": "302 302 404 200 200 200 200",  # the study has no arms
    "console:results": "302 302 404 302 302 302 302",
    "console:systems": "302 302 404 302 302 302 302",
    "console:figures": "302 302 404 302 302 302 302",
    "console:papers": "302 302 404 302 302 302 302",
    "console:figure": "302 302 404 302 302 302 302",
    "console:setup": "302 302 302 403 302 302 302",
    "console:setup_overview": "302 302 404 403 302 302 302",
    "console:setup_preview": "302 302 404 403 200 200 200",
    "console:setup_estimate": "302 302 404 403 200 200 200",
    "console:setup_files": "302 302 404 403 302 302 302",
    "console:setup_columns": "302 302 404 403 400 400 400",
    "console:setup_grades": "302 302 404 403 400 400 400",
    "console:setup_import_topics": "302 302 404 403 302 302 302",
    "console:setup_replace": "302 302 404 403 302 302 302",
    "console:setup_delete_topics": "302 302 404 403 400 400 400",
    "console:setup_topics": "302 302 404 403 400 400 400",
    "console:setup_topic": "302 302 404 403 302 302 302",
    "console:setup_topic_preview": "302 302 404 403 200 200 200",
    "console:setup_advice": "302 302 404 403 200 200 200",
    "console:setup_anchors": "302 302 404 403 302 302 302",
    "console:setup_settings": "302 302 404 403 302 302 302",
    "console:state": "302 302 404 403 302 302 302",
    "console:rehearse": "302 302 404 403 302 302 302",
    "console:decide": "302 302 404 403 302 302 302",
    "console:as_worker": "302 302 404 302 302 302 302",
    "console:copy": "302 302 404 403 302 302 302",
    "console:setup_change": "302 302 404 403 302 302 302",
    "console:jobs": "302 302 404 302 302 302 302",
    "api:token": "200 200 200 200 200 200 200",
    "api:api/v1/": "404 404 404 404 404 404 404",
    "admin:": "302 302 302 302 302 302 200",
}
"""Addresses that take a form, and the answers to `FORMS`. 403 of a worker's page is to who has no consent."""

FORMS: Final[dict[str, dict[str, str]]] = {
    "console:results": {"measures": "AP"},
    "console:papers": {"paper": "K05"},
    "console:setup": {"action": "begin", "title": "New"},
    "console:state": {"sure": "on"},
    "console:jobs": {"kind": "export", "what": "units.csv"},
    "console:members": {"action": "invite", "email": "x@example.org", "role": "viewer"},
    "console:people": {"action": "invite", "email": "x@example.org", "role": "staff"},
    "console:login": {"username": "viewer", "password": PASSWORD},
    "api:token": {"username": "viewer", "password": PASSWORD},
}
OTHER_METHODS: Final = {
    ("api:token", "delete"): "401 401 204 204 204 204 204",  # each their own
    **{("api:api/v1/", method): " ".join(["404"] * 7) for method in ("put", "patch", "delete", "options")},
    **{("favicon.ico", method): " ".join(["302"] * 7) for method in ("put", "patch", "delete", "options")},
    **{
        ("admin:", method): "302 302 302 302 302 302 200"  # its front page, whatever the method
        for method in ("put", "patch", "delete", "options")
    },
}


class _UndoneError(Exception):
    """Takes back what a request has changed."""


def answer(world: World, visitor: str, name: str, method: str) -> HttpResponse:
    """Return what a visitor gets; nothing that they do is there for the next."""
    form: dict[str, Any] = {}
    if method == "post":
        form = {"data": FORMS.get(name, {})}
        if name.startswith("api:"):
            form["content_type"] = "application/json"
    cache.clear()
    with suppress(_UndoneError), transaction.atomic():
        result: HttpResponse = getattr(world.browser(visitor), method)(
            world.address(name, ROUTES[name]), **form
        )
        if result.streaming:
            result.streaming_content = [b"".join(result.streaming_content)]
        raise _UndoneError
    return result


def statuses(world: World, name: str, method: str) -> str:
    return " ".join(str(answer(world, visitor, name, method).status_code) for visitor in VISITORS)


def test_the_table_holds_every_address_and_no_other() -> None:
    assert set(GET) == set(ROUTES)
    assert len(ROUTES) == len(list(addresses())), "two addresses of one name"
    assert set(POST) <= set(GET)


def test_who_may_look(world: World) -> None:
    """A stranger reads nothing of the study either."""
    results = {}
    for name in ROUTES:
        found = {visitor: answer(world, visitor, name, "get") for visitor in VISITORS}
        results[name] = " ".join(str(item.status_code) for item in found.values())
        # The first shows what it invites to, whoever has its link; who a worker is, their own pages say.
        if name == "console:invitation" or name.startswith("worker:"):
            continue
        body = found["stranger"].getvalue()
        assert b"The study study" not in body, name
        assert world.worker.pseudonym.encode() not in body, name
    assert results == GET


def test_who_may_send_a_form(world: World) -> None:
    # Elsewhere nobody; the API asks first who it is.
    refused = {
        name: " ".join("401" if item == "401" else "405" for item in told.split())
        for name, told in GET.items()
    }
    assert {name: statuses(world, name, "post") for name in ROUTES} == refused | POST


@pytest.mark.parametrize(
    "method",
    ["delete", "options", *(pytest.param(method, marks=pytest.mark.long) for method in ("put", "patch"))],
)
def test_there_is_no_other_way_to_ask(world: World, method: str) -> None:
    for name in ROUTES:
        output = statuses(world, name, method)
        if (name, method) in OTHER_METHODS:
            assert output == OTHER_METHODS[name, method], name
            continue
        for one, looking in zip(output.split(), GET[name].split(), strict=True):
            assert one == "405" or (one == looking and one in {"401", "302"}), (name, output)
