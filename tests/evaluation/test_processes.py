"""What crosses the border of a process: pickles of errors and results, and forks."""

import dataclasses
import importlib
import multiprocessing
import os
import pickle
import pkgutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import evaluation as ev
from evaluation import comparison
from evaluation.comparison.resampling import resample
from evaluation.distances import distances
from evaluation.distances.ratings import Ratings
from evaluation.errors import InputError
from evaluation.measures import parse
from evaluation.parsing.packing import PackedFileError
from evaluation.parsing.text import TextFaultError
from evaluation.ranking import rank
from evaluation.scores import curves
from evaluation.transformations import Transformation

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "b": 3}}
RUNS = {"x": {"1": {"a": 2, "b": 1}, "2": {"b": 2, "a": 1}}, "y": {"1": {"b": 2, "a": 1}, "2": {"a": 2}}}
JUDGMENTS = [
    (t, u, d, float(place + 1 + 3 * (u == "v"))) for t in "12" for u in "uv" for place, d in enumerate("abc")
]


def generator():
    return np.random.default_rng(1)


def scores():
    return ev.score(QRELS, RUNS, ["nDCG@10", "AP"])


def matrix():
    return np.array([[0.1, 0.4, 0.3], [0.2, 0.6, 0.4], [0.3, 0.1, 0.5]])


def judged():
    return ev.Judgments(JUDGMENTS)


OBJECTS = {
    "judgments": judged,
    "gains": lambda: ev.Gains(QRELS),
    "qrels": lambda: ev.Qrels(QRELS),
    "run": lambda: ev.Run(RUNS["x"], "x"),
    "runs": lambda: ev.Runs(RUNS),
    "measure": lambda: parse('ERR(gmax="topic")@10'),
    "scores": scores,
    "notices": lambda: scores().notices,
    "comparison": lambda: ev.compare(scores(), resamples=20),
    "ranking": lambda: rank(QRELS, RUNS),
    "lists": lambda: rank(QRELS, RUNS).lists,
    "curves": lambda: curves(QRELS, RUNS, "CG@5"),
    "test": lambda: comparison.wilcoxon([1, 2, 3], [3, 1, 2]),
    "anova": lambda: comparison.anova(matrix()),
    "friedman": lambda: comparison.friedman(matrix()),
    "top set": lambda: comparison.top_set("abc", matrix())[0],
    "stability": lambda: comparison.stability(scores(), rng=generator(), trials=3),
    "discrimination": lambda: comparison.discrimination(scores(), rng=generator(), trials=3),
    "resampled": lambda: resample(
        judged(), ev.normalise(judged()), ev.Runs(RUNS), "nDCG@3", rng=generator(), times=3
    ),
    "intervals": lambda: comparison.system_intervals(
        judged(), RUNS, ["nDCG@3"], rng=generator(), resamples=5
    )["nDCG@3"],
    "transformation": lambda: Transformation("10C"),
    "distances": lambda: distances(*2 * (Ratings.from_columns(["1"], ["a"], [1.0]),), "ndpm"),
    "ratings": lambda: Ratings.from_columns(["1"], ["a"], [1.0]),
}


def same(one, other):
    """Whether two objects hold the same parts. Arrays and tables have no single answer to `==`."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, pl.DataFrame):
        return one.equals(other)
    if dataclasses.is_dataclass(one):
        return all(
            same(getattr(one, part.name), getattr(other, part.name)) for part in dataclasses.fields(one)
        )
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_survives_a_pickle(name):
    before = OBJECTS[name]()
    after = pickle.loads(pickle.dumps(before))
    assert type(after) is type(before)
    assert same(before, after)


WITH_TABLES = {"scores", "comparison", "distances", "measure", "transformation"}
"""What shows its table, or its name."""


@pytest.mark.parametrize("name", [name for name in OBJECTS if name not in WITH_TABLES])
def test_a_repr_is_short_and_names_the_class(name):
    item = OBJECTS[name]()
    assert repr(item).startswith(type(item).__name__)
    assert len(repr(item)) < 600


@pytest.mark.parametrize("name", [name for name in OBJECTS if name not in ("measure", "transformation")])
def test_a_notebook_shows_a_table_of_bounded_size(name):
    item = OBJECTS[name]()
    html = item._repr_html_()
    assert html.count("<table>") >= 1
    assert len(html) < 3000


def test_a_notebook_shows_the_first_rows_of_many():
    many = ev.Gains([("t", f"<d{place}>", 1) for place in range(5000)])
    html = many._repr_html_()
    assert len(html) < 3000
    assert "5000 rows" in html
    assert "<d0>" not in html


def test_the_repr_of_a_long_file_names_no_lines(tmp_path):
    (tmp_path / "q").write_text("".join(f"\n{t} 0 d{d} 1\n" for t in range(20) for d in range(50)))
    read = ev.read_qrels(tmp_path / "q")
    assert repr(read) == f"Qrels(1000 rows, 20 topics, from {tmp_path / 'q'})"
    assert len(repr(read.origin)) < 200
    assert repr(ev.Run(RUNS["x"], "x")) == "Run('x', 4 rows, 2 topics)"
    assert repr(judged()) == "Judgments(magnitudes, 12 rows, 2 topics)"
    assert repr(ev.Runs(RUNS)) == "Runs(2 runs: 'x', 'y')"


ERRORS = [
    InputError("a-code", "the value {value} is wrong", "a.run:3", value="'x'"),
    InputError("a-code", "{fault}. Others: {rows}", fault=InputError("b", "at {place}", place=1), rows="2"),
    PackedFileError(InputError("a-code", "the file is {what}", what="long")),
    TextFaultError("a-code", "the line is {what}", 7, undecodable=True, what="long"),
]


def exceptions():
    """Every class of errors in the library."""
    for found in pkgutil.walk_packages(ev.__path__, "evaluation."):
        if not found.name.endswith("__main__"):
            for item in vars(importlib.import_module(found.name)).values():
                is_own = isinstance(item, type) and item.__module__ == found.name
                if is_own and issubclass(item, Exception) and not issubclass(item, Warning):
                    yield item


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_a_pickle(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    first, second = ({k: str(v) for k, v in vars(one).items()} for one in (error, again))
    assert first == second


def test_every_class_of_errors_is_among_them():
    assert {*exceptions()} == {type(error) for error in ERRORS}


def fail(_):
    return ev.score({"1": {"a": -1}}, RUNS, "AP")


def test_an_error_in_a_pool_reaches_the_parent():
    with (
        ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool,
        pytest.raises(InputError) as error,
    ):
        list(pool.map(fail, [1], timeout=120))
    assert error.value.code == "negative-gain"


FORK = """
import multiprocessing, os, sys
import evaluation as ev
{before}
child = os.fork()
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
"""
READ = "ev.read_qrels('qrels').table.sort('gain'); import polars as pl; pl.read_csv('qrels')"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only systems that fork can be warned")
@pytest.mark.parametrize(
    ("before", "options", "is_warned"),
    [
        (READ, [], True),
        (READ, ["-W", "error"], True),
        ("", [], False),
        ("import evaluation.scores, evaluation.files", [], False),
        (
            f"{READ}; import subprocess; subprocess.run(['true']); os.fork = lambda: 1; os.waitpid = print",
            [],
            False,
        ),
    ],
    ids=["after reading", "with warnings as errors", "of nothing", "after imports", "of other programs"],
)
def test_a_fork_after_reading_a_file_is_warned_about(tmp_path, before, options, is_warned):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 2\n" + "".join(f"2 0 d{i} 1\n" for i in range(5000)))
    root = str(Path(ev.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, *options, "-c", FORK.format(before=before)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert ("RuntimeWarning" in done.stderr and '"spawn"' in done.stderr) == is_warned
