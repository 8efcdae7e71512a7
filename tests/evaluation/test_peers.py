"""Agreement with pytrec_eval on whole gains, and where it cannot follow: real gains."""

import random

import numpy as np
import pytest
import pytrec_eval

from evaluation.frames import Gains, Run
from evaluation.scores import score

SHARED = {
    "map": "AP",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    **{f"P_{k}": f"P@{k}" for k in (5, 10, 100)},
    **{f"recall_{k}": f"R@{k}" for k in (5, 10, 100)},
    **{f"ndcg_cut_{k}": f"nDCG@{k}" for k in (5, 10, 100)},
    **{f"map_cut_{k}": f"AP@{k}" for k in (5, 10)},
}


def random_study(seed):
    """Qrels and a run as pytrec_eval takes them, with many tied scores and near ties."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for topic in (f"{i:03}" for i in range(8)):
        pool = [f"d{i}" for i in range(rng.randint(1, 120))]
        qrels[topic] = {d: rng.choice([0, 0, 0, 1, 2, 3]) for d in pool if rng.random() < 0.7 or d == "d0"}
        qrels[topic]["d0"] = 1
        scores = [rng.choice([1.0, 2.0, 1 + 1e-10, rng.random() * 3, -1e-3, 1e30]) for _ in pool]
        run[topic] = dict(zip(pool, scores, strict=True))
    return qrels, run


@pytest.mark.parametrize("seed", range(12))
def test_whole_gains_with_ties(seed):
    qrels, run = random_study(seed)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(SHARED)).evaluate(run)
    judged = Gains.from_columns(*zip(*((t, d, g) for t in qrels for d, g in qrels[t].items()), strict=True))
    ranked = Run.from_columns("run", *zip(*((t, d, s) for t in run for d, s in run[t].items()), strict=True))
    ours = score(judged, [ranked], list(SHARED.values()))
    assert len(ours.rows) == len(qrels) * len(SHARED)
    names = {ours: theirs for theirs, ours in SHARED.items()}
    for row in ours.rows:
        assert row.value == pytest.approx(theirs[row.topic][names[row.measure]], abs=1e-6), row


def test_real_gains_are_not_cut():
    """pytrec_eval refuses them; trec_eval cuts 2.7, .5 and 1.2 to 2, 0 and 1 without a word."""
    gains = {"a": 0.5, "b": 2.7, "c": 1.2}
    with pytest.raises(TypeError):
        pytrec_eval.RelevanceEvaluator({"t": gains}, {"ndcg"}).evaluate({"t": {"a": 3.0, "b": 2.0, "c": 1.0}})
    judged = Gains.from_columns(["t"] * 3, list(gains), list(gains.values()))
    run = Run.from_columns("run", ["t"] * 3, ["a", "b", "c"], [3.0, 2.0, 1.0])
    discount = 1 / np.log2([2, 3, 4])
    expected = ([0.5, 2.7, 1.2] @ discount) / ([2.7, 1.2, 0.5] @ discount)
    found = score(judged, [run], ["nDCG", "P(rel=0.5)@1"]).values[0, 0]
    assert found.tolist() == pytest.approx([expected, 1])
    assert found[0] != pytest.approx(([0, 2, 1] @ discount) / ([2, 1, 0] @ discount))
