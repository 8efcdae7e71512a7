"""The preferences of several users, combined by Borda and by Copeland: by hand, and against plain loops."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.analyses import combine_preferences
from evaluation.distances import AGGREGATIONS, WeakOrder, borda, combine_orders, copeland
from evaluation.frames import Judgments
from tests.evaluation.refusals import OPTION, refused

SCORES = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), min_size=1)
USERS = st.lists(SCORES, max_size=5)


def orders(*levels):
    """The rankings of users, each given as levels of letters: "a bc" is a ≻ {b, c}."""
    return [WeakOrder.from_levels(list(map(list, ranking.split()))) for ranking in levels]


@pytest.mark.parametrize(
    ("rankings", "expected"),
    [
        (["a b c", "b ac"], {"a": (1 + 0.25) / 2, "b": (0.5 + 1) / 2, "c": (0 + 0.25) / 2}),
        (["ab"], {"a": 0.5, "b": 0.5}),
        # Only the first user ranks c, so only this user's points count for c.
        (["a b c", "b a"], {"a": 0.5, "b": 0.75, "c": 0}),
        (["a"], {}),
        ([], {}),
    ],
)
def test_borda_by_hand(rankings, expected):
    assert borda(orders(*rankings)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rankings", "expected"),
    [
        (["a b c", "b c a", "b c a"], {"a": 0, "b": 1, "c": 0.5}),
        # Condorcet's paradox: each document wins one of its two pairs.
        (["a b c", "b c a", "c a b"], {"a": 0.5, "b": 0.5, "c": 0.5}),
        (["a b", "b a"], {"a": 0.5, "b": 0.5}),
        # Nobody ranks both a and c.
        (["a b", "b c"], {"a": 1, "b": 0.5, "c": 0}),
        (["a"], {}),
        ([], {}),
    ],
)
def test_copeland_by_hand(rankings, expected):
    assert copeland(orders(*rankings)) == pytest.approx(expected)


def test_the_two_methods_can_choose_other_winners():
    """Three of five users prefer a, but b is never far down (Borda's own objection to majorities)."""
    users = orders(*["a b c d"] * 3, *["b c d a"] * 2)
    by_points, by_votes = borda(users), copeland(users)
    assert max(by_points, key=by_points.get) == "b"
    assert max(by_votes, key=by_votes.get) == "a"


@given(USERS)
def test_borda_against_mean_ranks(users):
    """Borda's points are the ranks of scipy, counted from the bottom and divided by the most possible."""
    from scipy.stats import rankdata

    points = {}
    for user in users:
        if len(user) > 1:
            for document, rank in zip(user, rankdata(list(user.values())), strict=True):
                points.setdefault(document, []).append((rank - 1) / (len(user) - 1))
    expected = {document: np.mean(of_document) for document, of_document in points.items()}
    assert borda(map(WeakOrder.from_scores, users)) == pytest.approx(expected)


def test_equal_points_stay_tied():
    """As floating-point numbers, .1 + .1 + 2/3 and 2/3 + .1 + .1 differ in the last digit."""

    def user(document, below, others):
        rest = [f"x{number}" for number in range(others)]
        return WeakOrder.from_levels([[d] for d in (*rest[below:], document, *rest[:below])])

    points = [(1, 10), (1, 10), (2, 3)]
    scores = borda([*(user("a", *each) for each in points), *(user("b", *each) for each in points[::-1])])
    assert scores["a"] == scores["b"]


@given(USERS)
def test_copeland_against_plain_votes(users):
    wins = {}
    for first, second in combinations("abcdef", 2):
        votes = [(user[first], user[second]) for user in users if first in user and second in user]
        if votes:
            lead = sum(x > y for x, y in votes) - sum(x < y for x, y in votes)
            share = 1 if lead > 0 else 0 if lead < 0 else 0.5
            wins.setdefault(first, []).append(share)
            wins.setdefault(second, []).append(1 - share)
    expected = {document: np.mean(of_document) for document, of_document in wins.items()}
    assert copeland(map(WeakOrder.from_scores, users)) == pytest.approx(expected)


@pytest.mark.parametrize("method", AGGREGATIONS)
def test_one_user_keeps_the_order(method):
    user = WeakOrder.from_levels(["a", "bc", "d"])
    assert WeakOrder.from_scores(combine_orders([user], method)) == user


def test_the_workers_of_a_study():
    """Each unit is one ranking, whatever the size of its numbers, and topics do not mix."""
    rows = [
        *(("t", "u", d, score, "w") for d, score in zip("abc", (9, 3, 1), strict=True)),
        *(("t", "u", d, score, "v") for d, score in zip("abc", (20, 90, 20), strict=True)),
        *(("s", "u", d, score, "w") for d, score in zip("ab", (1, 2), strict=True)),
        ("r", "u", "a", 5, "w"),
    ]
    judgments = Judgments.from_columns(*map(list, zip(*rows, strict=True)))
    by_borda = combine_preferences(judgments).table.rows()
    assert by_borda == [("s", "a", 0), ("s", "b", 1), ("t", "a", 0.625), ("t", "b", 0.75), ("t", "c", 0.125)]
    by_copeland = combine_preferences(judgments, "copeland").table
    assert by_copeland.filter(topic_id="t").rows() == [("t", "a", 0.75), ("t", "b", 0.75), ("t", "c", 0)]
    with refused(OPTION, "kemeny"):
        combine_preferences(judgments, "kemeny")
