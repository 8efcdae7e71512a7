"""Scores as tables: the same numbers in every form, and in the forms that other tools return."""

import builtins
import re
import sys
from dataclasses import replace

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest
import pytrec_eval

import evaluation as ev
from evaluation.notices import Notices
from evaluation.rendering import TERMINAL_WIDTH
from evaluation.score_table import Scores
from tests.evaluation.every_measure import EVERY, gains_for_every
from tests.evaluation.refusals import OPTION, refused
from tests.evaluation.test_rendering import Cells
from tests.support.named import numbers_in

QRELS = {"401": {"d1": 3, "d2": 0, "d3": 1}, "402": {"d1": 2, "d4": 0}, "403": {"d1": 0}}
RUNS = {
    "b_25%": {"401": {"d2": 9.5, "d1": 3.0}, "402": {"d3": 1.0, "d1": 0.5}, "403": {"d1": 1.0}},
    "<dense>": {"401": {"d3": 2.0, "d1": 1.0}, "402": {"d1": 7.0}, "403": {"d1": 1.0}},
}
MEASURES = ["ndcg_cut_10", "map", "P_5"]


@pytest.fixture(scope="module")
def scores() -> Scores:
    return ev.score(QRELS, RUNS, MEASURES)


def test_the_table_of_means_has_a_row_for_each_run_and_a_column_for_each_measure(scores):
    table = scores.to_polars()
    assert table.columns == ["run", *MEASURES]
    assert table["run"].to_list() == [*RUNS]
    means = {(row.run, row.measure): row.value for row in scores.means()}
    assert {(row["run"], m): row[m] for row in table.to_dicts() for m in MEASURES} == means


def test_the_table_of_topics_has_a_row_for_each_run_and_topic(scores):
    table = scores.to_polars(per_topic=True)
    assert table.columns == ["run", "topic", *MEASURES]
    cells = {(row["run"], row["topic"], m): row[m] for row in table.to_dicts() for m in MEASURES}
    assert cells == {tuple(row[:3]): row.value for row in scores.rows}
    assert cells["b_25%", "403", "map"] is None  # nothing is relevant there


@pytest.mark.parametrize("per_topic", [False, True])
def test_a_long_table_has_the_rows_of_the_command(scores, per_topic):
    table = scores.to_polars(per_topic=per_topic, shape="long")
    assert table.rows() == [tuple(row) for row in (scores.rows if per_topic else scores.means())]
    assert table.schema == {"run": pl.String, "topic": pl.String, "measure": pl.String, "value": pl.Float64}


@pytest.mark.parametrize("per_topic", [False, True])
@pytest.mark.parametrize("shape", ["wide", "long"])
def test_pandas_has_the_same_table(scores, per_topic, shape):
    ours = scores.to_polars(per_topic=per_topic, shape=shape)
    theirs = scores.to_pandas(per_topic=per_topic, shape=shape)
    assert isinstance(theirs, pd.DataFrame)
    assert [*theirs.columns] == ours.columns
    assert pl.DataFrame(theirs.to_dict("list")).fill_nan(None).equals(ours)
    assert all(theirs[name].dtype == np.float64 for name in MEASURES if name in theirs)


def test_without_pandas_one_error_says_so_and_the_rest_works(scores, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with refused("pandas-not-installed", "pandas"):
        scores.to_pandas()
    assert scores.to_polars().height == 2


def test_nothing_but_to_pandas_imports_pandas(scores, monkeypatch):
    real = builtins.__import__

    def guarded(name, *more):
        assert name.partition(".")[0] not in ("pandas", "matplotlib", "jinja2")
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", guarded)
    for write in (scores.to_polars, scores.to_latex, scores.to_html, scores.to_markdown, scores._repr_html_):
        write()
    repr(scores)


def test_a_run_s_dict_is_what_pytrec_eval_returns_for_it(scores):
    qrels = {topic: of for topic, of in QRELS.items() if any(of.values())}  # the others have no value here
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map", "P.5"})
    ours = scores.to_dict(per_topic=True)
    for run, lists in RUNS.items():
        theirs = evaluator.evaluate(lists)
        assert {topic: ours[run][topic] for topic in theirs} == {
            topic: pytest.approx(values) for topic, values in theirs.items()
        }
        assert ours[run]["403"] == dict.fromkeys(MEASURES)


def test_a_run_s_dict_of_means_is_what_ir_measures_returns_for_it():
    names = ["nDCG@10", "AP", "P@5"]
    qrels = {topic: QRELS[topic] for topic in ("401", "402")}
    ours = ev.score(qrels, RUNS, names).to_dict()
    for run, lists in RUNS.items():
        theirs = ir_measures.calc_aggregate(map(ir_measures.parse_measure, names), qrels, lists)
        assert ours[run] == pytest.approx({str(measure): value for measure, value in theirs.items()})


def numbers(text: str) -> list[str]:
    return re.findall(r"\b\d\.\d+", text)


@pytest.mark.parametrize("per_topic", [False, True])
@pytest.mark.parametrize("digits", [3, 4])
def test_every_printed_form_has_the_numbers_of_the_table(scores, per_topic, digits):
    table = scores.to_polars(per_topic=per_topic)
    expected = [
        f"{value:.{digits}f}" for row in table.select(MEASURES).rows() for value in row if value is not None
    ]
    for text in (
        scores.to_latex(per_topic=per_topic, digits=digits),
        scores.to_markdown(per_topic=per_topic, digits=digits),
        " ".join(Cells(scores.to_html(per_topic=per_topic, digits=digits)).texts("td")),
    ):
        assert numbers(text) == expected


def test_a_notebook_and_a_terminal_show_the_means(scores):
    cells = Cells(scores._repr_html_())
    assert [*RUNS] == [text for _, attrs, text in cells.elements if attrs.get("scope") == "row"]
    shown = [f"{value:.4f}" for row in scores.to_polars().select(MEASURES).rows() for value in row]
    assert cells.texts("td")[: len(shown)] == shown
    assert numbers(str(scores)) == numbers(repr(scores)) == shown


def test_the_terminal_counts_notices(scores):
    assert len(scores.notices.sentences()) > 0
    silent = replace(scores, notices=Notices())
    pointer = repr(scores).removeprefix(repr(silent))
    assert numbers_in(pointer) == [str(len(scores.notices.sentences()))]


def test_many_runs_are_shortened_where_they_show_themselves_and_whole_where_asked():
    many = Scores(tuple(f"run{i}" for i in range(129)), ("1",), ("AP",), np.zeros((129, 1, 1)))
    assert len(repr(many).splitlines()) < 70
    assert many._repr_html_().count("<tr>") < 70
    assert many.to_latex().count("0.0000") == many.to_html().count("0.0000") == 129


def test_pooled_means_are_shown_as_the_means():
    pooled = Scores(("a",), ("1", "2"), ("nDCG",), np.array([[[0.5], [1.0]]]), pooled=np.array([[0.6]]))
    assert pooled.to_dict() == {"a": {"nDCG": 0.6}}
    assert pooled.to_polars().rows() == [("a", 0.6)]


def test_scores_of_nothing_have_empty_tables():
    nothing = Scores((), (), ("AP",), np.zeros((0, 0, 1)))
    assert nothing.to_polars().columns == ["run", "AP"]
    assert nothing.to_dict() == {}
    assert [*nothing.to_pandas(per_topic=True).columns] == ["run", "topic", "AP"]
    assert "AP" in repr(nothing)
    assert Scores(("a",), ("1",), (), np.zeros((1, 1, 0))).to_polars().columns == ["run"]


def test_what_cannot_be_a_table_is_refused(scores):
    with refused(OPTION, "tall", "wide", "long"):
        scores.to_polars(shape="tall")
    named = Scores(("a",), ("1",), ("run",), np.zeros((1, 1, 1)))
    with refused("measure-named-like-column", "'run'"):
        named.to_polars()
    assert named.to_polars(shape="long")["measure"].to_list() == ["run"]
    with refused("decimals-out-of-bounds"):
        scores.to_latex(digits=-1)


def test_every_measure_has_its_column_in_every_form():
    rows = [(topic, document, gain + 0.5) for topic, of in QRELS.items() for document, gain in of.items()]
    whole = ev.score(gains_for_every(*zip(*rows, strict=True)), RUNS, EVERY)
    assert whole.to_polars().columns == ["run", *EVERY]
    assert [*whole.to_dict()["<dense>"]] == EVERY
    assert Cells(whole.to_html()).texts("th")[: 1 + len(EVERY)] == ["run", *EVERY]
    assert whole.to_latex().count(" & ") == 3 * len(EVERY)
    printed = repr(whole)
    assert max(map(len, printed.splitlines())) <= TERMINAL_WIDTH
    assert all(measure in printed for measure in EVERY)
