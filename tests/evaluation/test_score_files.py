"""Scores from files: every layout, and every fault."""

import pytest

from evaluation.files import read_scores
from tests.evaluation.refusals import refused

SCORES = [("a", "1", "AP", 0.5), ("a", "2", "AP", None), ("b", "1", "AP", 0.25), ("b", "2", "AP", -3.0)]
LAYOUTS = {
    "tsv": "a\t1\tAP\t.5\na\t2\tAP\t-\nb\t1\tAP\t2.5e-1\nb\t2\tAP\t-3\nb\tall\tAP\t7\n",
    "tsv with a header": "run\ttopic\tmeasure\tvalue\na\t1\tAP\t.5\nb\t1\tAP\t.25\nb\t2\tAP\t-3\n",
    "csv": "run,topic,measure,value\na,1,AP,.5\na,2,AP,\nb,1,AP,.25\nb,2,AP,-3\n",
    "blanks": "a 1 AP .5\na  2  AP  null\nb 1 AP .25\nb 2 AP -3\n",
    "json": '[{"run": "a", "topic": "1", "measure": "AP", "value": 0.5},\n'
    ' {"run": "a", "topic": "2", "measure": "AP", "value": null},\n'
    '{"run": "b", "topic": "1", "measure": "AP", "value": 0.25}, '
    '{"value": -3, "run": "b", "topic": "2", "measure": "AP"}]',
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_scores_of_every_layout(file, layout):
    result = read_scores(file(LAYOUTS[layout]))
    assert result.rows == SCORES
    assert result.means() == [("a", "all", "AP", 0.5), ("b", "all", "AP", -1.375)]


@pytest.mark.parametrize(
    ("content", "line", "named"),
    [
        ("a 1 AP .5\na 2 AP\n", 2, ["3", "4"]),
        ("a 1 AP .5\na 1 AP .6\n", 2, ["AP", "'a'", "'1'"]),
        ("a 1 AP .5\na 2 AP high\n", 2, ["'high'"]),
        ("a 1 AP .5\na 2 AP inf\n", 2, ["inf"]),
        ("run topic measure value\na all AP .5\n", 2, ["--per-topic"]),
        (
            '[{"run": "a", "topic": "1", "measure": "AP", "value": 1},\n{"run": "a"}]',
            2,
            ["run", "topic", "measure", "value"],
        ),
        ('[{"run": "a", "topic": 1, "measure": "AP", "value": 1}]', 1, ["run", "topic", "measure"]),
        ('[{"run": "a"\n', 2, ["JSON"]),
        ("[" * 100_000, 1, []),
        ('run,topic,measure,value\na,1,"AP,3\n', 2, ["CSV"]),
    ],
)
def test_broken_scores(file, content, line, named):
    path = file(content)
    with refused(
        (
            "json-name-not-text",
            "json-nested-too-deeply",
            "json-with-other-keys",
            "malformed-csv",
            "malformed-json",
            "not-a-number",
            "only-means",
            "score-given-twice",
            "value-not-finite",
            "wrong-number-of-columns",
        ),
        *named,
        at=f"{path}:{line}",
    ):
        read_scores(path)
