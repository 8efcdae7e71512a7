"""Objects of another study below one's own study, and fields that no form has: there is nothing there."""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from judging.core.services.members import set_role
from judging.models import Invitation, Membership, Role, Setup, Study
from tests.factories import NOW
from tests.house.walk import World, addresses
from tests.people.conftest import PASSWORD

NAMED: Final = {"slug", "form", "what", "section", "page", "name", "action"}
"""Parts of an address that name a study, a kind or a page, and no row."""
NESTED: Final = {
    "console:worker",
    "console:job",
    "console:job_file",
    "console:job_manifest",
    "console:figure_file",
    "console:report_table",
    "console:picture",
}
"""Addresses that name a study and a row in it."""
BY_QUERY: Final = {
    "console:document": {"topic": "401", "id": "D401-000"},
    "console:documents": {"topic": "999"},
    "console:judge": {"name": "gauge"},
}
ROUTES: Final = dict(addresses())


@pytest.fixture
def world(db: None, settings: Any, tmp_path: Path) -> World:
    settings.EXPORTS_FOLDER = settings.DRAFTS_FOLDER = settings.REPORTS_FOLDER = tmp_path
    cache.clear()
    world = World()
    set_role(study=Study.objects.get(slug="other"), user=world.people["owner"], role=Role.OWNER, now=NOW)
    return world


def parts(route: str) -> set[str]:
    """The names in the brackets of a route."""
    return {piece.partition(">")[0].rpartition(":")[2] for piece in route.split("<")[1:]}


def test_the_table_holds_every_address_with_a_study_and_a_row() -> None:
    nested = {
        name
        for name, route in ROUTES.items()
        if "slug" in parts(route) and parts(route) - NAMED and not name.startswith("worker:")
    }
    assert nested == NESTED


@pytest.mark.parametrize("visitor", ["owner", "admin"])
def test_rows_of_another_study_are_not_there(world: World, visitor: str) -> None:
    """Whoever owns both studies finds each row below its own study alone."""
    client = world.browser(visitor)
    for name in sorted(NESTED):
        address = world.address(name, ROUTES[name])
        assert client.get(address).status_code == 200, name
        elsewhere = address.replace("/studies/study/", "/studies/other/")
        assert client.get(elsewhere).status_code == 404, name
        assert client.post(elsewhere, {"action": "block", "sure": "on"}).status_code in (404, 405), name
    for name, query in BY_QUERY.items():
        elsewhere = f"/{ROUTES[name].replace('<slug:slug>', 'other')}"
        answer = client.get(elsewhere, query | ({"id": "D401-none"} if "id" in query else {}))
        assert answer.status_code == 404, name


def test_ids_of_rows_in_forms_are_those_of_the_study(world: World) -> None:
    """An owner of one study sends ids of another's invitation and member along."""
    client = world.browser("owner")
    Membership.objects.filter(study__slug="other", user=world.people["owner"]).delete()
    before = list(Membership.objects.order_by("pk").values())
    invitation = Invitation.objects.create(
        study=Study.objects.get(slug="other"),
        email="y@example.org",
        role=Role.VIEWER,
        key="k" * 43,
        created_at=NOW,
        expires_at=NOW.replace(year=2999),
    )
    stranger = world.people["stranger"]
    for form in (
        {"action": "revoke", "invitation": str(invitation.pk)},
        {"action": "remove", "user": str(stranger.pk)},
        {"action": "role", "user": str(stranger.pk), "role": "viewer"},
        {"action": "role", "user": "9" * 5000, "role": "viewer"},
        {"action": "revoke", "invitation": "9" * 5000},
    ):
        answer = client.post("/console/studies/study/members/", form | {"study": "other"})
        assert answer.status_code in (302, 400), form
    invitation.refresh_from_db()
    assert invitation.revoked_at is None
    assert list(Membership.objects.order_by("pk").values()) == before


FORGED: Final = {
    "is_staff": "on",
    "is_superuser": "on",
    "is_active": "",
    "user": "1",
    "user_id": "1",
    "owner": "1",
    "study": "other",
    "study_id": "2",
    "state": "closed",
    "simulated": "on",
    "seed": "99",
    "slug": "taken-over",
    "paid_at": "2020-01-01",
    "requested_by": "1",
    "actor": "1",
    "key": "x",
    "serial": "99",
    "text": "slug = 'taken-over'",
}
"""Names of columns that no form has, or that the form it is sent to has not."""


class UndoneError(Exception):
    """Takes back what a request has changed."""


def rights() -> list[Any]:
    """Everything that the fields above would change."""
    accounts = get_user_model().objects.order_by("pk")
    return [
        list(accounts.values("username", "is_staff", "is_superuser", "is_active", "password")),
        list(Study.objects.order_by("pk").values("slug", "state", "simulated", "seed")),
        sorted(Setup.objects.values_list("pk", "study")),
    ]


FORMS: Final[dict[str, dict[str, str]]] = {
    "console:thresholds": {"action": "save"},
    "console:members": {"action": "invite", "email": "z@example.org", "role": "viewer"},
    "console:jobs": {"kind": "export", "what": "units.csv"},
    "console:results": {"measures": "AP"},
    "console:papers": {"paper": "K05"},
    "console:setup_settings": {"title": "Another"},
    "console:password_change": {
        "old_password": PASSWORD + "x",
        "new_password1": "a-new-one-of-94",
        "new_password2": "a-new-one-of-94",
    },
    "console:worker": {"action": "note"},
    "console:login": {"username": "owner", "password": PASSWORD},
    "api:token": {"username": "owner", "password": PASSWORD},
}


def posts() -> Iterator[str]:
    """The addresses that take forms, but for those whose form is for nothing else than these fields."""
    left = {"console:state", "console:rehearse", "console:copy", "console:setup_change", "console:setup"}
    yield from (name for name in ROUTES if name.startswith(("console:", "api:")) and name not in left)


def test_fields_that_no_form_has_change_nothing(world: World) -> None:
    before, client, anybody = rights(), world.browser("owner"), Client()
    cookies = deepcopy(client.cookies)
    for name in posts():
        cache.clear()
        client.cookies = deepcopy(cookies)  # of a session that is there again, should a form have ended it
        try:
            with transaction.atomic():
                address = world.address(name, ROUTES[name])
                if name.startswith("api:"):
                    answer = anybody.post(address, FORGED | FORMS.get(name, {}), "application/json")
                else:
                    answer = client.post(address, FORGED | FORMS.get(name, {}))
                assert answer.status_code < 500, name
                assert rights() == before, name
                raise UndoneError
        except UndoneError:
            pass


def test_an_account_that_is_made_by_an_invitation_is_no_more_than_invited(world: World) -> None:
    address = world.address("console:invitation", ROUTES["console:invitation"])
    form = {"username": "newcomer", "password1": "a-plumb-line-of-95", "password2": "a-plumb-line-of-95"}
    Client().post(address, FORGED | {"is_active": "on", "role": "owner", "email": "other@example.org"} | form)
    result = get_user_model().objects.get(username="newcomer")
    assert (result.is_staff, result.is_superuser, result.is_active) == (False, False, True)
    assert result.email == "new@example.org"
    assert list(result.memberships.values_list("study__slug", "role")) == [("study", "viewer")]


# --- Django's admin ----------------------------------------------------------------------------------------


def admin_routes() -> list[str]:
    """Every address of Django's admin, an id in the place of each of its parts."""
    (admin,) = (one for one in get_resolver().url_patterns if getattr(one, "namespace", "") == "admin")
    given = {"object_id": "1", "id": "1", "app_label": "judging", "content_type_id": "1", "url": "x"}
    results = []

    def walk(patterns: list[Any], before: str) -> None:
        for one in patterns:
            route = before + str(one.pattern)
            if hasattr(one, "url_patterns"):
                walk(one.url_patterns, route)
            elif "(?P" not in route:
                for name, value in given.items():
                    for kind in ("path:", "int:", "str:", ""):
                        route = route.replace(f"<{kind}{name}>", value)
                results.append(f"/{route}")

    walk(admin.url_patterns, str(admin.pattern))
    return results


def test_no_address_of_the_admin_opens_to_anybody_else(world: World) -> None:
    routes = [route for route in admin_routes() if "login" not in route and "logout" not in route]
    assert len(routes) > 60
    assert not [route for route in routes if "<" in route]
    for visitor in ("anonymous", "worker", "viewer", "owner"):
        client = world.browser(visitor)
        for route in routes:
            for method in (client.get, client.post):
                answer = method(route)
                assert answer.status_code in (302, 403, 404, 405), (visitor, route)
                assert "admin/login" in answer.get("Location", "admin/login") or answer.status_code != 302
