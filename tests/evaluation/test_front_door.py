"""`import evaluation as ev`: whatever users hold goes in, and means the same in every form."""

import doctest
import gzip
import importlib
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import ir_datasets
import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation as ev
from evaluation.measures import DEFINITIONS
from tests.evaluation.refusals import refused

QRELS = {"401": {"d1": 3.5, "d2": 0.0, "007": 1.25}, "402": {"d1": 2.0}}
RUNS = {
    "first": {"401": {"d2": 9.5, "d1": 3.0}, "402": {"d3": 1.0, "d1": 0.5}},
    "second": {"401": {"007": 2.0, "d1": 1.0}, "402": {"d1": 7.0}},
}
MEASURES = ["nDCG@10", "AP", "P@2"]
QREL_ROWS = [(topic, document, gain) for topic, of in QRELS.items() for document, gain in of.items()]
JUDGMENT_ROWS = [
    ("401", "u", "d1", 10.0), ("401", "u", "d2", 2.5), ("401", "v", "d1", 80.0), ("401", "v", "d2", 20.0),
]  # fmt: skip
Line = namedtuple("Line", ["query_id", "doc_id", "relevance", "iteration"])


def run_rows(run):
    return [(topic, document, score) for topic, of in run.items() for document, score in of.items()]


def columns(rows, *names):
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def write_qrels(path: Path) -> Path:
    lines = "".join(f"{topic} 0 {document} {gain!r}\n" for topic, document, gain in QREL_ROWS)
    path.write_bytes(gzip.compress(lines.encode()) if path.suffix == ".gz" else lines.encode())
    return path


def write_run(path: Path, tag: str) -> Path:
    path.write_text("".join(f"{topic} Q0 {d} 1 {score!r} {tag}\n" for topic, d, score in run_rows(RUNS[tag])))
    return path


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """A collection of `ir_datasets` that stands in local files: whole grades, and no run."""
    folder = tmp_path_factory.mktemp("dataset")
    (folder / "docs.tsv").write_text("d1\tone\nd2\ttwo\n")
    (folder / "queries.tsv").write_text("401\twhat\n")
    (folder / "qrels").write_text("401 0 d1 2\n401 0 d2 0\n")
    name = "plumbline-test"
    ir_datasets.registry.register(
        name,
        ir_datasets.create_dataset(
            docs_tsv=str(folder / "docs.tsv"),
            queries_tsv=str(folder / "queries.tsv"),
            qrels_trec=str(folder / "qrels"),
        ),
    )
    return f"irds:{name}"


QREL_FORMS = {
    "dict of dicts": lambda folder: QRELS,
    "rows": lambda folder: QREL_ROWS,
    "rows as they come": lambda folder: iter(QREL_ROWS),
    "rows with a second column": lambda folder: [(t, "0", d, g) for t, d, g in QREL_ROWS],
    "named rows": lambda folder: [Line(t, d, g, "0") for t, d, g in QREL_ROWS],
    "rows of ir_measures": lambda folder: [ir_measures.Qrel(t, d, g) for t, d, g in QREL_ROWS],
    "rows as dicts": lambda folder: [
        dict(zip(("qid", "docno", "label"), row, strict=True)) for row in QREL_ROWS
    ],
    "dict of columns": lambda folder: columns(QREL_ROWS, "query-id", "corpus-id", "score"),
    "polars": lambda folder: pl.DataFrame(columns(QREL_ROWS, "topic_id", "document_id", "gain")),
    "lazy polars": lambda folder: pl.LazyFrame(columns(QREL_ROWS, "topic_id", "document_id", "gain")),
    "pandas": lambda folder: pd.DataFrame(columns(QREL_ROWS, "qid", "docno", "label")),
    "path": lambda folder: write_qrels(folder / "qrels.txt"),
    "path as text": lambda folder: str(write_qrels(folder / "qrels.txt")),
    "packed": lambda folder: write_qrels(folder / "qrels.gz"),
    "gains": lambda folder: ev.Gains(QRELS),
}
RUN_FORMS = {
    "dict of dicts": lambda folder: RUNS,
    "dict of forms": lambda folder: {"first": RUNS["first"], "second": ev.Run(RUNS["second"])},
    "dict of paths": lambda folder: {tag: write_run(folder / f"{tag}.run", tag) for tag in RUNS},
    "dict of rows": lambda folder: {tag: run_rows(run) for tag, run in RUNS.items()},
    "list of runs": lambda folder: [ev.Run(run, tag=tag) for tag, run in RUNS.items()],
    "list of paths": lambda folder: [str(write_run(folder / f"{tag}.run", tag)) for tag in RUNS],
    "tagged rows": lambda folder: [
        {"system": tag, "topic": t, "docid": d, "score": s}
        for tag, run in RUNS.items()
        for t, d, s in run_rows(run)
    ],
    "tagged pandas": lambda folder: pd.DataFrame(
        [(tag, *row) for tag, run in RUNS.items() for row in run_rows(run)],
        columns=["run", "qid", "docno", "score"],
    ),
    "runs": lambda folder: ev.Runs(RUNS),
}


@pytest.mark.parametrize("form", QREL_FORMS)
def test_every_form_of_qrels_means_the_same(form, tmp_path):
    table = ev.read_qrels(QREL_FORMS[form](tmp_path)).table
    assert table.rows() == QREL_ROWS
    assert ev.score(QREL_FORMS[form](tmp_path), RUNS, MEASURES).rows == ev.score(QRELS, RUNS, MEASURES).rows


@pytest.mark.parametrize("form", RUN_FORMS)
def test_every_form_of_runs_means_the_same(form, tmp_path):
    runs = ev.read_runs(RUN_FORMS[form](tmp_path))
    assert [run.tag for run in runs] == list(RUNS)
    assert [run.table["score"].to_list() for run in runs] == [
        [row[2] for row in run_rows(of)] for of in RUNS.values()
    ]
    assert ev.score(QRELS, RUN_FORMS[form](tmp_path), MEASURES).rows == ev.score(QRELS, RUNS, MEASURES).rows


@pytest.mark.parametrize(
    "single",
    [
        RUNS["first"],
        run_rows(RUNS["first"]),
        [ir_measures.ScoredDoc(*row) for row in run_rows(RUNS["first"])],
        pl.DataFrame(columns(run_rows(RUNS["first"]), "q_id", "doc_id", "score")),
        ev.Run(RUNS["first"]),
    ],
)
def test_a_run_alone_needs_no_list_and_no_name(single):
    (run,) = ev.Runs(single)
    assert run.tag == "run"
    assert (
        ev.score(QRELS, single, MEASURES).values.tolist()
        == ev.score(QRELS, RUNS, MEASURES).values[:1].tolist()
    )


def test_nameless_runs_of_a_list_are_numbered(tmp_path):
    named = write_run(tmp_path / "second.run", "second")
    assert [run.tag for run in ev.Runs([RUNS["first"], str(named), RUNS["second"]])] == [
        "run 1",
        "second",
        "run 3",
    ]


def test_a_name_that_is_given_counts(tmp_path):
    path = write_run(tmp_path / "first.run", "first")
    assert ev.read_run(path, tag="mine").tag == "mine"
    assert ev.read_run(path).tag == "first"
    assert ev.Run(RUNS["first"], "mine").tag == "mine"
    ranked = pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0], "rank": [0]})
    assert ev.Run(ranked).table["rank"].to_list() == [0]


def test_a_collection_of_ir_datasets(dataset):
    assert ev.Qrels(dataset).table.rows() == [("401", "d1", 2.0), ("401", "d2", 0.0)]
    with refused("dataset-without-part", "plumbline-test", "scoreddocs"):
        ev.Run(dataset)
    with refused("unknown-dataset", "plumbline-none"):
        ev.Qrels("irds:plumbline-none")


@given(
    st.dictionaries(st.integers(), st.dictionaries(st.integers(), st.floats(0, 1e9), max_size=4), max_size=4)
)
def test_whole_numbers_are_ids(qrels):
    rows = ev.Gains(qrels).table.rows()
    assert rows == [(str(topic), str(d), gain) for topic, of in qrels.items() for d, gain in of.items()]


def test_ids_of_other_types_are_refused():
    for odd in (1.0, True, b"d1", ("d", 1)):
        with refused("id-not-text", "document_id", at="row 1"):
            ev.Gains({"401": {odd: 1}})
    assert ev.Gains({np.int64(401): {"007": 1}}).table.rows() == [("401", "007", 1.0)]


@pytest.mark.parametrize(
    "odd", [3, None, b"qrels.txt", object(), {"401": 2}, [1, 2], [("401", "d1")], [None]]
)
def test_anything_else_is_refused(odd):
    codes = ("unusable-source", "row-without-fields", "dict-without-documents")
    for read in (ev.Gains, ev.Run, ev.read_qrels, lambda odd: ev.score(odd, RUNS, "AP")):
        with refused(codes):
            read(odd)


@pytest.mark.parametrize(
    ("source", "code", "named", "place"),
    [
        (pl.DataFrame({"topic_id": ["1"], "document_id": ["a"]}), "table-without-column", ["gain"], ""),
        ([("1", "a", 1), ("1", "b")], "row-unlike-the-first", ["2"], ""),
        ({"1": {"a": "high"}}, "value-not-a-number", ["high"], "row 1"),
        ({"1": {"a": 1, "b": -1}}, "negative-gain", ["-1", "b"], "row 2"),
        ("no-such-file", "no-such-file", [], "no-such-file"),
    ],
)
def test_what_is_wrong_is_named(source, code, named, place):
    with refused(code, *named, at=place):
        ev.read_qrels(source)


def test_several_runs_are_not_one():
    with refused("several-runs", "first", "second"):
        ev.Run([{"run": tag, "qid": "1", "docno": "a", "score": 1} for tag in RUNS])
    with refused("tag-used-twice", "first"):
        ev.Runs([ev.Run(RUNS["first"], "first"), ev.Run(RUNS["second"], "first")])


def test_codes_below_zero_can_count_as_zero():
    assert ev.read_qrels({"1": {"a": -2, "b": 1}}, negative="zero").table["gain"].to_list() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("alias", "ours"),
    [
        ("map", "AP"), ("map_cut_10", "AP@10"), ("ndcg", "nDCG"), ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"), ("P_10", "P@10"), ("P.5", "P@5"), ("recall_100", "R@100"),
        ("recip_rank", "RR"), ("success_1", "Success@1"), ("Rprec", "Rprec"),
        ("iprec_at_recall_0.10", 'IPrec(recall=0.1, levels="trec_eval")'),
    ],
)  # fmt: skip
def test_names_of_trec_eval_mean_the_same_measures(alias, ours):
    assert ev.parse(alias) == ev.parse(ours)
    assert ev.score(QRELS, RUNS, alias).measures == (alias,)
    assert alias == ours or alias not in DEFINITIONS


def test_from_raw_judgments_to_scores(tmp_path):
    frame = pd.DataFrame(JUDGMENT_ROWS, columns=["topic_id", "unit_id", "document_id", "relevance_score"])
    path = tmp_path / "judgments.csv"
    frame.to_csv(path, index=False)
    expected = [("401", "d1", pytest.approx(800**0.5)), ("401", "d2", pytest.approx(50**0.5))]
    for source in (frame, JUDGMENT_ROWS, path, pl.DataFrame(frame.to_dict("list")), frame.to_dict("records")):
        gains = ev.gains(source)
        assert gains.table.rows() == expected
        assert ev.gains(source, ev.normalise(source)).table.rows() == gains.table.rows()
        assert ev.normalise(source).tolist() == pytest.approx([800**0.5, 50**0.5] * 2)
        assert ev.score(gains, {"401": {"d1": 2, "d2": 1}}, "nDCG@10").means()[0].value == 1


def test_methods_with_anchors_read_them():
    frame = pd.DataFrame(JUDGMENT_ROWS, columns=["topic_id", "unit_id", "document_id", "relevance_score"])
    marked = frame.assign(gold=["H", "N"] * 2)
    assert ev.normalise(marked, "n").tolist() == [4, 1, 4, 1]
    assert ev.normalise(frame.assign(gold=["?", ""] * 2)).tolist() == ev.normalise(frame).tolist()
    with refused("gold-column-missing", "gold"):
        ev.normalise(frame, "n")


def test_agreement_of_workers_and_with_grades():
    table = ev.agreement(JUDGMENT_ROWS, {"401": {"d1": 2, "d2": 0}})
    values = {
        (row["statistic"], row["of"]): (row["number"], row["value"]) for row in table.iter_rows(named=True)
    }
    assert values["alpha", "normalised"] == (4, pytest.approx(1))
    assert values["alpha", "raw"][1] < 0.5
    assert values["agree", "pooled"] == values["disagree", "cells"] == (1, 1.0)
    assert ev.agreement(JUDGMENT_ROWS)["statistic"].to_list() == ["alpha", "alpha"]


def test_agreement_without_and_with_anchors(tmp_path):
    frame = pd.DataFrame(JUDGMENT_ROWS, columns=["topic_id", "unit_id", "document_id", "relevance_score"])
    path = tmp_path / "judgments.csv"
    for marks, statistics in (
        (None, ["alpha"] * 2),
        (["", ""] * 2, ["alpha"] * 2),
        (["H", ""] * 2, ["alpha"] * 2 + ["alpha_with_anchors"] * 2),
    ):
        rows = frame if marks is None else frame.assign(gold=marks)
        rows.to_csv(path, index=False)
        for source in (rows, path):
            assert ev.agreement(source)["statistic"].to_list() == statistics


def test_importing_the_library_imports_nothing_heavy():
    heavy = "numpy", "polars", "scipy", "pandas", "matplotlib"
    code = (
        f"import sys, evaluation; print([name for name in {heavy} if name in sys.modules], dir(evaluation))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.startswith("[] ")
    assert all(repr(name) in output for name in ev.__all__)


def test_the_example_of_the_package(installed):
    assert doctest.testmod(importlib.import_module("plumbline_ir")).failed == 0


def test_every_name_of_the_front_door_can_be_used():
    assert [getattr(ev, name).__name__ for name in ev.__all__] == ev.__all__
    assert issubclass(ev.Qrels, ev.Gains)
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = ev.nothing_here
