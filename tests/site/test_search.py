"""A study's search finds its topics, documents, workers and codes, and nothing of other studies."""

import re
from urllib.parse import urlencode

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client

from judging.models import Assignment, Topic
from judging.site.search import LONGEST, MOST
from tests.factories import judge_unit, make_study, make_worker
from tests.site.test_studies import page

HOME = "/console/studies/study/"
SEARCH = f"{HOME}search/"


def found(console: Client, query: str) -> list[str]:
    """Return the addresses of the matches, below the study's; the only match is where the page leads."""
    answer = console.get(SEARCH, {"q": query})
    if answer.status_code == 302:
        return [answer.url.removeprefix(HOME)]
    assert answer.status_code == 200
    text = page(console, f"{SEARCH}?{urlencode({'q': query})}")
    matches = re.findall(r'<a href="([^"]*)"', text.partition('class="matches"')[2].partition("</ul>")[0])
    assert len(matches) != 1
    return [address.removeprefix(HOME) for address in matches]


def topic(number: str) -> str:
    return f"understanding/documents/?topic={number}"


def document(number: str, name: str) -> str:
    return f"understanding/document/?topic={number}&id={name}"


@pytest.mark.parametrize("query", ["402", "topic 402", "TITLE OF TOPIC 402", " 402 "])
def test_a_topic_by_its_number_or_a_part_of_its_title(console: Client, query: str) -> None:
    make_study(topics=3)
    assert found(console, query) == [topic("402")]


def test_topics_come_in_their_order(console: Client) -> None:
    make_study(topics=3)
    assert found(console, "40") == found(console, "title") == [topic("401"), topic("402"), topic("403")]
    assert found(console, "02") == [topic("402")], "as a part of the title"


def test_a_document_by_the_beginning_of_its_id(database: str) -> None:
    make_study(topics=2, documents=6)
    console = admin()
    assert found(console, "D401-H") == found(console, "d401-h") == [document("401", "D401-H")]
    assert found(console, "D402-00") == [document("402", f"D402-00{place}") for place in range(6)]
    assert found(console, "401-H") == [], "the id does not begin so"


def test_a_document_that_two_topics_have_is_found_in_both(console: Client) -> None:
    study = make_study(topics=2, opened=False)
    shared = study.documents.get(document_id="D401-H")
    study.topics.get(number="402").pool.create(document=shared)
    assert found(console, "D401-H") == [document("401", "D401-H"), document("402", "D401-H")]


def test_a_worker_by_the_beginning_of_the_pseudonym(database: str) -> None:
    study = make_study()
    worker, other = make_worker(study), make_worker(study)
    console = admin()
    address = f"workers/{worker.pseudonym}/"
    for query in (worker.pseudonym, worker.pseudonym.upper(), worker.pseudonym[:6]):
        assert found(console, query) == [address]
    assert found(console, f"{worker.pseudonym}\0") == [address]
    assert set(found(console, "w")) == {address, f"workers/{other.pseudonym}/"}


def test_a_worker_by_a_completion_code(console: Client) -> None:
    study = make_study(judgments_per_document=1)
    worker = make_worker(study)
    judge_unit(worker)
    code = Assignment.objects.get(completion_code__isnull=False).completion_code
    assert code is not None
    for query in (code, code.lower(), code.replace("-", " ")):
        assert found(console, query) == [f"workers/{worker.pseudonym}/"]
    assert found(console, code[:9]) == [], "part of a code"


def test_nothing_of_other_studies_is_found(console: Client) -> None:
    make_study(topics=1)
    other = make_study(slug="other", topics=3, judgments_per_document=1)
    worker = make_worker(other)
    judge_unit(worker)
    code = Assignment.objects.get(completion_code__isnull=False).completion_code
    for query in ("403", "topic 402", "D402-H", worker.pseudonym, code or ""):
        assert found(console, query) == [], query
    assert found(console, "40") == [topic("401")]


@pytest.mark.parametrize("query", ["", "   ", "nothing like it", "%", "_", "\0", "x" * 5000])
def test_a_search_without_matches_says_so(database: str, query: str) -> None:
    make_study()
    answer = admin().get(SEARCH, {"q": query})
    assert answer.status_code == 200
    text = answer.content.decode()
    assert re.findall(r'data-empty="(\w+)"', text) == ["search" if query.strip().strip("\0") else "query"]
    assert 'class="matches"' not in text
    assert "x" * (LONGEST + 1) not in text


def test_long_lists_are_cut(console: Client) -> None:
    study = make_study(topics=2, documents=MOST + 6)
    Topic.objects.filter(study=study).update(title="Bees")
    matches = found(console, "D401")
    assert len(matches) == MOST
    assert matches == sorted(matches)
    assert len(found(console, "bee")) == 2


def test_texts_are_shown_as_they_are_typed(console: Client) -> None:
    make_study()
    text = console.get(SEARCH, {"q": '"><b>'}).content.decode()
    assert 'value="&quot;&gt;&lt;b&gt;"' in text


def test_without_permission_nothing_is_found(client: Client, outsider: AbstractBaseUser) -> None:
    make_study()
    answer = client.get(SEARCH, {"q": "401"})
    assert (answer.status_code, answer.url.partition("?")[0]) == (302, "/console/login/")
    client.force_login(outsider)
    answer = client.get(SEARCH, {"q": "401"})
    assert answer.status_code in {403, 404}
    assert b"topic 401" not in answer.content


def admin() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("ada"))
    return client
