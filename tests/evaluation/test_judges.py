"""Labels beside people: worked numbers, laws, real labels, and known truth."""

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import evaluation as ev
from evaluation.cli.judges import PARTS as PRINTED
from evaluation.comparison.agreement import krippendorff_alpha
from evaluation.crowds import CROWDS, draw_truth, simulate_study
from evaluation.judges import assess, followers
from evaluation.judges.assessment import PARTS
from evaluation.judges.following import LEAST
from evaluation.labels import labels_of
from evaluation.sampling import draw, estimate, influence, pool_of
from tests.evaluation.refusals import refused

QUICK = {"resamples": 99, "worker_resamples": 9}
PEOPLE = {
    "1": {"a": 3, "b": 2, "c": 1, "d": 0, "e": 0, "f": 2},
    "2": {"a": 0, "b": 3, "c": 3, "d": 1, "e": 0, "f": 1},
    "3": {"a": 1, "b": 0, "c": 2, "d": 2, "e": 3, "f": 0},
    "4": {"a": 0, "b": 1, "c": 0, "d": 3, "e": 2, "f": 1},
}
"""Grades of people."""
JUDGE = {
    "1": {"a": 3, "b": 1, "c": 1, "d": 1, "e": 0, "f": 3},
    "2": {"a": 1, "b": 3, "c": 2, "d": 0, "e": 0, "f": 1},
    "3": {"a": 0, "b": 0, "c": 3, "d": 2, "e": 3, "f": 1},
    "4": {"a": 0, "b": 2, "c": 1, "d": 3, "e": 1, "f": 0},
}
RUNS = {
    "good": {topic: {d: float(grade) for d, grade in of.items()} for topic, of in PEOPLE.items()},
    "judged": {topic: {d: float(grade) for d, grade in of.items()} for topic, of in JUDGE.items()},
    "bad": {topic: {d: float(-grade) for d, grade in of.items()} for topic, of in PEOPLE.items()},
}


def value(table: pl.DataFrame, **row: str) -> float:
    (found,) = table.filter(pl.lit(True), **row)["value"].to_list()
    return float(found)


def grades_of(topics: dict[str, dict[str, int]]) -> list[int]:
    return [grade for of in topics.values() for grade in of.values()]


def test_agreement_is_that_of_the_functions_of_the_library() -> None:
    table = assess(PEOPLE, {"judge": JUDGE}, weights="linear", **QUICK).agreement
    assert value(table, statistic="kappa") == pytest.approx(ev.kappa(PEOPLE, JUDGE, "linear"))
    people, judge = grades_of(PEOPLE), grades_of(JUDGE)
    items = [str(place) for place in range(len(people))] * 2
    alpha = krippendorff_alpha(items, [*people, *judge], "ordinal")
    assert value(table, statistic="alpha") == pytest.approx(alpha)


def test_auc_is_the_area_under_the_curve_and_counts_ties_half() -> None:
    expected = [
        roc_auc_score([grade >= 2 for grade in of.values()], [*JUDGE[topic].values()])
        for topic, of in PEOPLE.items()
    ]
    table = assess(PEOPLE, {"judge": JUDGE}, rel=2, **QUICK).agreement
    assert value(table, statistic="auc") == pytest.approx(np.mean(expected))
    # Gains 2, 1, 0 and labels 5, 5, 1: two pairs in order, and one tied.
    table = assess({"1": {"a": 2, "b": 1, "c": 0}}, {"j": {"1": {"a": 5, "b": 5, "c": 1}}}, **QUICK).agreement
    assert value(table, statistic="auc") == pytest.approx(2.5 / 3)


def test_a_copy_of_people_agrees_wholly_and_is_nowhere_biased() -> None:
    found = assess(PEOPLE, {"copy": PEOPLE}, RUNS, **QUICK)
    assert found.agreement["value"].to_list() == pytest.approx([1, 1, 1, 1])
    assert found.bias["value"].to_list() == pytest.approx([0] * 4, abs=1e-12)
    assert value(found.worth) == pytest.approx(1, abs=0.05)
    assert value(found.spread) == pytest.approx(1)
    assert value(found.systems) == 1
    assert found.calibration["value"].to_list() == pytest.approx(found.calibration["label"].to_list())


@settings(max_examples=20)
@given(st.floats(0.1, 50), st.floats(-20, 20))
def test_level_and_spread_of_labels_change_neither_bias_nor_order(factor: float, shift: float) -> None:
    ours = {topic: {d: grade + 0.25 for d, grade in of.items()} for topic, of in JUDGE.items()}
    theirs = {topic: {d: factor * label + shift for d, label in of.items()} for topic, of in ours.items()}
    one, other = (assess(PEOPLE, {"j": labels}, resamples=9) for labels in (ours, theirs))
    assert other.bias["value"].to_list() == pytest.approx(one.bias["value"].to_list(), abs=1e-9)
    for statistic in ("alpha", "tau_b", "auc"):
        assert value(other.agreement, statistic=statistic) == pytest.approx(
            value(one.agreement, statistic=statistic), abs=1e-9
        )
    assert value(other.spread) == pytest.approx(factor * value(one.spread))


def test_bias_is_found_where_it_was_put() -> None:
    rng = np.random.default_rng(1)
    gain = {str(t): {f"d{d}": rng.normal(5, 1) for d in range(40)} for t in range(12)}
    long = {f"d{d}" for d in range(20)}
    judge = {t: {d: g + 0.5 * (d in long) for d, g in of.items()} for t, of in gain.items()}
    documents = pl.DataFrame(
        {
            "document_id": [f"d{d}" for d in range(40)],
            "kind": ["long" if f"d{d}" in long else "short" for d in range(40)],
            "words": [1000 - d if f"d{d}" in long else 40 - d for d in range(40)],
        }
    )
    table = assess(gain, {"j": judge}, documents=documents, **QUICK).bias
    apart = value(table, by="kind", group="long") - value(table, by="kind", group="short")
    assert apart == pytest.approx(0.5, abs=0.06)
    (low,) = table.filter(pl.col("group") == "long")["low"]
    (high,) = table.filter(pl.col("group") == "short")["high"]
    assert high < 0 < low
    quarters = table.filter(pl.col("by") == "words")
    assert quarters["documents"].to_list() == [120] * 4
    assert (quarters["value"] > 0).to_list() == [False, False, True, True]


def test_the_exponent_of_magnitudes_is_found() -> None:
    rng = np.random.default_rng(2)
    rows = [
        (str(t), f"u{t}-{u}", f"d{d}", math.exp(0.1 * d + rng.normal(0, 0.01)), f"w{u}")
        for t in range(5)
        for u in range(4)
        for d in range(10)
    ]
    names = ("topic_id", "unit_id", "document_id", "relevance_score", "worker_id")
    people = ev.Judgments.from_columns(**dict(zip(names, zip(*rows, strict=True), strict=True)))
    labels = {str(t): {f"d{d}": 7 * math.exp(0.05 * d) for d in range(10)} for t in range(5)}
    found = assess(people, {"j": labels}, **QUICK)
    assert value(found.spread) == pytest.approx(0.5, abs=0.02)
    assert value(found.agreement, statistic="tau_b") == pytest.approx(1)


def test_a_judge_that_copies_a_run_favours_it() -> None:
    found = assess(PEOPLE, {"judge": JUDGE}, RUNS, families={"judged": "judge"}, **QUICK)
    assert value(found.favour) > 0
    assert found.systems["best"].to_list() == ["judged"]


# --- real labels -------------------------------------------------------------------------------------------


@pytest.fixture
def benchmark(collections: Path) -> tuple[Path, dict[str, Path]]:
    folder = collections / "llmjudge"
    models = {file.stem.removeprefix("model-"): file for file in sorted(folder.glob("model-*.qrels"))}
    assert len(models) == 6
    return folder / "human.qrels", models


def test_six_models_explain_less_than_a_third_of_real_grades(benchmark: tuple[Path, dict[str, Path]]) -> None:
    human, models = benchmark
    table = assess(human, models, **QUICK).worth
    assert value(table, judge="all") == pytest.approx(0.307, abs=0.001)
    assert value(table, judge="willia-umbrela1") == pytest.approx(0.268, abs=0.001)
    # Least squares within topics, fitted to all documents, explains a little more.
    gains = ev.Gains(human).table
    columns = [
        gains.join(labels_of(file).table, on=["topic_id", "document_id"], maintain_order="left")["score"]
        for file in models.values()
    ]
    centred = gains.select("topic_id", "gain").with_columns(
        pl.Series(f"label{place}", column) for place, column in enumerate(columns)
    )
    y, *x = (
        centred.select(pl.exclude("topic_id") - pl.exclude("topic_id").mean().over("topic_id")).to_numpy().T
    )
    features = np.stack(x, axis=1)
    left = y - features @ np.linalg.lstsq(features, y, rcond=None)[0]
    fitted = 1 - (left @ left) / (y @ y)
    assert 0 < fitted - value(table, judge="all") < 0.03
    assert table["saved"].to_list() == pytest.approx((table["value"] * table["documents"]).to_list())


# --- crowds ------------------------------------------------------------------------------------------------


@cache
def crowd(name: str, seed: int) -> tuple[ev.Judgments, pl.DataFrame]:
    """A simulated study, and labels of a model that knows something of each document, and errs."""
    rng = np.random.default_rng(seed)
    model = CROWDS[name]
    truth = draw_truth([{"N": 12, "M": 6, "R": 4, "H": 2, "": 12}] * 18, model, rng)
    judgments = simulate_study(truth, model, rng).judgments
    known = judgments.table.group_by("topic_id", "document_id").agg(
        label=pl.col("relevance_score").log().mean()
    )
    known = known.sort("topic_id", "document_id")
    level = known["label"].to_numpy()
    labels = known.with_columns(label=pl.Series(level + rng.normal(0, 1.2 * level.std(), len(level))))
    return judgments, labels


def following(
    judgments: ev.Judgments, labels: pl.DataFrame, share: float, seed: int
) -> tuple[ev.Judgments, set[str]]:
    """Let some workers copy the labels in place of reading, with noise of a quarter of their spread."""
    rng = np.random.default_rng(seed)
    table = judgments.table
    workers = table["worker_id"].unique().sort().to_list()
    copying = set(rng.choice(workers, round(share * len(workers)), replace=False).tolist())
    label = table.join(labels, on=["topic_id", "document_id"], maintain_order="left")["label"].to_numpy()
    copied = np.exp(label + rng.normal(0, 0.25 * label.std(), len(label)))
    is_copied = table["worker_id"].is_in(list(copying)).to_numpy() & (table["gold"] == "").to_numpy()
    number = np.where(is_copied, copied, table["relevance_score"].to_numpy())
    return ev.Judgments(table.with_columns(relevance_score=pl.Series(number)), gold=True), copying


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CROWDS))
@pytest.mark.parametrize(("share", "power"), [(0.0, None), (0.1, 0.7), (0.3, 0.5)])
def test_who_follows_is_flagged_and_hardly_anybody_else(name: str, share: float, power: float | None) -> None:
    false, honest, found, guilty = 0, 0, 0, 0
    for seed in range(6):
        judgments, labels = crowd(name, seed)
        changed, copying = following(judgments, labels, share, seed)
        table = followers(changed, labels).filter(pl.col("documents") >= LEAST)
        flagged = set(table.filter("flagged")["worker_id"])
        everybody = set(table["worker_id"])
        false, honest = false + len(flagged - copying), honest + len(everybody - copying)
        found, guilty = found + len(flagged & copying), guilty + len(everybody & copying)
    assert false / honest <= 0.01
    if power is not None:
        assert found / guilty >= power


def test_the_level_and_the_spread_of_a_worker_do_not_matter() -> None:
    judgments, labels = crowd("typical", 1)
    before = followers(judgments, labels)
    table = judgments.table.with_columns(
        relevance_score=pl.when(pl.col("worker_id") == before["worker_id"][3])
        .then(100 * pl.col("relevance_score"))
        .otherwise(pl.col("relevance_score"))
    )
    after = followers(ev.Judgments(table, gold=True), labels, method="none")
    same = followers(judgments, labels, method="none").join(after, on="worker_id", suffix="_after")
    own = same.filter(pl.col("worker_id") == before["worker_id"][3])
    assert own["value"].to_list() == pytest.approx(own["value_after"].to_list())


def test_the_annotator_test_passes_a_good_judge_and_fails_noise() -> None:
    judgments, _ = crowd("typical", 2)
    gains = ev.gains(judgments)
    rng = np.random.default_rng(3)
    noise = {
        str(topic): {str(d): float(rng.lognormal()) for d in part["document_id"]}
        for (topic,), part in gains.table.group_by("topic_id", maintain_order=True)
    }
    found = assess(judgments, {"good": gains, "noise": noise}, **QUICK)
    good, bad = found.annotators.to_dicts()
    assert (good["judge"], good["passes"], bad["passes"]) == ("good", True, False)
    assert good["winning"] > 0.7 > 0.3 > bad["winning"]
    assert good["value"] > 0.6 > bad["value"]


@pytest.mark.parametrize(
    ("labels", "won", "winning"),
    [
        ((1, 1, 2, 2, 3, 3), 1.0, 1.0),
        # Against each of the three: a, b, e and f are lost, and c and d are equal. Against the fourth: only e
        # and f are lost.
        ((3, 3, 2, 2, 1, 1), (3 * 2 / 6 + 4 / 6) / 4, 0.0),
    ],
)
def test_the_annotator_test_is_worked_by_hand(labels: tuple[int, ...], won: float, winning: float) -> None:
    """Three workers agree, and a fourth does not."""
    rows = [("1", w, d, n, w) for w, numbers in _FOUR.items() for d, n in zip("abcdef", numbers, strict=True)]
    names = ("topic_id", "unit_id", "document_id", "relevance_score", "worker_id")
    people = ev.Judgments.from_columns(
        **dict(zip(names, zip(*rows, strict=True), strict=True)), scale="rating"
    )
    judge = {"1": dict(zip("abcdef", labels, strict=True))}
    (row,) = assess(people, {"j": judge}, **QUICK).annotators.to_dicts()
    assert (row["workers"], row["documents"]) == (4, 24)
    assert row["value"] == pytest.approx(won)
    assert row["winning"] == winning


_FOUR = {"v": (1, 1, 2, 2, 3, 3), "w": (1, 1, 2, 2, 3, 3), "x": (1, 1, 2, 2, 3, 3), "y": (3, 3, 1, 1, 2, 2)}


@pytest.mark.slow
def test_intervals_hold_for_new_topics() -> None:
    """Of 120 small studies of one population, the intervals hold the mean of a large one."""
    rng = np.random.default_rng(11)

    def numbered(of: dict[str, np.ndarray]) -> dict[str, dict[str, float]]:
        return {t: {f"d{d}": float(v) for d, v in enumerate(values)} for t, values in of.items()}

    def study(topics: int) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
        gains = {str(t): rng.lognormal(0, 1, 30) for t in range(topics)}
        labels = {t: np.exp(np.log(g) * rng.uniform(0.3, 1) + rng.normal(0, 1, 30)) for t, g in gains.items()}
        return numbered(gains), numbered(labels)

    gains, labels = study(2000)
    truth = value(assess(gains, {"j": labels}, resamples=9).agreement, statistic="auc")
    holds = []
    for _ in range(120):
        gains, labels = study(25)
        row = assess(gains, {"j": labels}, resamples=399).agreement.filter(pl.col("statistic") == "auc")
        holds.append(row["low"][0] <= truth <= row["high"][0])
    assert 0.89 <= np.mean(holds) <= 0.99


# --- samples -----------------------------------------------------------------------------------------------


def test_a_model_that_copies_a_run_favours_it_alone_and_not_as_a_prediction() -> None:
    """The mean of many estimates with its labels is the truth for each run, although it favours one alone."""
    rng = np.random.default_rng(5)
    gains = {str(t): {f"d{d}": float(g) for d, g in enumerate(rng.lognormal(0, 1, 40))} for t in range(12)}
    runs = {
        f"r{run}": {
            t: {d: math.log(g) + rng.normal(0, 1 + run / 2) for d, g in of.items()} for t, of in gains.items()
        }
        for run in range(4)
    }
    copied = {t: {d: math.exp(score) for d, score in of.items()} for t, of in runs["r3"].items()}
    found = assess(gains, {"model": copied}, runs, "DCG@10", families={"r3": "model"}, **QUICK)
    assert found.favour["low"][0] > 0
    assert found.systems["best"].to_list() == ["r3"]
    truth = ev.score(gains, runs, "DCG@10").values[:, :, 0].mean(axis=1)
    pool = pool_of(runs, 10)
    size = influence(pool)
    means = []
    for seed in range(300):
        sample = draw(pool, size, 120, rng=np.random.default_rng(seed))
        found_now = estimate(gains, runs, "DCG@10", sample, predictions=[copied])["DCG@10"]
        means.append(found_now.intervals["predictions"].observed.mean(axis=1))
    error = np.std(means, axis=0) / math.sqrt(len(means))
    assert (np.abs(np.mean(means, axis=0) - truth) <= 4 * error).all()


def test_labels_that_widen_the_intervals_are_left_out() -> None:
    rng = np.random.default_rng(6)
    gains = {str(t): {f"d{d}": float(g) for d, g in enumerate(rng.lognormal(0, 1, 40))} for t in range(8)}
    runs = {
        f"r{run}": {
            t: {d: math.log(g) + rng.normal(0, 1 + run) for d, g in of.items()} for t, of in gains.items()
        }
        for run in range(3)
    }
    pool = pool_of(runs, 10)
    sample = draw(pool, influence(pool), 90, rng=np.random.default_rng(1))
    table = assess(gains, {"copy": gains}, runs, "DCG@10", inclusion=sample, **QUICK).systems
    alone, both = table.to_dicts()
    assert (alone["evidence"], alone["value"], alone["width"]) == ("labels", 1.0, None)
    assert (both["evidence"], both["used"]) == ("both", True)
    assert both["width"] < 0.7


# --- doors -------------------------------------------------------------------------------------------------


def test_json_has_every_table_and_printed_parts_are_those_of_the_result() -> None:
    found = assess(PEOPLE, {"judge": JUDGE}, RUNS, families={"judged": "judge"}, **QUICK)
    stored = json.loads(found.to_json())
    assert set(PARTS) <= set(stored)
    assert PRINTED == PARTS
    assert set(found.parts) == set(PARTS) - {"annotators", "followers"}
    assert len(found.sentences) >= 2
    assert "judge" in repr(found)
    assert "<table" in found._repr_html_()


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        ("qrels", "1 0 a 3\n1 0 b 0\n"),
        ("jsonl", '{"qid": "1", "docid": "a", "judgment": 3}\n{"qid": "1", "docid": "b", "judgment": 0}\n'),
        ("csv", "query_id,doc_id,label\n1,a,3\n1,b,0\n"),
        ("tsv", "topic_id\tdocument_id\tgrade\n1\ta\t3\n1\tb\t0\n"),
    ],
)
def test_labels_are_read_from_the_files_of_others(tmp_path: Path, suffix: str, text: str) -> None:
    file = tmp_path / f"labels.{suffix}"
    file.write_text(text)
    assert labels_of(file).table.rows() == [("1", "a", 3.0), ("1", "b", 0.0)]


def test_people_and_labels_without_a_common_document_are_refused() -> None:
    with refused("judge-without-common-documents", "other"):
        assess(PEOPLE, {"judge": JUDGE, "other": {"9": {"x": 1}}})


@pytest.mark.parametrize("name", ["people", "all", ""])
def test_a_name_that_tables_use_is_refused(name: str) -> None:
    with refused("judge-name-reserved"):
        assess(PEOPLE, {name: JUDGE})


@pytest.mark.parametrize(
    ("code", "given"),
    [
        ("no-labels", {"labels": {}}),
        ("level-out-of-bounds", {"level": 1}),
        ("too-few-resamples", {"resamples": 0}),
        ("epsilon-out-of-bounds", {"epsilon": 1}),
        ("unknown-choice", {"weights": "cubic"}),
        ("family-unknown", {"runs": RUNS, "families": {"none": "judge"}}),
        ("labels-negative", {"runs": RUNS, "labels": {"judge": {"1": {"a": -1}}}}),
        ("documents-without-id", {"documents": pl.DataFrame({"words": [1]})}),
        ("document-described-twice", {"documents": pl.DataFrame({"document_id": ["a", "a"]})}),
    ],
)
def test_what_cannot_be_is_refused(code: str, given: dict[str, Any]) -> None:
    with refused(code):
        assess(PEOPLE, **{"labels": {"judge": JUDGE}, **given})


def test_nobody_follows_where_workers_are_unknown() -> None:
    people = ev.Judgments.from_columns(["1"] * 2, ["u", "u"], ["a", "b"], [1, 2])
    with refused("no-workers-to-compare"):
        followers(people, JUDGE)
