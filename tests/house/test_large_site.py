"""Every page asks the database as often on a large site as on a small one; the benchmark knows them all."""

from collections.abc import Iterator
from typing import Final

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from judging.models import Study
from tests.benchmarks.addresses import LEFT_OUT, addresses
from tests.benchmarks.large_site import LargeSite
from tests.benchmarks.make_large_study import make as make_large_study
from tests.house.walk import addresses as all_addresses
from tests.support.integrity import broken_invariants

MOST_QUERIES: Final = 22
OVERVIEWS: Final = {"study": 31, "study, not open yet": 31}
"""The overview has a part of every place, so it asks more often."""


@pytest.fixture(scope="module")
def small_site(module_db: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LargeSite]:
    folder = tmp_path_factory.mktemp("site")
    with override_settings(EXPORTS_FOLDER=folder, DRAFTS_FOLDER=folder, REPORTS_FOLDER=folder):
        yield LargeSite(slug="small", judgments=32, topics=1, rows=5)


def path_of(address: str) -> str:
    return address.partition("?")[0]


def test_every_page_is_measured_or_said_why_not(small_site: LargeSite, db: None) -> None:
    measured = {resolve(path_of(address)).view_name for _, address in addresses(small_site)}
    pages = {name for name, _ in all_addresses() if name.startswith(("console:", "api:"))}
    assert measured | set(LEFT_OUT) == pages
    assert not measured & set(LEFT_OUT)


@pytest.mark.slow
def test_queries_do_not_grow_with_the_site(small_site: LargeSite, db: None) -> None:
    browser = Client()
    browser.force_login(get_user_model().objects.create_superuser("ada"))
    results: dict[str, list[int]] = {}
    for site in (small_site, LargeSite(slug="larger", judgments=1600, topics=4, rows=130)):
        for page, address in addresses(site):
            with CaptureQueriesContext(connection) as captured:
                assert browser.get(address).status_code == 200, address
            results.setdefault(page, []).append(len(captured))
    grew = {page: counts for page, counts in results.items() if len(set(counts)) > 1}
    assert not grew
    for page, counts in results.items():
        assert max(counts) <= OVERVIEWS.get(page, MOST_QUERIES), page


def test_a_command_makes_a_study_to_click_through(db: None) -> None:
    address = make_large_study("large", 64, 2)
    study = Study.objects.get(slug="large")
    assert study.simulated
    assert broken_invariants(study) == []
    browser = Client()
    browser.force_login(get_user_model().objects.create_superuser("ada"))
    assert "64" in browser.get(address).content.decode()
    with pytest.raises(SystemExit, match="large"):
        make_large_study("large", 64, 2)
    with pytest.raises(SystemExit, match="16"):
        make_large_study("other", 60, 2)
