"""NDPM, ADM and the correlations: the sources' examples with their arithmetic, and laws."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation import comparison
from evaluation.distances import (
    DISTANCES,
    Ratings,
    WeakOrder,
    adm,
    beta,
    distances,
    dpm,
    ndpm,
    rho,
    tau_a,
    tau_b,
    tau_c,
)
from evaluation.distances.pairs import PairCounts, count_pairs, inversions
from tests.evaluation.refusals import OPTION, refused

CORRELATIONS = {"tau_a": tau_a, "tau_b": tau_b, "tau_c": tau_c, "rho": rho}
SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-3, 3))
SHARES = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 1))
LEVELS = st.integers(0, 12).flatmap(
    lambda size: st.tuples(*[st.lists(st.integers(0, 9), min_size=size, max_size=size)] * 2)
)


def ranked(scores):
    """Documents d1, d2, … of these scores."""
    return {f"d{place}": score for place, score in enumerate(scores, 1)}


def preferred(scores):
    return WeakOrder.from_scores(ranked(scores))


def in_order(*documents):
    return WeakOrder.from_levels([[document] for document in documents])


# The user and the system of the section's example, as levels.
USER = WeakOrder.from_levels([["d1", "d2"], ["d3"], ["d4", "d5"], ["d6"]])
SYSTEM = WeakOrder.from_levels([["d1", "d3"], ["d2", "d5"], ["d6"], ["d4"]])


def test_ndpm_of_two_weak_orders():
    # 15 pairs, the user ties d1 d2 and d4 d5: C = 13. Reversed: d2 d3, d4 d6. Tied by the system alone:
    # d1 d3, d2 d5. Told apart by the system alone: d1 d2, d4 d5.
    assert beta(USER, SYSTEM) == 2 * 2 + 2 + 2 == 8
    assert dpm(USER, SYSTEM) == 2 * 2 + 2 == 6
    assert ndpm(USER, SYSTEM) == 6 / (2 * 13)
    assert round(ndpm(USER, SYSTEM), 2) == 0.23


def test_documents_that_the_system_did_not_rank():
    # a ≻ b ≻ c ≻ d against c ≻ a ≻ {b, d}: of 6 pairs a c and b c are reversed, b d is tied: (2·2 + 1)/12.
    user, system = in_order("a", "b", "c", "d"), in_order("c", "a")
    assert ndpm(user, system) == 5 / 12
    assert round(ndpm(user, system), 3) == 0.417
    # Without them one pair is left, a c, reversed.
    assert ndpm(user, system, "drop") == 1
    # Nothing ranked: all is tied, or nothing is left.
    assert ndpm(user, in_order()) == 0.5
    assert ndpm(user, in_order(), "drop") is None


def test_documents_unknown_to_the_user_are_dropped():
    assert ndpm(in_order("a", "b"), in_order("x", "a", "y", "b", "z")) == 0
    assert beta(in_order("a", "b"), in_order("x", "b", "a")) == 2


def test_no_preference_no_value():
    assert ndpm(preferred([1, 1, 1]), preferred([1, 2, 3])) is None
    assert ndpm(preferred([]), preferred([1])) is None
    assert dpm(preferred([1, 1]), preferred([1, 2])) == 0
    assert beta(preferred([1, 1]), preferred([1, 2])) == 1


def test_correlations_of_the_section():
    # x 1 1 2 2 3, y 1 2 1 2 2: C = 3, D = 1, m = 2: 2·(3 − 1)/(5²·(2 − 1)/2) = 4/12.5.
    x, y = preferred([1, 1, 2, 2, 3]), preferred([1, 2, 1, 2, 2])
    assert tau_c(x, y) == pytest.approx(4 / 12.5)
    assert tau_a(x, y) == pytest.approx((3 - 1) / 10)
    assert tau_b(x, y) == pytest.approx((3 - 1) / np.sqrt((10 - 2) * (10 - 4)))
    # Ranks 1 5 4 2 3 and 2 1 3 4 5 differ by −1, 4, 1, −2, −2: 1 − 6·26/(5·24).
    assert rho(preferred([-1, -5, -4, -2, -3]), preferred([-2, -1, -3, -4, -5])) == pytest.approx(-0.3)
    # d1 d3 d2 d4 and d1 d3 d4 d2: of 6 pairs only d2 d4 is reversed.
    one, other = in_order("d1", "d3", "d2", "d4"), in_order("d1", "d3", "d4", "d2")
    for name in ("tau_a", "tau_b", "tau_c"):
        assert CORRELATIONS[name](one, other) == pytest.approx((5 - 1) / 6)


def test_correlations_are_over_the_shared_documents():
    one, other = in_order("x", "d1", "d3", "d2", "d4"), in_order("d1", "d3", "y", "d4", "d2", "z")
    assert tau_a(one, other) == pytest.approx(4 / 6)
    for correlate in CORRELATIONS.values():
        assert correlate(in_order("a", "b"), in_order("b", "c")) is None
        assert correlate(in_order("a", "b"), preferred([1, 1])) is None
        assert correlate(in_order("d1", "d2", "a"), preferred([1, 1])) is None
        assert correlate(preferred([1, 1]), in_order("d1", "d2")) is None
        # Scores are compared as they are, however near they lie.
        assert correlate(preferred([1e-14, 2e-14]), in_order("d2", "d1")) == pytest.approx(1)


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ([0.6, 0.4, 0.2], 1 - (0.3 + 0.2 + 0.1) / 3),  # .80
        ([0.1, 0.2, 0.3], 1 - (0.2 + 0 + 0.2) / 3),  # .87
        ([0.3, 0.2, 0.1], 1),
        ([0.3, 0.2], 1 - 0.1 / 3),  # an unranked document counts 0
        ([0.3, 0.2, 0.1, 0.5], 1 - 0.5 / 4),  # as does one that the user did not score
    ],
)
def test_adm(system, expected):
    assert adm(ranked([0.3, 0.2, 0.1]), ranked(system)) == pytest.approx(expected)


def test_the_printed_values_of_adm():
    user = ranked([0.3, 0.2, 0.1])
    assert round(adm(user, ranked([0.6, 0.4, 0.2])), 2) == 0.80
    assert round(adm(user, ranked([0.1, 0.2, 0.3])), 2) == 0.87
    assert adm({}, {}) is None


def test_adm_over_the_whole_collection():
    """Documents that neither side has scored differ by 0: 1 − .6/10 and 1 − .4/10."""
    user = ranked([0.3, 0.2, 0.1])
    assert adm(user, ranked([0.6, 0.4, 0.2]), N=10) == pytest.approx(0.94)
    assert adm(user, ranked([0.1, 0.2, 0.3]), N=10) == pytest.approx(0.96)
    assert adm(user, ranked([0.1, 0.2, 0.3]), N=3) == adm(user, ranked([0.1, 0.2, 0.3]))
    with refused("collection-too-small-for-adm", "N=2", "3"):
        adm(user, ranked([0.6]), N=2)


TABLE_2 = {
    # Preferences all kept; |s − u| = 0, 0, .1, .1, 0.
    "IRS1": ([0.6, 0.5, 0.3, 0.2, 0.1], 1.00, 0.96),
    # Of 10 pairs d2 d3 is reversed; .1, .2, 0, .1, 0.
    "IRS2": ([0.5, 0.3, 0.4, 0.2, 0.1], 0.90, 0.92),
    # d1 d2 and d3 d4 are reversed; .2, .1, .2, 0, 0.
    "IRS3": ([0.4, 0.6, 0.2, 0.3, 0.1], 0.80, 0.90),
    # d2 d3 is tied, the 9 others reversed: 1 − (2·9 + 1)/20; .5, .3, .2, .1, .4.
    "IRS4": ([0.1, 0.2, 0.2, 0.4, 0.5], 0.05, 0.70),
}


@pytest.mark.parametrize("name", TABLE_2)
def test_table_2_of_the_source(name):
    system, kept, nearness = TABLE_2[name]
    user = [0.6, 0.5, 0.4, 0.3, 0.1]
    # Its column ndpm is 1 − NDPM.
    assert 1 - ndpm(preferred(user), preferred(system)) == pytest.approx(kept)
    assert adm(ranked(user), ranked(system)) == pytest.approx(nearness)


def test_scales_of_adm():
    user, system = ranked([1, 0.5]), ranked([4, 1])
    with refused("score-off-scale", "4", "'d1'", "--scale max"):
        adm(user, system)
    assert adm(user, system, scale="max") == pytest.approx(1 - 0.25 / 2)  # 1 .25
    assert adm(user, system, scale="minmax") == 1  # both 1 0
    assert adm(ranked([1, 0.5]), ranked([-5, -7]), scale="minmax") == 1
    with refused("negative-score-on-scale", "-5", "'d1'"):
        adm(user, ranked([-5, 2]), scale="max")
    for score in (float("nan"), float("inf")):
        for scale in ("none", "max", "minmax"):
            with refused("score-not-finite", "'d1'"):
                adm(user, ranked([score]), scale=scale)
    # Equal scores are all the highest; zeros are zeros by their largest.
    assert adm(ranked([1, 1]), ranked([7, 7]), scale="minmax") == 1
    assert adm(ranked([1, 1]), ranked([0, 0]), scale="minmax") == 1
    assert adm(ranked([0, 0]), ranked([0, 0]), scale="max") == 1
    # The largest and the smallest floats there are.
    assert adm(ranked([1, 0]), ranked([1.7e308, -1.7e308]), scale="minmax") == 1
    assert adm(ranked([1, 0]), ranked([5e-324, 0]), scale="minmax") == 1
    with refused(OPTION, "'z'"):
        adm(user, system, scale="z")


@given(LEVELS)
def test_pairs_counted_and_looked_at_one_by_one(sides):
    first, second = (np.array(side, dtype=np.int64) for side in sides)
    signs = [
        (np.sign(first[i] - first[j]), np.sign(second[i] - second[j]))
        for i, j in itertools.combinations(range(len(first)), 2)
    ]
    assert count_pairs(first, second) == PairCounts(
        agreeing=sum(a * b > 0 for a, b in signs),
        contradicting=sum(a * b < 0 for a, b in signs),
        first_alone=sum(a != 0 and b == 0 for a, b in signs),
        second_alone=sum(a == 0 and b != 0 for a, b in signs),
        tied=sum(a == 0 and b == 0 for a, b in signs),
    )
    assert count_pairs(first, second).all == len(signs)


@given(st.lists(st.integers(0, 20)))
def test_inversions(levels):
    assert inversions(np.array(levels, dtype=np.int64)) == sum(
        a > b for a, b in itertools.combinations(levels, 2)
    )


@given(SCORES, SCORES)
def test_laws_of_ndpm(ours, theirs):
    user, system = WeakOrder.from_scores(ours), WeakOrder.from_scores(theirs)
    complete = {d: theirs.get(d, -9) for d in ours}
    result = ndpm(user, system)
    assert result == ndpm(user, WeakOrder.from_scores(complete))
    assert result == ndpm(user, WeakOrder.from_scores({d: s**3 - 5 for d, s in complete.items()}))
    if result is None:
        assert len(user.levels()) < 2
        return
    assert 0 <= result <= 1
    assert result == pytest.approx(dpm(user, system) / (2 * user.size()))
    # A system and its reverse are as far from the two ends.
    reverse = WeakOrder.from_scores({d: -s for d, s in complete.items()})
    assert ndpm(user, reverse) == pytest.approx(1 - result)
    assert ndpm(user, user) == 0
    assert ndpm(user, WeakOrder.from_scores({d: -s for d, s in ours.items()})) == 1
    assert ndpm(user, WeakOrder.from_scores(dict.fromkeys(ours, 0))) == 0.5


@given(st.tuples(*[st.lists(st.integers(0, 4), min_size=5, max_size=5)] * 3))
def test_beta_is_a_metric(scores):
    x, y, z = map(preferred, scores)
    assert beta(x, y) == beta(y, x)
    assert (beta(x, y) == 0) == (x == y)
    assert beta(x, z) <= beta(x, y) + beta(y, z)


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_ndpm_of_strict_orders_is_tau(ours, theirs):
    user, system = preferred(ours), preferred(theirs)
    for name in ("tau_a", "tau_b", "tau_c"):
        assert CORRELATIONS[name](user, system) == pytest.approx(1 - 2 * ndpm(user, system))


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=6), st.lists(st.integers(0, 5), min_size=1, max_size=6)
)
def test_ndpm_of_two_levels_is_one_less_the_area_under_the_roc_curve(relevant, irrelevant):
    # The area is Mann and Whitney's U by the number of pairs of a relevant and an irrelevant document.
    user = preferred([1] * len(relevant) + [0] * len(irrelevant))
    area = stats.mannwhitneyu(relevant, irrelevant).statistic / (len(relevant) * len(irrelevant))
    assert ndpm(user, preferred(relevant + irrelevant)) == pytest.approx(1 - area)


@pytest.mark.parametrize("name", CORRELATIONS)
@given(one=SCORES, other=SCORES)
def test_laws_of_correlations(name, one, other):
    correlate = CORRELATIONS[name]
    x, y = WeakOrder.from_scores(one), WeakOrder.from_scores(other)
    result = correlate(x, y)
    shared = sorted(one.keys() & other.keys())
    plain = comparison.STATISTICS[name]([one[d] for d in shared], [other[d] for d in shared])
    if plain is None:
        assert result is None
        return
    assert result == pytest.approx(plain)
    assert result == pytest.approx(correlate(y, x))
    assert -1 - 1e-9 <= result <= 1 + 1e-9
    assert correlate(WeakOrder.from_scores({d: -s for d, s in one.items()}), y) == pytest.approx(-result)


@given(SHARES, SHARES, st.sampled_from(["none", "max", "minmax"]))
def test_laws_of_adm(ours, theirs, scale):
    result = adm(ours, theirs, scale=scale)
    if result is None:
        assert not ours
        assert not theirs
        return
    assert 0 <= result <= 1
    assert result == adm(theirs, ours, scale=scale)
    assert adm(ours, ours, scale=scale) in (None, 1)
    if scale == "none" and ours:
        assert adm(ours, {d: 1 - s for d, s in ours.items()}) == pytest.approx(
            1 - np.mean([abs(1 - 2 * s) for s in ours.values()])
        )


def ratings(topics):
    rows = [(topic, document, score) for topic, side in topics.items() for document, score in side.items()]
    return Ratings.from_columns(*zip(*rows, strict=True))


def test_topic_by_topic():
    user = ratings({"2": ranked([0.3, 0.2, 0.1]), "1": ranked([1, 1]), "mine": ranked([1])})
    system = ratings({"1": ranked([0, 1]), "2": ranked([0.1, 0.2, 0.3]), "yours": ranked([7])})
    values = distances(user, system, ["adm", "ndpm"])
    assert values.topics == ("1", "2")
    assert values.measures == ("adm", "ndpm")
    assert values.values[0] == pytest.approx(np.array([[0.5, np.nan], [1 - 0.4 / 3, 1]]), nan_ok=True)
    # A topic without a value is left out of the mean.
    assert [row.value for row in values.means()] == [pytest.approx((0.5 + 1 - 0.4 / 3) / 2), 1]


def test_settings_reach_their_measures():
    user, system = ratings({"t": {"a": 4, "b": 3, "c": 2, "d": 1}}), ratings({"t": {"c": 9, "a": 8}})
    assert distances(user, system, ["ndpm"]).values[0, 0, 0] == 5 / 12
    assert distances(user, system, ["ndpm"], missing="drop").values[0, 0, 0] == 1
    # 1 .75 .5 .25 and 8/9 0 1 0.
    scaled = distances(user, system, ["adm"], scale="max").values[0, 0, 0]
    assert scaled == pytest.approx(1 - (1 / 9 + 0.75 + 0.5 + 0.25) / 4)
    over_all = distances(user, system, ["adm"], scale="max", N=20).values[0, 0, 0]
    assert over_all == pytest.approx(1 - (1 / 9 + 0.75 + 0.5 + 0.25) / 20)


def test_what_cannot_be_measured():
    one = ratings({"t": {"a": 4}})
    with refused("unknown-distance", "'dpn'", "ndpm", "adm"):
        distances(one, one, ["dpn"])
    with refused("no-topic-rated-by-both", at="row 1"):
        distances(one, ratings({"u": {"a": 4}}), ["ndpm"])
    with refused("score-off-scale", "4", at="row 1"):
        distances(one, one, ["adm"])
    with refused(OPTION, "'first'"):
        distances(one, one, ["ndpm"], missing="first")
    # A score in a topic that is not measured does no harm.
    assert distances(ratings({"t": {"a": 1}, "u": {"a": 4}}), ratings({"t": {"a": 1}}), ["adm"]).values == 1


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -float("inf")])
def test_ratings_are_finite(score):
    with refused("rating-not-finite", str(score), at="row 2"):
        Ratings.from_columns(["t", "t"], ["a", "b"], [1, score])
    with refused("document-scored-twice", "'a'", "'t'", at="row 2"):
        Ratings.from_columns(["t", "t"], ["a", "a"], [1, 2])


def test_fifty_topics_of_a_thousand_documents_take_no_time():
    rng = np.random.default_rng(7)
    topics = np.repeat(np.arange(50), 1000).astype(str)

    def side():
        documents = np.concatenate([rng.permutation(1200)[:1000] for _ in range(50)]).astype(str)
        return Ratings.from_columns(topics.tolist(), documents.tolist(), rng.random(50_000).round(2))

    user, system = side(), side()
    start = time.process_time()
    values = distances(user, system, list(DISTANCES))
    # All six measures; on a machine that is not busy they take less than half of this.
    assert time.process_time() - start < 1.5
    assert not np.isnan(values.values).any()


def test_a_hundred_thousand_documents():
    # A matrix of their pairs would take 80 GB.
    levels = np.arange(100_000)
    assert count_pairs(levels, levels[::-1].copy()).contradicting == 100_000 * 99_999 // 2
