"""What a list can be narrowed by."""

from collections.abc import Callable

import pytest
from django.test import Client

from judging.models import Study
from tests.api.conftest import rows

Row = dict


@pytest.mark.parametrize(
    ("what", "parameters", "fits"),
    [
        ("topics", {"number": "402"}, lambda row: row["topic_id"] == "402"),
        ("judgments", {"topic": "402"}, lambda row: row["topic_id"] == "402"),
        ("judgments", {"unit": "402-0002"}, lambda row: row["unit_id"] == "402-0002"),
        ("judgments", {"document": "D402-003"}, lambda row: row["document_id"] == "D402-003"),
        ("judgments", {"topic": "402", "excluded": "false"}, lambda row: row["topic_id"] == "402"),
        ("gains", {"topic": "401"}, lambda row: row["topic_id"] == "401"),
        ("gains", {"document": "D401-H"}, lambda row: row["document_id"] == "D401-H"),
        ("units", {"topic": "401"}, lambda row: row["topic_id"] == "401"),
        ("units", {"state": "completed"}, lambda row: row["state"] == "completed"),
        ("units", {"state": "comprehension_failed"}, lambda row: row["state"] == "comprehension_failed"),
        ("events", {"check": "a"}, lambda row: row["check"] == "a"),
        ("events", {"check": "b"}, lambda row: row["check"] == "b"),
        ("events", {"day": "2026-03-02"}, lambda row: row["at"].startswith("2026-03-02")),
    ],
)
def test_a_filter_gives_all_that_fits_and_nothing_else(
    client: Client, judged: Study, what: str, parameters: dict[str, str], fits: Callable[[Row], bool]
) -> None:
    expected = [row for row in rows(client, what) if fits(row)]
    assert expected
    assert rows(client, what, page_size=4, **parameters) == expected


@pytest.mark.parametrize("what", ["judgments", "events"])
def test_by_worker_and_by_topic_of_events(client: Client, judged: Study, what: str) -> None:
    everything = rows(client, what)
    worker, topic = everything[0]["worker_id"], everything[0]["topic_id"]
    expected = [row for row in everything if (row["worker_id"], row["topic_id"]) == (worker, topic)]
    assert 0 < len(expected) < len(everything)
    assert rows(client, what, worker=worker, topic=topic) == expected


def test_what_fits_nothing_gives_nothing(client: Client, judged: Study) -> None:
    for what, name, value in (
        ("topics", "number", "40"),
        ("judgments", "topic", "nothing"),
        ("judgments", "unit", "401-9999"),
        ("judgments", "worker", "nobody"),
        ("gains", "document", "D"),
        ("units", "state", "lapsed"),
        ("events", "day", "2026-03-01"),
        ("events", "day", "9999-12-31"),
    ):
        assert rows(client, what, **{name: value}) == [], (what, name)
