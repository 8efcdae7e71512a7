"""A page asks the database as often for many rows of a large study as for few of a small one."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.api.conftest import LISTS, ROOT, fill
from tests.factories import make_study


def queries(client: Client, address: str, **parameters: int) -> int:
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(address, parameters)
    assert answer.status_code == 200
    return len(asked)


@pytest.fixture(scope="module")
def both(module_db: None) -> None:
    fill(make_study(slug="small", topics=1, judgments_per_document=2), workers=2)
    fill(make_study(slug="large", topics=4, judgments_per_document=4), workers=4)


def test_the_number_of_queries_is_constant(client: Client, both: None) -> None:
    results = {}
    for what in (*LISTS, "exports"):
        sizes = [{}] if what == "exports" else [{"page_size": 2}, {"page_size": 1000}]
        results[what] = {
            queries(client, f"{ROOT}/studies/{study}/{what}/", **size)
            for study in ("small", "large")
            for size in sizes
        }
    assert {what: len(numbers) for what, numbers in results.items()} == dict.fromkeys(results, 1), results
    assert max(max(numbers) for numbers in results.values()) <= 14, results


def test_the_list_of_studies_is_constant_too(client: Client, both: None) -> None:
    before = queries(client, f"{ROOT}/studies/")
    for number in range(5):
        make_study(slug=f"other-{number}", topics=1)
    assert queries(client, f"{ROOT}/studies/") == before
