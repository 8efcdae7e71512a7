"""Ranked lists against the plainest way to make them, whatever order the rows stand in."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import pairs, ranking, runs
from evaluation.frames import Gains
from evaluation.notices import Notices
from evaluation.pairs import HashTable, first_repetition
from evaluation.ranking import rank
from evaluation.runs import Run

INFINITE = float("inf")
# 1 and 1 + 1e-10 are one 32-bit float and two 64-bit ones; 1e39 is infinite in 32 bits.
SCORES = st.sampled_from([1.0, 1 + 1e-10, 2.0, 0.0, -0.0, -3.5, 1e39, INFINITE, -INFINITE])
ROWS = st.lists(
    st.tuples(st.sampled_from("tuvx"), st.sampled_from("abcdefgh"), SCORES, st.integers(0, 4)),
    unique_by=lambda row: row[:2],
    max_size=24,
)
JUDGED = [(topic, document, float(i % 3)) for i, topic in enumerate("tuv") for document in "hgfba"[i:]]


def listed(rows, topic, ties, keep):
    """One topic's documents, the best first: what `rank` is held against."""
    best_first = sorted((row for row in rows if row[0] == topic), key=lambda row: row[1], reverse=True)
    best_first.sort(key=lambda row: -np.float32(row[2]) if ties == "trec_eval9" else -row[2])
    if ties == "as_ranked":
        best_first.sort(key=lambda row: row[3])
    return [row for row in best_first if keep(row)]


def expected(rows, ties, unjudged):
    """Per topic its list's length, and of each judged document rank, better ones and equal ones."""
    judged = {row[:2] for row in JUDGED}
    results = {}
    for topic in "tuv":
        with np.errstate(over="ignore"):
            ranked = listed(rows, topic, ties, lambda row: unjudged == "zero" or row[:2] in judged)
        raw = [-row[3] if ties == "as_ranked" else row[2] for row in ranked]
        results[topic] = (
            len(ranked),
            [
                (document, place, sum(r > raw[place - 1] for r in raw), raw.count(raw[place - 1]))
                for place, (_, document, *_) in enumerate(ranked, 1)
                if (topic, document) in judged
            ],
        )
    return results


def told(lists, place):
    """The same of one run of ranked lists."""
    names = sorted(row[:2] for row in JUDGED)
    columns = (lists.cell, lists.document, lists.rank, *lists.levels())
    results = {topic: (int(lists.length[place, t]), []) for t, topic in enumerate(lists.topics)}
    for cell, document, *rest in zip(*(column.tolist() for column in columns), strict=True):
        if cell // len(lists.topics) == place:
            topic, name = names[document]
            assert topic == lists.topics[cell % len(lists.topics)]
            results[topic][1].append((name, *rest))
    return results


@pytest.fixture
def gains():
    return Gains.from_columns(*zip(*JUDGED, strict=True))


def run_of(rows, tag="run"):
    topics, documents, scores, ranks = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Run.from_columns(tag, topics, documents, scores, ranks)


@pytest.mark.parametrize("unjudged", ["zero", "drop"])
@pytest.mark.parametrize("ties", ["trec_eval", "trec_eval9", "as_ranked"])
@pytest.mark.parametrize("standing", ["as it comes", "by score", "by rank"])
@given(rows=ROWS)
def test_the_plainest_way_gives_the_same(ties, unjudged, standing, rows):
    if standing != "as it comes":
        rows = sorted(rows, key=lambda row: (row[0], -row[2] if standing == "by score" else row[3]))
    judged = Gains.from_columns(*zip(*JUDGED, strict=True))
    runs = [run_of(rows, "first"), run_of(rows[::-1], "second")]
    found = rank(judged, runs, unjudged=unjudged, ties=ties)
    wanted = expected(rows, ties, unjudged)
    assert [told(found.lists, place) for place in (0, 1)] == [wanted, wanted]
    answered = [any(row[0] == topic for row in rows) for topic in "tuv"]
    assert found.answered.tolist() == [answered, answered]
    notices = Notices(found.notices)
    without_judgments = notices.topics("topics-not-judged") | notices.topics("no-topic-judged")
    has_x = any(row[0] == "x" for row in rows)
    assert without_judgments == ({"first": ("x",), "second": ("x",)} if has_x else {})


def test_unequal_pairs_of_one_hash_are_told_apart(gains, monkeypatch):
    rows = [
        ("t", "h", 3.0, 1),
        ("t", "c", 2.0, 2),
        ("u", "h", 2.0, 1),
        ("t", "a", 1.0, 3),
        ("v", "f", 1.0, 1),
    ]
    for module in (pairs, runs, ranking):
        monkeypatch.setattr(module, "hashes", lambda table: np.zeros(len(table), np.uint64))
    found = rank(gains, [run_of(rows)])
    assert told(found.lists, 0) == expected(rows, "trec_eval", "zero")


def test_a_repetition_is_found_among_pairs_of_one_hash(monkeypatch):
    monkeypatch.setattr(pairs, "hashes", lambda table: np.zeros(len(table), np.uint64))
    table = pl.DataFrame({"topic_id": ["t", "u", "t", "t"], "document_id": ["a", "a", "b", "a"]})
    assert first_repetition(table[:3]) is None
    assert first_repetition(table) == 3


@given(
    here=st.lists(st.integers(0, 40), max_size=30),
    others=st.lists(st.one_of(st.integers(0, 40), st.integers(0, 2**64 - 1)), max_size=30),
)
def test_a_table_of_hashes_meets_every_equal_pair(here, others):
    rows, places = HashTable(np.array(here, np.uint64)).find_equal(np.array(others, np.uint64))
    met = list(zip(rows.tolist(), places.tolist(), strict=True))
    assert rows.tolist() == sorted(rows.tolist())
    assert sorted(met) == [(i, j) for i, other in enumerate(others) for j, h in enumerate(here) if h == other]


def test_a_table_meets_hashes_that_share_its_slots_alone():
    here = np.array([1, 1 + 2**40, 2**41, 1 + 2**42], np.uint64)
    rows, places = HashTable(here).find_equal(np.array([1 + 2**42, 1, 1 + 2**50, 0, 2**41], np.uint64))
    assert (rows.tolist(), places.tolist()) == ([0, 1, 4], [3, 0, 2])
