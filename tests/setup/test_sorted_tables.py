"""The tables of a set-up are sorted by their headings, and begin in the order of its files."""

import re
from typing import Final

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client

from judging.core.clock import now
from judging.models import Job, Question, Setup
from judging.setup.making import begin_setup
from judging.setup.topics import add_topic
from tests.setup.driving import at
from tests.support.headings import Page

TOPICS: Final = [("10", "Ten", 9), ("9", "Nine", 7), ("MB2", "Two", 8)]
RUNS: Final = [("b10", 500), ("a", 30), ("b9", 1000)]


@pytest.fixture
def setup(researcher: AbstractBaseUser) -> Setup:
    """A set-up of three topics and three runs, in no order, of which the second topic has a question."""
    setup = begin_setup(title="New", owner=researcher, now=now())
    for number, title, _ in TOPICS:
        topic = add_topic(setup.study, number=number, title=title)
        if number == "9":
            Question.objects.create(topic=topic, text="What?", options=["a", "b", "c", "d"], right_option=0)
    reading = {
        "version": setup.version,
        "depth": None,
        "faults": [],
        "missing": [],
        "counts": {},
        "more": 0,
        "topics": [
            {
                "number": number,
                "title": title,
                "others": others,
                "depths": [],
                "anchors": {"H": {"id": f"D{number}", "words": 9}} if number != "9" else {},
                "anchor_warnings": [],
            }
            for number, title, others in TOPICS
        ],
        "runs": [{"tag": tag, "file": "runs", "topics": 3, "documents": lines} for tag, lines in RUNS],
        "documents": {"read": 0, "pooled": 0, "first": []},
        "grades": [],
        "notices": [],
    }
    times = {"created_at": now(), "heartbeat_at": now(), "started_at": now(), "finished_at": now()}
    setup.job = Job.objects.create(kind="check", state="done", result=reading, **times)
    setup.save()
    return setup


def first_column(console: Client, setup: Setup, address: str, heading: str) -> list[str]:
    """The first word of each row of the table with such a first heading."""
    answer = console.get(at(setup, address))
    assert answer.status_code == 200
    tables = Page(answer.content.decode()).tables
    (table,) = (item for item in tables if item.heads[0][0].said == heading and item.heads[0][0].address)
    return [row[0].said.split()[0] for row in table.rows]


@pytest.mark.parametrize(
    ("address", "order"),
    [
        ("topics/", ["10", "9", "MB2"]),
        ("topics/?sort=topic", ["9", "10", "MB2"]),
        ("topics/?sort=-topic", ["MB2", "10", "9"]),
        ("topics/?sort=-question", ["9", "10", "MB2"]),
        ("anchors/?sort=topic", ["9", "10", "MB2"]),
        ("anchors/?sort=-h", ["MB2", "10", "9"]),
        ("anchors/?sort=h", ["10", "MB2", "9"]),
        ("anchors/?sort=n", ["10", "9", "MB2"]),
        ("files/", ["10", "9", "MB2"]),
        ("files/?sort_pools=-documents", ["10", "MB2", "9"]),
        ("files/?sort_pools=topic", ["9", "10", "MB2"]),
    ],
)
def test_topics_are_sorted(console: Client, setup: Setup, address: str, order: list[str]) -> None:
    assert first_column(console, setup, address, "Topic") == order


@pytest.mark.parametrize(
    ("address", "order"),
    [
        ("files/", ["b10", "a", "b9"]),
        ("files/?sort_runs=run", ["a", "b9", "b10"]),
        ("files/?sort_runs=-lines&sort_pools=topic", ["b9", "b10", "a"]),
        ("files/?sort_runs=lines", ["a", "b10", "b9"]),
    ],
)
def test_runs_are_sorted(console: Client, setup: Setup, address: str, order: list[str]) -> None:
    assert first_column(console, setup, address, "Run") == order


@pytest.mark.parametrize(
    "address",
    ["topics/?sort=luck", "anchors/?sort=luck", "files/?sort_runs=luck", "files/?sort_pools=luck"],
)
def test_what_they_cannot_be_sorted_by_is_told(console: Client, setup: Setup, address: str) -> None:
    answer = console.get(at(setup, address))
    assert answer.status_code == 400
    alert = answer.content.decode().split('role="alert">')[1].split("</p>")[0]
    assert "luck" in alert


def test_a_pool_that_is_sorted_stays_open(console: Client, setup: Setup) -> None:
    text = console.get(at(setup, "files/?sort_pools=topic")).content.decode()
    assert re.search(r'<details open>\s*<summary id="pools">', text)
