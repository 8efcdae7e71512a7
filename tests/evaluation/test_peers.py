"""Agreement with pytrec_eval, ir_measures, gdeval and scikit-learn where they define the same measure.

Random collections with whole gains, tied scores, scores that are ties in 32 bits alone, unjudged documents
and lists shorter than the cut-off. Where a peer differs is told in `test_peers_differ`.
"""

import random

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from sklearn import metrics

from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.scores import score

CUTOFFS = (1, 5, 10, 100)
PYTREC_EVAL = {
    "AP": "map",
    "Rprec": "Rprec",
    "RR": "recip_rank",
    "nDCG": "ndcg",
    "R": "set_recall",
    **{f"P@{k}": f"P_{k}" for k in CUTOFFS},
    **{f"R@{k}": f"recall_{k}" for k in CUTOFFS},
    **{f"AP@{k}": f"map_cut_{k}" for k in CUTOFFS},
    **{f"nDCG@{k}": f"ndcg_cut_{k}" for k in CUTOFFS},
    **{f"Success@{k}": f"success_{k}" for k in CUTOFFS},
    **{
        f'IPrec(recall={tenths / 10}, levels="trec_eval9")': f"iprec_at_recall_{tenths / 10:.2f}"
        for tenths in range(11)
    },
    '11pt_avg(levels="trec_eval9")': "11pt_avg",
}
IR_MEASURES = {
    **{name: name for name in ("AP", "Rprec", "RR", "nDCG")},
    **{f"{name}@{k}": f"{name}@{k}" for name in ("P", "R", "AP", "nDCG", "Success") for k in CUTOFFS},
    "AP(rel=2)": "AP(rel=2)",
    "P(rel=2)@10": "P(rel=2)@10",
    "Rprec(rel=2)": "Rprec(rel=2)",
    "RR(rel=3)": "RR(rel=3)",
    'IPrec(recall=0.2, levels="trec_eval9")': "IPrec@0.2",
}
GDEVAL = {
    **{f'nDCG(gain="exp")@{k}': f"nDCG(dcg='exp-log2')@{k}" for k in CUTOFFS},
    **{f"ERR(gmax=4)@{k}": f"ERR@{k}" for k in CUTOFFS},
}
"""Through ir_measures, which has gdeval's program; ERR's largest grade is always 4 there."""

Judged = dict[str, dict[str, int]]
Answers = dict[str, dict[str, float]]
SCORES = (1.0, 2.0, 1 + 1e-10, -1e-3, 1e30)


def random_study(seed: int, scores: tuple[float, ...] = SCORES) -> tuple[Judged, Answers]:
    """Qrels and a run as the peers take them; every topic has a document of grade 3, and an answer."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for topic in (str(401 + i) for i in range(8)):
        pool = [f"d{i}" for i in range(rng.randint(1, 120))]
        qrels[topic] = {d: rng.choice([0, 0, 0, 1, 2, 3]) for d in pool if rng.random() < 0.7}
        qrels[topic] |= {"d0": 3, "lost": 1}
        run[topic] = {d: rng.choice([*scores, round(rng.random() * 3, 2)]) for d in pool}
    return qrels, run


def ours_of(qrels: Judged, run: Answers, measures: list[str]) -> dict[tuple[str, str], float | None]:
    """By topic and measure, what we compute from the peers' dicts, with scores in 32 bits as pytrec_eval."""
    judged = Gains.from_columns(*zip(*((t, d, g) for t in qrels for d, g in qrels[t].items()), strict=True))
    ranked = Run.from_columns("run", *zip(*((t, d, s) for t in run for d, s in run[t].items()), strict=True))
    return {
        (row.topic, row.measure): row.value
        for row in score(judged, [ranked], measures, ties="trec_eval9").rows
    }


def ir_measures_of(qrels: Judged, run: Answers, names: dict[str, str]) -> dict[tuple[str, str], float]:
    """What ir_measures computes under the names on the right, by topic and the name on the left."""
    measures = {ir_measures.parse_measure(theirs): ours for ours, theirs in names.items()}
    return {(m.query_id, measures[m.measure]): m.value for m in ir_measures.iter_calc(measures, qrels, run)}


@pytest.mark.parametrize("seed", range(12))
def test_pytrec_eval(seed):
    qrels, run = random_study(seed)
    by_topic = pytrec_eval.RelevanceEvaluator(qrels, set(PYTREC_EVAL.values())).evaluate(run)
    theirs = {(topic, ours): by_topic[topic][name] for topic in qrels for ours, name in PYTREC_EVAL.items()}
    assert ours_of(qrels, run, list(PYTREC_EVAL)) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_ir_measures(seed):
    qrels, run = random_study(seed)
    theirs = ir_measures_of(qrels, run, IR_MEASURES)
    assert ours_of(qrels, run, list(IR_MEASURES)) == pytest.approx(theirs, abs=1e-9, nan_ok=True)


def test_ir_measures_reciprocal_rank_with_a_cutoff():
    """Another program's, with ties the other way round: compared without ties."""
    qrels, run = random_study(0)
    run = {topic: {d: own_score(d) for d in found} for topic, found in run.items()}
    names = {f"RR@{k}": f"RR@{k}" for k in CUTOFFS}
    assert ours_of(qrels, run, list(names)) == pytest.approx(ir_measures_of(qrels, run, names), abs=1e-9)


def own_score(document: str) -> float:
    """A score of its own for each of the documents d0 … d119, in no order of their names."""
    return float(int(document[1:]) * 7 % 121)


@pytest.mark.parametrize("seed", range(3))
def test_gdeval(seed):
    """To the five digits that it prints; without ties in 32 bits alone, which it tells apart."""
    qrels, run = random_study(seed, scores=(1.0, 2.0, -1e-3))
    theirs = ir_measures_of(qrels, run, GDEVAL)
    assert ours_of(qrels, run, list(GDEVAL)) == pytest.approx(theirs, abs=5.1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_scikit_learn_on_real_gains(seed):
    """Of a list that retrieves every judged document, without ties: it knows no recall base beyond it."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 60))
    gains = np.where(rng.random(size) < 0.5, 0.0, rng.lognormal(size=size))
    gains[0] = 2.5
    scores = rng.permutation(size).astype(float)
    relevant, order = gains > 0, np.argsort(-scores)
    theirs = {"AP": metrics.average_precision_score(relevant, scores)}
    for k in (1, 3, 10, size):
        taken = np.isin(np.arange(size), order[:k])
        theirs |= {
            f"nDCG@{k}": metrics.ndcg_score([gains], [scores], k=k),
            f"DCG@{k}": metrics.dcg_score([gains], [scores], k=k),
            f'nDCG(gain="exp")@{k}': metrics.ndcg_score([2**gains - 1], [scores], k=k),
        }
        if k <= size:
            theirs |= {
                f"P@{k}": metrics.precision_score(relevant, taken),
                f"R@{k}": metrics.recall_score(relevant, taken),
                f"F(beta=2)@{k}": metrics.fbeta_score(relevant, taken, beta=2),
                f"Fallout(N={size + 5})@{k}": (taken & ~relevant).sum() / (size + 5 - relevant.sum()),
            }
    documents = [f"d{i}" for i in range(size)]
    result = ours_of(
        {"t": dict(zip(documents, gains.tolist(), strict=True))},
        {"t": dict(zip(documents, scores.tolist(), strict=True))},
        list(theirs),
    )
    assert result == pytest.approx({("t", name): value for name, value in theirs.items()}, abs=1e-9)
