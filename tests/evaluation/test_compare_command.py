"""The command `compare`: what `ev.compare` returns, in every part and format, from runs and from scores."""

import io
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest

import evaluation as ev
from evaluation.cli.compare import PARTS, TEXTS
from evaluation.comparison.pair_tests import TESTS
from evaluation.conventions import PairTest
from evaluation.files import write_inclusion
from evaluation.sampling import draw, influence, pool_of
from tests.evaluation.command_results import output_of
from tests.evaluation.refusals import assert_fault

RANDOM = Random(5)
QRELS = {str(topic): {f"d{place}": RANDOM.randrange(3) for place in range(8)} for topic in range(7)}
RUNS = {tag: {topic: {doc: RANDOM.random() for doc in QRELS[topic]} for topic in QRELS} for tag in "abc"}
MEASURES = ["nDCG@5", "AP"]
OF_ALL = [part for part in PARTS if part != "estimates"]
"""The parts that do not need a sample."""
OPTIONS = ["--tests", "wilcoxon", "tukey", "--resamples", "99", "--baseline", "b", "--family", "all"]


@pytest.fixture
def files(file):
    """Qrels, runs, and per-topic scores of the runs."""
    qrels = file("".join(f"{t} 0 {d} {g}\n" for t, of in QRELS.items() for d, g in of.items()), "qrels")
    runs = [
        file("".join(f"{t} Q0 {d} 1 {s} {tag}\n" for t, of in run.items() for d, s in of.items()), tag)
        for tag, run in RUNS.items()
    ]
    rows = ev.score(QRELS, RUNS, MEASURES).rows
    scores = file(
        "".join(
            f"{row.run} {row.topic} {row.measure} {'-' if row.value is None else row.value}\n" for row in rows
        ),
        "scores",
    )
    return {"runs": [qrels, *runs, "-m", *MEASURES], "scores": [scores]}


@pytest.fixture(scope="module")
def compared():
    return ev.compare(
        QRELS,
        RUNS,
        MEASURES,
        baseline="b",
        tests=["wilcoxon", "tukey"],
        resamples=99,
        family="all",
    )


@pytest.mark.parametrize("source", ["runs", "scores"])
@pytest.mark.parametrize("part", OF_ALL)
def test_every_part_is_that_of_the_library(files, shell, compared, source, part):
    words = ["compare", *files[source], *OPTIONS, "--part", part]
    wanted = compared.to_polars(part)
    if part == "result" and source == "scores":  # which documents are judged is not in the scores
        wanted = wanted.with_columns(judged_share=pl.lit(None, pl.Float64))
    for form, read in (("csv", pl.read_csv), ("json", pl.read_json)):
        if (part, form) == ("result", "json"):
            continue
        found = read(io.BytesIO(output_of(shell(*words, "--format", form)).encode()))
        assert found.columns == wanted.columns
        numbers = [name for name, kind in wanted.schema.items() if kind == pl.Float64]
        same = wanted.drop(numbers).cast(pl.String).rows()
        assert found.drop(numbers).cast(pl.String).rows() == same
        for name in numbers:
            assert found[name].cast(pl.Float64).to_list() == pytest.approx(wanted[name].to_list(), abs=1e-12)


def test_a_sample_is_compared_as_by_the_library(file, files, shell):
    listed = io.StringIO()
    pool = pool_of(RUNS, 5)
    sample = draw(pool, influence(pool, "DCG@5"), 20, rng=np.random.default_rng(1))
    write_inclusion(sample.table, listed)
    predictions = {
        topic: {document: gain + 0.5 for document, gain in of.items()} for topic, of in QRELS.items()
    }
    lines = "".join(f"{t} 0 {d} {g}\n" for t, of in predictions.items() for d, g in of.items())
    paths = file(listed.getvalue(), "sample.csv"), file(lines, "predictions")
    options = ["--inclusion", paths[0], "--predictions", paths[1], "--baseline", "b"]
    compared = ev.compare(QRELS, RUNS, ["DCG@5"], baseline="b", inclusion=sample, predictions=[predictions])
    words = [*files["runs"][:4], "-m", "DCG@5", *options]
    for part in PARTS:
        shown = output_of(shell("compare", *words, "--part", part))
        assert shown.rstrip("\n") == compared.to_text(part).rstrip("\n")
    scored = output_of(shell("score", *words[:-2], "--format", "csv", "--per-topic"))
    values = [
        row.value for row in ev.score(QRELS, RUNS, "DCG@5", inclusion=sample, predictions=[predictions]).rows
    ]
    found = pl.read_csv(io.StringIO(scored)).filter(pl.col("topic").cast(pl.String) != "all")["value"]
    assert found.to_list() == pytest.approx(values, abs=1e-12)


def test_later_runs_need_the_whole_earlier_sample(file, files, shell):
    runs = files["runs"][1:4]
    words = ["--depth", "5", "--budget", "10", "--measure", "DCG@5", "--seed", "1"]
    earlier = file(output_of(shell("sample", *runs[:2], *words)), "earlier.csv")
    both = output_of(shell("sample", *runs, *words[:3], "4", *words[4:], "--earlier", earlier))
    assert both.startswith(Path(earlier).read_text())
    again = shell("sample", *runs[:2], *words, "--earlier", earlier)
    assert (again.returncode, again.stdout) == (0, Path(earlier).read_text())
    assert again.stderr.startswith("warning: ")
    alone = file("1 d0 0.5\n", "sampled.csv")
    assert_fault(shell("sample", *runs, *words, "--earlier", alone), "sampled", at=alone)


@pytest.mark.parametrize(
    "words", [["--part", "estimates"], ["--predictions", "some"], ["--design", "poisson"]]
)
def test_options_that_need_a_sample(files, shell, words):
    assert_fault(shell("compare", *files["runs"], *words), words[0], "--inclusion")


@pytest.mark.parametrize("form", ["text", *TEXTS])
def test_every_format_is_that_of_the_library(files, shell, compared, form):
    for part in OF_ALL:
        shown = output_of(shell("compare", *files["runs"], *OPTIONS, "--part", part, "--format", form))
        assert shown.rstrip("\n") == getattr(compared, f"to_{form}")(part).rstrip("\n")


def test_without_a_part_all_but_the_pairs_are_shown(files, shell, compared):
    shown = output_of(shell("compare", *files["scores"], *OPTIONS))
    assert shown.count("\n\n") >= 4
    assert compared.to_text("top_sets") in shown
    assert compared.to_text("pairs") not in shown


def test_every_test_of_the_library_can_be_chosen():
    assert set(TESTS) == set(PairTest.__args__)


@pytest.mark.parametrize(
    "words",
    [
        ["scores", "-m", "AP"],
        ["runs without measures"],
        ["scores", "--format", "csv"],
        ["scores", "--baseline", "z"],
        ["scores", "--tests", "t"],
        ["scores", "--seed", "-1"],
    ],
)
def test_what_does_not_go_together_is_refused(files, shell, words):
    named = files["runs"][:3] if words[0] == "runs without measures" else files["scores"]
    assert_fault(shell("compare", *named, *words[1:]), *words[-1:] if "--baseline" in words else ())
