"""Preference relations: weak orders from scores, levels and pairs, and back; what is none is refused."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.distances import WeakOrder, beta, dpm, nearest_acceptable
from evaluation.errors import InputError
from tests.evaluation.refusals import OPTION, refused

DOCUMENTS = "abcdef"
SCORES = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-3, 3))


def weak_orders(documents):
    """All weak orders of the documents: those of all scores from as many values as there are documents."""
    count = len(documents)
    results = (
        dict(zip(documents, scores, strict=True)) for scores in itertools.product(range(count), repeat=count)
    )
    orders = [WeakOrder.from_scores(scores) for scores in results]
    return list({tuple(order.utility.values()): order for order in orders}.values())


WEAK_ORDERS_OF_FOUR = weak_orders("abcd")


def test_scores_of_any_scale():
    order = WeakOrder.from_scores({"d1": -0.5, "d2": -0.5, "d3": -1e300, "d4": 7})
    assert order.levels() == ({"d4"}, {"d1", "d2"}, {"d3"})
    assert order.utility == {"d1": 1, "d2": 1, "d3": 0, "d4": 2}
    assert order == WeakOrder.from_scores({"d4": 3, "d3": 1, "d2": 2, "d1": 2})
    # The two zeros are one number; nearly equal numbers are two.
    assert WeakOrder.from_scores({"a": 0.0, "b": -0.0}).levels() == ({"a", "b"},)
    assert WeakOrder.from_scores({"a": 1e-300, "b": 2e-300}).levels() == ({"b"}, {"a"})


def test_levels_give_a_preference_relation():
    order = WeakOrder.from_levels([["d1", "d2"], ["d3"]])
    assert set(order.pairs()) == {("d1", "d3"), ("d2", "d3")}
    assert order.utility == {"d1": 1, "d2": 1, "d3": 0}
    assert WeakOrder.from_levels([]).levels() == ()


def test_pairs_give_levels():
    # d1 and d2 are preferred to the same three documents, d3 to the last two of them.
    pairs = [*itertools.product(["d1", "d2"], ["d3", "d4", "d5"]), ("d3", "d4"), ("d3", "d5"), ("d3", "d5")]
    assert WeakOrder.from_pairs(pairs).levels() == ({"d1", "d2"}, {"d3"}, {"d4", "d5"})
    assert WeakOrder.from_pairs([], ["a", "b"]).levels() == ({"a", "b"},)


@given(SCORES)
def test_there_and_back(scores):
    order = WeakOrder.from_scores(scores)
    assert WeakOrder.from_levels(order.levels()) == order
    assert WeakOrder.from_scores(order.utility) == order
    assert WeakOrder.from_pairs(order.pairs(), scores) == order
    assert len(list(order.pairs())) == order.size()
    for a, b in itertools.product(scores, repeat=2):
        assert ((a, b) in set(order.pairs())) == (scores[a] > scores[b])


def is_weak_order(pairs, documents):
    """Return whether preferences go one way and whether both they and being level are transitive."""

    def level(a, b):
        return (a, b) not in pairs and (b, a) not in pairs

    triples = list(itertools.product(documents, repeat=3))
    asymmetric = all((b, a) not in pairs for a, b in pairs)
    transitive = all((a, c) in pairs for a, b, c in triples if {(a, b), (b, c)} <= pairs)
    levels_hold = all(level(a, c) for a, b, c in triples if level(a, b) and level(b, c))
    return asymmetric and transitive and levels_hold


@given(st.sets(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"))))
def test_a_relation_is_taken_exactly_where_it_is_a_weak_order(pairs):
    if is_weak_order(pairs, "abcd"):
        assert set(WeakOrder.from_pairs(pairs, "abcd").pairs()) == pairs
    else:
        with pytest.raises(InputError) as caught:
            WeakOrder.from_pairs(pairs, "abcd")
        named = set(caught.value.what.split("'")[1::2])
        assert len(named) <= 3
        among_them = {pair for pair in pairs if named.issuperset(pair)}
        assert not is_weak_order(among_them, named), "the error names the documents at fault"


@pytest.mark.parametrize(
    ("pairs", "documents"),
    [
        ([("a", "a")], "a"),
        ([("a", "b"), ("b", "a")], "ab"),
        ([("a", "b"), ("b", "c")], "abc"),
        ([("a", "b")], "abc"),
    ],
)
def test_what_is_no_weak_order(pairs, documents):
    with refused(
        (
            "document-preferred-to-itself",
            "indifference-not-transitive",
            "mutual-preference",
            "preferences-not-transitive",
        ),
        *(f"'{document}'" for document in documents),
    ):
        WeakOrder.from_pairs(pairs, ["c"])


def test_other_faults():
    with refused("empty-level", "2"):
        WeakOrder.from_levels([["a"], []])
    with refused("document-on-two-levels", "'a'", "1", "3"):
        WeakOrder.from_levels([["a"], ["b"], ["a"]])
    for score in (float("nan"), float("inf")):
        with refused("score-not-finite", "'b'"):
            WeakOrder.from_scores({"a": 1, "b": score})
    order = WeakOrder.from_levels(["ab"])
    with refused(OPTION, "'first'", "last", "drop"):
        nearest_acceptable(order, order, "first")


def test_nearest_acceptable_ranking():
    user = WeakOrder.from_levels([["d1", "d2"], ["d3"], ["d4", "d5"]])
    system = WeakOrder.from_levels([["d3"], ["d2", "new"], ["d1"], ["d4", "d5"]])
    # The user's levels stand, d1 and d2 fall apart as the system has them; `new` is unknown to the user.
    assert nearest_acceptable(user, system).levels() == ({"d2"}, {"d1"}, {"d3"}, {"d4", "d5"})
    # What the system did not rank is last on its level, or is left out.
    short = WeakOrder.from_levels([["d3"], ["d2"]])
    assert nearest_acceptable(user, short).levels() == ({"d2"}, {"d1"}, {"d3"}, {"d4", "d5"})
    assert nearest_acceptable(user, short, "drop").levels() == ({"d2"}, {"d3"})


@given(SCORES, SCORES, st.sampled_from(["last", "drop"]))
def test_the_nearest_acceptable_ranking_joins_both_relations(ours, theirs, missing):
    user, system = WeakOrder.from_scores(ours), WeakOrder.from_scores(theirs)
    nearest = nearest_acceptable(user, system, missing)
    kept = [d for d in ours if missing == "last" or d in theirs]
    below_all = min(theirs.values(), default=0) - 1
    wanted = {
        (a, b)
        for a, b in itertools.permutations(kept, 2)
        if ours[a] > ours[b] or (ours[a] == ours[b] and theirs.get(a, below_all) > theirs.get(b, below_all))
    }
    assert set(nearest.pairs()) == wanted
    assert set(nearest.utility) == set(kept)
    assert beta(nearest, system, missing) == dpm(user, system, missing)


@given(*[st.lists(st.integers(0, 3), min_size=4, max_size=4)] * 2)
def test_no_acceptable_ranking_is_nearer(ours, theirs):
    user, system = (WeakOrder.from_scores(dict(zip("abcd", side, strict=True))) for side in (ours, theirs))
    wanted = set(user.pairs())
    assert len(WEAK_ORDERS_OF_FOUR) == 75
    acceptable = [order for order in WEAK_ORDERS_OF_FOUR if wanted <= set(order.pairs())]
    assert min(beta(order, system) for order in acceptable) == dpm(user, system)
