"""A comparison of runs as people read it: marks, tables in every format, and the figure."""

import sys

import polars as pl
import pytest

from evaluation.comparison.choices import Choices
from evaluation.comparison.pair_tests import TESTS
from evaluation.comparison.report import compare
from evaluation.comparison.report_tables import keys, marks
from evaluation.notices import Notices, about_topics
from evaluation.score_table import Scores
from tests.evaluation.refusals import OPTION, refused
from tests.evaluation.test_comparison_report import QUICK, SCORES, made
from tests.evaluation.test_rendering import Cells
from tests.support.named import numbers_in

PARTS = ("means", "pairs", "overall", "correlations", "top_sets")
WHOLE = compare(SCORES, tests=[*TESTS], **QUICK)

# --- marks -------------------------------------------------------------------------------------------------


def pairs_of(*rows) -> pl.DataFrame:
    return pl.DataFrame(
        rows, schema=["measure", "test", "first", "second", "difference", "adjusted"], orient="row"
    )


def test_letters_name_the_runs_with_a_lower_mean_test_by_test():
    table = pairs_of(
        ("AP", "paired_t", "x", "y", 0.2, 0.01),
        ("AP", "paired_t", "x", "z", -0.2, 0.049),
        ("AP", "paired_t", "y", "z", -0.1, 0.05),
        ("AP", "wilcoxon", "x", "y", 0.2, None),
        ("AP", "wilcoxon", "x", "z", -0.2, 0.2),
        ("AP", "wilcoxon", "y", "z", -0.1, 0.001),
        ("RR", "paired_t", "x", "y", 0.2, 0.01),
        ("RR", "paired_t", "x", "z", 0.2, 0.01),
    )
    both = Choices(tests=("paired_t", "wilcoxon"))
    assert marks(table, ["x", "y", "z"], both) == {
        ("AP", "x"): "b|",
        ("AP", "z"): "a|b",
        ("RR", "x"): "bc|",
    }
    one = table.filter(test="paired_t")
    assert marks(one, ["x", "y", "z"], Choices(tests=("paired_t",))) == {
        ("AP", "x"): "b",
        ("AP", "z"): "a",
        ("RR", "x"): "bc",
    }


def test_symbols_mark_what_differs_from_the_baseline_in_either_direction():
    table = pairs_of(
        ("AP", "paired_t", "x", "z", -0.2, 0.01),
        ("AP", "paired_t", "y", "z", 0.2, 0.02),
        ("AP", "wilcoxon", "x", "z", -0.2, 0.06),
        ("AP", "wilcoxon", "y", "z", 0.2, 0.02),
    )
    choices = Choices("z", tests=("paired_t", "wilcoxon"))
    assert marks(table, ["x", "y", "z"], choices) == {("AP", "x"): "*", ("AP", "y"): "*†"}


def test_keys_of_many_runs_stay_apart():
    names = keys(800)
    assert names[:3] + names[25:28] + names[-1:] == ["a", "b", "c", "z", "aa", "ab", "adt"]
    assert len({*names}) == 800
    runs = [f"r{place}" for place in range(30)]
    table = pairs_of(("AP", "wilcoxon", "r0", "r1", 0.2, 0.01), ("AP", "wilcoxon", "r0", "r27", 0.2, 0.01))
    assert marks(table, runs, Choices()) == {("AP", "r0"): "b,ab"}


@pytest.mark.parametrize("baseline", [None, "r2"])
def test_a_printed_mean_has_its_mark_and_its_interval(baseline):
    report = compare(SCORES, baseline=baseline, tests=["paired_t", "wilcoxon"], **QUICK)
    raised = marks(report.pairs, SCORES.runs, report.choices)
    cells = Cells(report.to_html(digits=2))
    texts = iter(cells.texts("td"))
    for run in SCORES.runs:
        for measure in SCORES.measures:
            row = report.means.row(
                by_predicate=(pl.col("run") == run) & (pl.col("measure") == measure), named=True
            )
            mark = raised.get((measure, run), "")
            assert next(texts) == f"{row['mean']:.2f}{mark} [{row['low']:.2f}, {row['high']:.2f}]"
    assert any(raised.values())
    heads = [text for _, attrs, text in cells.elements if attrs.get("scope") == "row"]
    assert [head for head in heads if head in SCORES.runs] == [*SCORES.runs]
    assert len(heads) == len(SCORES.runs) * (1 if baseline else 2)


# --- the forms ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
def test_every_part_comes_in_every_form(part):
    table = WHOLE.to_polars(part)
    assert table is getattr(WHOLE, part)
    assert pl.DataFrame(WHOLE.to_pandas(part).to_dict("list")).fill_nan(None).equals(table.fill_nan(None))
    rows = {"means": 4, "correlations": 2}.get(part, len(table))
    assert WHOLE.to_html(part).count("<tr>") - WHOLE.to_html(part).count("<tfoot>") == rows + 1
    assert WHOLE.to_latex(part).count(r"\\" + "\n") == rows + 1
    assert sum(line.startswith("|") for line in WHOLE.to_markdown(part).splitlines()) == rows + 2
    assert WHOLE.to_latex(part, caption="5%").count(r"\caption{5\%}") == 1
    assert "<caption>a &amp; b</caption>" in WHOLE.to_html(part, caption="a & b")


@pytest.mark.parametrize("part", PARTS)
def test_latex_has_no_letter_that_it_cannot_print(part):
    for report in (WHOLE, compare(SCORES, baseline="r1", tests=[*TESTS], **QUICK)):
        assert report.to_latex(part, caption="x").isascii()


def test_the_matrix_of_correlations_is_square():
    cells = Cells(WHOLE.to_html("correlations", digits=2)).texts("td")
    assert cells == [f"{value:.2f}" for value in WHOLE.correlations["value"]]


def test_it_shows_itself_in_a_notebook_and_in_a_terminal():
    assert WHOLE._repr_html_().count("<table>") == 4
    assert repr(WHOLE) == str(WHOLE)
    assert all(run in repr(WHOLE) for run in SCORES.runs)
    single = compare(made(measures=("AP",)), tests=[], **QUICK)
    assert single._repr_html_().count("<table>") == 2  # without correlations and tests
    assert single.pairs.is_empty()


def test_it_points_to_the_notices_of_its_scores():
    noted = Scores(
        SCORES.runs,
        SCORES.topics,
        SCORES.measures,
        SCORES.values,
        Notices(
            tuple(
                notice
                for code in ("ignored", "unanswered")
                for run in ("r0", "r1")
                for notice in about_topics(code, "{topics}", ["9"], run=run)
            )
        ),
    )
    silent, spoken = (repr(compare(scores, **QUICK)).splitlines() for scores in (SCORES, noted))
    *_, note = [line for line in spoken if line not in silent]
    assert numbers_in(note) == ["2"]
    assert "sentences" not in compare(noted, **QUICK).to_latex()


def test_names_are_escaped_in_marks_and_notes_too():
    named = Scores(("<b>", "50%_x"), SCORES.topics, SCORES.measures, SCORES.values[:2])
    report = compare(named, baseline="<b>", **QUICK)
    assert "<b>" not in report.to_html()
    assert r"50\%\_x" in report.to_latex()
    assert "differs from <b>" not in report.to_latex(caption="x")


def test_the_figure_has_the_means_and_their_intervals(monkeypatch):
    figure = WHOLE.figure(measures=["AP"])
    assert figure.table.equals(WHOLE.means.filter(measure="AP").select(figure.table.columns))
    assert len(WHOLE.figure(width="page").drawing.axes) == 2
    with refused("measure-not-compared", "'RR'", "AP"):
        WHOLE.figure(measures=["RR"])
    with refused("table-without-rows"):
        WHOLE.figure(measures=[])
    for module in [name for name in sys.modules if name.startswith("evaluation.figures")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.delattr("evaluation.figures", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError) as caught:
        WHOLE.figure()
    assert "'plumbline-ir[figures]'" in str(caught.value)


def test_unknown_parts_and_impossible_decimals_are_refused():
    with refused(OPTION, "'all'", *PARTS):
        WHOLE.to_polars("all")
    with refused("decimals-out-of-bounds", "99"):
        WHOLE.to_latex(digits=99)
