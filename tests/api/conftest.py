"""A judged study with everything in it that the API shows or must hide, and people who ask for it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import Client

from judging.models import Study
from judging.watching.services.curation import exclude_unit
from tests.archive.exports.conftest import add_grades, judge
from tests.factories import answer_wrongly, fail_practice, judge_unit, later, make_study, make_worker

PASSWORD = "a-plumb-line-of-93"
ROOT = "/api/v1"
FORM = "application/x-www-form-urlencoded"
LISTS = ("topics", "judgments", "gains", "units", "events")


@pytest.fixture(autouse=True)
def no_earlier_requests() -> Iterator[None]:
    """Throttles count in the cache: each test begins at nothing."""
    cache.clear()
    yield
    cache.clear()


def fill(study: Study, *, workers: int = 3) -> None:
    """Judged units, one of them excluded, failed questions, a failed practice, and two sets of grades."""
    confused = make_worker(study, upto="question", platform_id="person-1", submission_id="visit-1")
    for _ in range(study.comprehension_attempts):
        answer_wrongly(confused)
    judge(study, workers=workers)
    fail_practice(make_worker(study, upto="practising"))
    add_grades(study, "trec", place=0, skip=1)
    add_grades(study, "units", place=1)
    last = study.topics.first().units.filter(state="done").last()
    exclude_unit(unit=last, reason="Answered at random.", collect_again=False, now=later(hours=9))


def people() -> dict[str, Any]:
    """One account of each kind."""
    accounts = get_user_model().objects
    return {
        "stranger": accounts.create_user("eve", password=PASSWORD),
        "staff": accounts.create_user("ada", password=PASSWORD, is_staff=True),
        "superuser": accounts.create_superuser("root", password=PASSWORD),
    }


def logged_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def read(client: Client, address: str, **parameters: Any) -> dict[str, Any]:
    """The answer to a request that succeeds."""
    answer = client.get(address, parameters)
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


def pages(client: Client, address: str, **parameters: Any) -> Iterator[list[dict[str, Any]]]:
    """The rows of page after page, as `next` leads on."""
    while address:
        page = read(client, address, **parameters)
        yield page["results"]
        address, parameters = page["next"], {}


def rows(client: Client, what: str, **parameters: Any) -> list[dict[str, Any]]:
    """All rows of a list of the study `study`."""
    result = pages(client, f"{ROOT}/studies/study/{what}/", **parameters)
    return [row for page in result for row in page]


def error(client: Client, address: str, status: int, **parameters: Any) -> dict[str, Any]:
    """What an answer says went wrong."""
    answer = client.get(address, parameters)
    assert answer.status_code == status, answer.content
    body = json.loads(answer.content)
    assert set(body) == {"error"}
    return body["error"]


@pytest.fixture(scope="module")
def shared_study(module_db: None) -> Study:
    study = make_study(topics=1, documents=2, unit_size=4, judgments_per_document=1)
    judge_unit(make_worker(study))
    return study


@pytest.fixture
def study(db: None, shared_study: Study) -> Study:
    """A small one, judged whole, that is made once for a module: a unit of four documents."""
    return shared_study


@pytest.fixture(scope="module")
def shared_judged(module_db: None) -> Study:
    study = make_study(judgments_per_document=3)
    fill(study)
    return study


@pytest.fixture
def judged(db: None, shared_judged: Study) -> Study:
    """Two topics of three units, one of them excluded, made once for a module without another `study`."""
    return shared_judged


@pytest.fixture
def client(db: None) -> Client:
    """Logged in as a researcher."""
    return logged_in(get_user_model().objects.create_user("ada", password=PASSWORD, is_staff=True))
