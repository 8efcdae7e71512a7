"""Laws that measures obey whatever the data, over the table of all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.frames import Gains, Judgments, Run
from evaluation.magnitudes import gains, normalise
from evaluation.measures import DEFINITIONS, parse
from evaluation.scores import score

ALL = [f"{name}@{k}" for name in DEFINITIONS for k in (1, 3, 10)]
NORMALISED = [
    *(f"{name}@{k}" for name in ("nCG", "nDCG", "AnCG", "AnDCG") for k in (1, 3, 10)),
    "nCG",
    "nDCG",
    *(f'nDCG(discount="{discount}")@5' for discount in ("none", "jk", "rank")),
    *(f'nDCG(gain="{gain}")@5' for gain in ("exp", "pow2")),
    'nDCG(ideal="retrieved")@5',
]
SCALE_FREE = [name for name in NORMALISED if "gain=" not in name] + ["AP", "P@3", "R@3", "RR"]
RANK_SENSITIVE = [
    "nDCG@10",
    "DCG@10",
    "AnCG@10",
    "AnDCG@10",
    "AP",
    "RR",
    'nDCG(discount="rank")@10',
    "CG@2",
    "P@2",
    "ERR@10",
]
BOUNDED = ["P@3", "R@3", "AP", "RR", "ERR@5", 'ERR(gmax="topic")@5', *NORMALISED]

GAINS = st.lists(st.one_of(st.integers(0, 4), st.floats(0.01, 100)), min_size=1, max_size=12)


def scored(measures, ranked, rest=()):
    """Each measure of one list with these gains by rank, beside judged documents it did not retrieve."""
    documents = [str(i) for i in range(len(ranked) + len(rest))]
    judged = Gains.from_columns(["t"] * len(documents), documents, [float(gain) for gain in [*ranked, *rest]])
    retrieved = documents[: len(ranked)]
    run = Run.from_columns("run", ["t"] * len(ranked), retrieved, [-float(i) for i in range(len(ranked))])
    return dict(zip(measures, score(judged, [run], measures).values[0, 0], strict=True))


@given(ranked=GAINS)
def test_the_ideal_list_scores_one(ranked):
    if any(ranked):
        found = scored(NORMALISED, sorted(ranked, reverse=True))
        assert found == pytest.approx(dict.fromkeys(NORMALISED, 1), abs=1e-12)


@given(ranked=GAINS, rest=GAINS)
def test_values_lie_between_zero_and_one(ranked, rest):
    for measure, value in scored(BOUNDED, ranked, rest).items():
        assert np.isnan(value) or -1e-12 <= value <= 1 + 1e-12, measure


@given(ranked=GAINS, rest=GAINS, data=st.data())
def test_moving_a_better_document_up_never_lowers(ranked, rest, data):
    place = data.draw(st.integers(0, len(ranked) - 1))
    above = data.draw(st.integers(0, place))
    if ranked[place] < ranked[above]:
        return
    better = list(ranked)
    better[above], better[place] = better[place], better[above]
    before, after = scored(RANK_SENSITIVE, ranked, rest), scored(RANK_SENSITIVE, better, rest)
    for measure in RANK_SENSITIVE:
        assert np.isnan(before[measure]) or after[measure] >= before[measure] - 1e-12, measure


@given(ranked=GAINS, rest=GAINS, factor=st.floats(0.001, 1000))
def test_scaling_all_gains_changes_nothing(ranked, rest, factor):
    before = scored(SCALE_FREE, ranked, rest)
    after = scored(SCALE_FREE, [g * factor for g in ranked], [g * factor for g in rest])
    assert after == pytest.approx(before, rel=1e-9, nan_ok=True)


def test_scaling_all_gains_changes_err():
    assert scored(["ERR@3"], [0, 2, 1]) != pytest.approx(scored(["ERR@3"], [0, 20, 10]))


@given(ranked=GAINS, rest=GAINS, random=st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(ranked, rest, random):
    judged = [("t", str(i), float(gain)) for i, gain in enumerate([*ranked, *rest])]
    found = [("t", str(i), -float(i // 2)) for i in range(len(ranked))]
    before = rows_of(judged, found)
    random.shuffle(judged)
    random.shuffle(found)
    assert rows_of(judged, found) == before


def rows_of(judged, found):
    """Every measure, from rows of gains and of a run."""
    run = Run.from_columns("run", *zip(*found, strict=True))
    return score(Gains.from_columns(*zip(*judged, strict=True)), [run], ALL).rows


@given(magnitudes=st.lists(st.floats(0.1, 1000), min_size=6, max_size=6), factor=st.floats(0.01, 100))
def test_one_unit_times_c_leaves_order_ratios_and_ndcg(magnitudes, factor):
    units, documents = ["1", "1", "1", "2", "2", "2"], ["a", "b", "c", "a", "b", "d"]
    run = Run.from_columns("run", ["t"] * 4, ["a", "b", "c", "d"], [4.0, 3.0, 2.0, 1.0])
    found = []
    for first in (1, factor):
        raised = [m * first if unit == "1" else m for m, unit in zip(magnitudes, units, strict=True)]
        judged = Judgments.from_columns(["t"] * 6, units, documents, raised)
        found.append(gains(judged, normalise(judged)))
    before, after = (score(one, [run], ["nDCG@3", "nCG@3", "AnDCG@3"]).values[0, 0] for one in found)
    assert after == pytest.approx(before, rel=1e-9)
    assert np.ptp(np.log(found[1].values / found[0].values)) < 1e-9


@pytest.mark.parametrize("name", DEFINITIONS)
def test_every_measure_prints_as_it_parses(name):
    assert str(parse(f"{name}@7")) == f"{name}@7"
