"""The sentences that name the best run: the runs and the numbers in them, and the same ones everywhere."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.comparison.report import compare
from evaluation.comparison.verdict import BestRun, verdict
from evaluation.score_table import Scores
from evaluation.text import joined
from tests.evaluation.refusals import OPTION, refused

BEST = BestRun("run1", "AP", 0.5, 0.25, 0.75, 30)


def names_and_numbers(sentences) -> list[str]:
    return re.findall(r"\brun\d+|\b\d+(?:\.\d+)?", joined(sentences).replace("AP", ""))


OF_BEST = ["run1", "0.500", "0.250", "0.750", "30"]


@pytest.mark.parametrize(
    ("tied", "runs", "topics", "named"),
    [
        ([], 1, 30, ["run1"]),
        ([], 2, 30, OF_BEST),
        (["run2"], 3, 30, [*OF_BEST, "run2"]),
        (["run2", "run3"], 3, 4, [*OF_BEST, "run2", "run3", "4", "0.375"]),
        ([f"run{n}" for n in range(2, 9)], 8, 30, [*OF_BEST, *(f"run{n}" for n in range(2, 7)), "2"]),
    ],
)
def test_the_best_run_and_those_beside_it(tied, runs, topics, named):
    """They name the runs that the test cannot separate, and with few topics the smallest possible p."""
    assert names_and_numbers(verdict(BEST, tied, runs=runs, topics=topics, alpha=0.05)) == named


@pytest.mark.parametrize(("topics", "correction", "least"), [(6, "none", None), (6, "holm", "0.0938")])
def test_the_fewest_topics_that_can_tell_runs_apart_depend_on_the_correction(topics, correction, least):
    said = names_and_numbers(
        verdict(BEST, ["run2", "run3"], runs=3, topics=topics, alpha=0.05, correction=correction)
    )
    assert said[len(OF_BEST) + 2 :] == ([] if least is None else [str(topics), least])
    with refused(OPTION, "bonferroni"):
        verdict(BEST, [], runs=2, topics=9, alpha=0.05, correction="bonferroni")


def test_a_mean_without_an_interval():
    best = BestRun("run1", "AP", 0.5, None, None, 1)
    assert names_and_numbers(verdict(best, [], runs=2, topics=9, alpha=0.05)) == ["run1", "0.500", "1"]


@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(1, 12))
def test_a_comparison_says_what_its_tables_say(seed, runs, topics):
    values = np.random.default_rng(seed).random((runs, topics, 2)).round(1)
    names = tuple(f"run{place}" for place in range(runs))
    scores = Scores(names, tuple(map(str, range(topics))), ("AP", "nDCG"), values)
    compared = compare(scores, interval="t", resamples=2)
    for measure in scores.measures:
        best, *tied = compared.top_sets.filter(measure=measure)["run"].to_list()
        mean = compared.means.filter(measure=measure, run=best)["mean"].item()
        said = names_and_numbers(compared.verdict(measure))
        assert said[:2] == [best, f"{mean:.3f}"]
        assert [word for word in said[2:] if word.startswith("run")] == tied
        assert " ".join(joined(compared.verdict(measure)).split()) in " ".join(repr(compared).split())
    assert compared.verdict("P") == []
