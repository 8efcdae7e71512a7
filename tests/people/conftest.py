"""Fixtures: a study with an owner, an editor and a viewer; a member of another study; an admin."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.cache import cache
from django.test import Client

from judging.core.services.members import set_role
from judging.models import Role, Study
from tests.factories import NOW, make_study
from tests.support.html import compact
from tests.support.named import assert_names

PASSWORD = "a-plumb-line-of-93"
People = dict[str, AbstractBaseUser]


@pytest.fixture(autouse=True)
def no_earlier_tries(settings: Any) -> Iterator[None]:
    """Clear the cache, which counts attempts, before each test."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def with_mail(settings: Any) -> Any:
    """Return the settings of a site that sends e-mail to `django.core.mail.outbox`."""
    settings.MAIL_SERVER = ("smtp", "mail.example.org", 25, "", "")
    settings.DEFAULT_FROM_EMAIL = "Plumbline <plumbline@example.org>"
    settings.SITE_URL = "https://judging.example.org"
    return settings


@pytest.fixture
def study(db: None) -> Study:
    return make_study(opened=False)


def make_people(study: Study, other: Study) -> People:
    """Return the people; only the admin is staff, the others have only their role."""
    accounts = get_user_model().objects
    people: People = {
        name: accounts.create_user(name, email=f"{name}@example.org", password=PASSWORD)
        for name in ("owner", "editor", "viewer", "stranger")
    }
    for name in ("owner", "editor", "viewer"):
        set_role(study=study, user=people[name], role=Role(name), now=NOW)
    set_role(study=other, user=people["stranger"], role=Role.OWNER, now=NOW)
    people["admin"] = accounts.create_superuser("admin", email="admin@example.org", password=PASSWORD)
    return people


@pytest.fixture
def people(study: Study) -> People:
    return make_people(study, make_study(slug="other", opened=False))


def browser_of(user: AbstractBaseUser | None) -> Client:
    """Return a browser in which a person is logged in, or nobody."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def text_of(answer: Any) -> str:
    return compact(answer.content.decode())


def told(answer: Any, level: str, *named: str) -> None:
    """Assert that a page shows one message of this level, which names all of `named`."""
    (message,) = answer.context["messages"]
    assert message.level_tag == level
    assert_names(str(message), *named)
