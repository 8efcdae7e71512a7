"""Anchors sought in what pages are sent with, in the work they cost, and in where the anchors stand."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from random import Random, SystemRandom
from types import FrameType
from typing import Any

import pytest
from django.conf import settings
from scipy.stats import chisquare

from judging.models import Document, Study
from judging.protocol.planning import place_documents
from judging.worker.pages.progress import system_random
from tests.factories import make_study, make_worker
from tests.safety.conftest import Person
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import REASON
from tests.worker.pages.conftest import Clock

OURS = str(Path(settings.BASE_DIR, "judging"))
CACHING = {"etag", "last-modified", "age", "vary", "cache-control", "expires", "content-encoding"}


@pytest.fixture
def filled(clock: Clock) -> Study:
    """A study whose documents all have one text, so that a page differs by its place alone."""
    study = make_study(topics=1, seconds_per_document=0)
    Document.objects.update(title="Filler", text="x" * 400)
    return study


def test_nothing_that_a_cache_could_tell_depends_on_the_document(
    filled: Study, person: Callable[..., Person]
) -> None:
    worker = person(filled)
    asked = {
        "plain": {},
        "known": {"If-None-Match": "*", "If-Modified-Since": "Fri, 01 Jan 2999 00:00:00 GMT"},
        "part": {"Range": "bytes=0-9", "Accept-Encoding": "gzip, br, zstd"},
    }
    seen: dict[str, set[tuple[Any, ...]]] = {}
    for place in range(8):
        for how, headers in asked.items():
            for method in ("GET", "HEAD"):
                answer = worker.http.request(method, worker.page.reply.url, headers=headers)
                assert answer.status_code == 200
                results = {name: answer.headers[name] for name in answer.headers if name in CACHING}
                results.pop("expires")  # the time of day
                assert "no-store" in results["cache-control"]
                assert not results.keys() & {"etag", "last-modified", "age", "content-encoding"}
                shape = (sorted(answer.headers), sorted(results.items()), len(answer.headers["set-cookie"]))
                # First and last differ by their buttons, for everybody alike.
                length = len(answer.content) if 0 < place < 7 else None
                seen.setdefault(f"{method} {how}", set()).add((str(shape), length))
        if place < 7:
            worker.press("next", magnitude="5", justification=REASON)
    for how, shapes in seen.items():
        assert len({shape for shape, _ in shapes}) == 1, how
        assert len({length for _, length in shapes} - {None}) == 1, how


@contextmanager
def calls(counted: Counter[str]) -> Iterator[None]:
    """Counts every call of a function of ours in this block."""

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            counted[f"{frame.f_code.co_filename}:{frame.f_code.co_qualname}"] += 1

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


def test_our_code_takes_the_same_way_for_every_document(filled: Study, clock: Clock) -> None:
    """Function by function and call by call, for the page and for its answer, whichever is the anchor."""
    worker = make_worker(filled, upto="judging", now=clock.now)
    visitor = Visitor(through_client())
    visitor.open(f"/s/{filled.slug}/resume/{worker.token}/")
    ways: dict[str, list[Counter[str]]] = {"look": [], "answer": []}
    for place in range(8):
        looked: Counter[str] = Counter()
        with calls(looked):
            visitor.request("GET", visitor.page.path)
        ways["look"].append(looked)
        if place < 7:
            answered: Counter[str] = Counter()
            sent = visitor.filled(visitor.page.forms[0], "next", magnitude="5", justification=REASON)
            with calls(answered):
                visitor.request("POST", visitor.page.path, sent)
            ways["answer"].append(answered)
            visitor.open(visitor.page.path)
    for what, counts in ways.items():
        assert sum(counts[0].values()) > 10, what
        assert all(count == counts[0] for count in counts), what


def test_every_pair_of_places_is_as_likely_for_the_two_anchors() -> None:
    """χ² over the 56 ordered pairs of places, 200 of each expected; by a seed, so it is always the same."""
    rng = Random(7)
    drawn: Counter[tuple[int, int]] = Counter()
    for _ in range(56 * 200):
        order = place_documents(list("abcdef"), list("HN"), rng)
        drawn[order.index("H"), order.index("N")] += 1
    pairs = list(permutations(range(8), 2))
    assert set(drawn) == set(pairs)
    assert chisquare([drawn[pair] for pair in pairs]).pvalue > 0.01


def test_chance_at_the_pages_cannot_be_foreseen() -> None:
    assert isinstance(system_random, SystemRandom)
