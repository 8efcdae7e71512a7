"""The console's pages on workers and units of a study with ratings speak of ratings, not of magnitudes."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import resolve, reverse

from judging.models import Participation, Study, Unit
from judging.setup.study_files.importing import import_study
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.services.curation import exclude_unit
from tests.factories import NOW, later
from tests.house.test_languages import Words
from tests.house.walk import addresses
from tests.setup.published import write_published

pytestmark = pytest.mark.django_db
OF_MAGNITUDES = re.compile(r"magnitude|logarithm", re.IGNORECASE)
OF_ANCHORS = re.compile(r"anchor", re.IGNORECASE)
ON_WORKERS = ("workers", "worker", "worker_pair", "worker_statistics")


@pytest.fixture
def rated(tmp_path: Path) -> Study:
    """A study with ratings and without anchors. Its workers have statistics, and a unit is excluded."""
    study = import_study(write_published(tmp_path / "published", scale="rating", units=36), now=NOW).study
    exclude_unit(unit=Unit.objects.filter(topic__study=study).earliest("pk"), reason="A test.", now=NOW)
    compute_statistics(study=study, now=later(hours=1))
    return study


def pages_of(study: Study) -> dict[str, str]:
    """Return the addresses of the pages that watch a study, by name."""
    first, second = Participation.objects.filter(study=study).order_by("pk")[:2]
    values = {
        "slug": study.slug,
        "pseudonym": first.pseudonym,
        "action": "close",
        "topic": study.topics.first().number,
    }
    pages = {}
    for name, route in addresses():
        wanted = re.findall(r"<(?:\w+:)?(\w+)>", route)
        if not name.startswith("console:") or not {"slug"} <= set(wanted) <= values.keys():
            continue
        address = reverse(name, kwargs={key: values[key] for key in wanted})
        if resolve(address).func.__module__.startswith("judging.watching.pages"):
            pages[name.removeprefix("console:")] = address
    pages["worker_pair"] += f"?a={first.pseudonym}&b={second.pseudonym}"
    pages["mend_topic"] += f"?number={values['topic']}"
    return pages


def words_of(console: Client, address: str) -> list[str]:
    answer = console.get(address)
    words = Words()
    words.feed(answer.content.decode())
    return words.texts if answer.status_code == 200 else []


def test_no_page_that_watches_ratings_says_magnitude(console: Client, rated: Study) -> None:
    pages = pages_of(rated)
    texts = {name: words_of(console, address) for name, address in pages.items()}
    texts["study"] = words_of(console, reverse("console:study", args=[rated.slug]))
    assert all(texts[name] for name in ("study", *ON_WORKERS))
    foreign = {(name, text) for name, found in texts.items() for text in found if OF_MAGNITUDES.search(text)}
    assert foreign == set()
    anchors = {(name, text) for name in ON_WORKERS for text in texts[name] if OF_ANCHORS.search(text)}
    assert anchors == set()
