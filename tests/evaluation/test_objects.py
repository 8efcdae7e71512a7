"""Objects of other libraries are read as what they are, or refused in one sentence, whatever they do."""

import pickle
from fractions import Fraction
from unittest.mock import MagicMock

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest

import evaluation as ev
from evaluation.errors import InputError
from tests.evaluation.refusals import refused

QRELS = pd.DataFrame({"query_id": ["t", "t"], "doc_id": ["a", "b"], "relevance": [1, 0]})
NUMBERED = pd.DataFrame({"query_id": [401, 401], "doc_id": [7, 8], "relevance": [1, 0]})
ROWS = [("t", "a", 1.0), ("t", "b", 0.0)]
RUN = {"t": {"a": 2.0, "b": 1.0}}


@pytest.mark.parametrize("orient", ["dict", "list", "series", "records", "index"])
def test_every_orientation_of_pandas_holds_the_same(orient):
    assert ev.read_qrels(QRELS.to_dict(orient)).table.rows() == ROWS
    found = ev.read_qrels(NUMBERED.to_dict(orient)).table.rows()
    assert found == [("401", "7", 1.0), ("401", "8", 0.0)]


@pytest.mark.parametrize("orient", ["split", "tight"])
def test_orientations_without_names_beside_the_values_are_refused(orient):
    with refused("dict-without-documents"):
        ev.read_qrels(QRELS.to_dict(orient))


@pytest.mark.parametrize("column", ["t", b"t", {"t"}, 1, None, object()])
def test_a_column_is_a_list(column):
    with refused("column-not-a-list", "topic_id"):
        ev.read_qrels({"topic_id": column, "document_id": ["a"], "gain": [1]})


@pytest.mark.parametrize(
    "values",
    [
        ["t"],
        ("t",),
        np.array(["t"]),
        pl.Series(["t"]),
        pd.Series(["t"]),
        pd.Categorical(["t"]),
        {0: "t"}.values(),
    ],
)
def test_any_list_is_a_column(values):
    found = ev.read_qrels({"topic_id": values, "document_id": ["a"], "gain": [1]})
    assert found.table.rows() == [("t", "a", 1.0)]


@pytest.mark.parametrize("nothing", [None, float("nan"), pd.NA, pd.NaT, ""])
def test_an_id_or_a_tag_that_is_missing_is_refused(nothing):
    missing = ("empty-cell", "id-not-text")
    with refused(missing, at="row 1"):
        ev.read_qrels([(nothing, "a", 1)])
    with refused(missing, at="row 1"):
        ev.read_run([("t", nothing, 1.0)])
    with refused(missing, at="row 1"):
        ev.read_runs([{"qid": "t", "docno": "a", "score": 1.0, "run": nothing}])
    with refused(missing, at="row 1"):
        ev.read_runs({nothing: RUN})


@pytest.mark.parametrize(
    ("value", "code"),
    [
        pytest.param(10**400, "number-too-large", id="400 zeros"),
        pytest.param(-(10**5000), "number-too-large", id="more digits than Python prints"),
        (1j, "value-not-a-number"),
        (np.complex128(1), "value-not-a-number"),
        ("1", "value-not-a-number"),
        (Fraction(1, 2), "value-not-a-number"),
        (None, "missing-number"),
    ],
)
def test_what_is_no_number_is_refused(value, code):
    with refused(code, at="row 1"):
        ev.read_qrels([("t", "a", value)])


def test_measures_of_ir_measures_are_measures():
    asked = [ir_measures.nDCG @ 10, ir_measures.P @ 5, ir_measures.RR, ir_measures.ERR @ 20, "AP"]
    found = [row.measure for row in ev.score(RUN, RUN, asked).means()]
    assert found == ["nDCG@10", "P(rel=1)@5", "RR(rel=1)", "ERR(gmax=4)@20", "AP"]
    with refused("measure-of-another-library", "Compat"):
        ev.score(RUN, RUN, ir_measures.Compat)


@pytest.mark.parametrize("measure", [7, None, [None], object(), b"AP", 2.5])
def test_what_is_no_measure_is_refused(measure):
    with refused("measure-not-text"):
        ev.score(RUN, RUN, measure)


def test_objects_of_ir_measures_are_rows():
    qrels = [ir_measures.Qrel("t", "a", 1), ir_measures.Qrel("t", "b", 0)]
    run = [ir_measures.ScoredDoc("t", "a", 2.0)]
    assert ev.read_qrels(qrels).table.rows() == ROWS
    assert ev.score(qrels, run, "AP").means()[0].value == 1


class OfRanx:
    """What the qrels and runs of ranx offer."""

    name = "bm25"

    def to_dict(self) -> dict[str, dict[str, float]]:
        return RUN


def test_objects_with_a_dict_are_read_by_it():
    assert ev.read_run(OfRanx()).table.height == 2
    assert ev.read_run(OfRanx()).tag == "bm25"
    assert [run.tag for run in ev.read_runs([OfRanx()])] == ["bm25"]
    assert ev.read_qrels(OfRanx()).table.rows() == [("t", "a", 2.0), ("t", "b", 1.0)]


class Raising:
    """An object that refuses everything."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(name)


class RaisingDict(dict[str, object]):
    def keys(self):
        raise RuntimeError

    def items(self):
        raise RuntimeError

    def values(self):
        raise RuntimeError


class Endless:
    """A sequence whose items are what it is itself."""

    def __len__(self) -> int:
        return 1

    def __getitem__(self, place: int) -> "Endless":
        if place:
            raise IndexError
        return self


class Callable:
    def __call__(self, *values: object) -> object:
        raise TypeError


FOREIGN = {
    "nothing": lambda: None,
    "number": lambda: 7,
    "bytes": lambda: b"t 0 a 1",
    "type": lambda: dict,
    "function": lambda: len,
    "module": lambda: np,
    "exception": lambda: ValueError("x"),
    "raising": Raising,
    "raising dict": lambda: RaisingDict(a=1),
    "endless": Endless,
    "callable": Callable,
    "mock": MagicMock,
    "set": lambda: {1, 2},
    "range": lambda: range(3),
    "generator of numbers": lambda: (number for number in range(3)),
    "scalar array": lambda: np.array(1),
    "square array": lambda: np.ones((2, 2)),
    "structured array": lambda: np.zeros(2, dtype=[("a", "i4")]),
    "series": lambda: pd.Series([1, 2]),
    "polars series": lambda: pl.Series([1, 2]),
    "multi-index": lambda: QRELS.set_index(["query_id", "doc_id"]),
    "empty frame": pd.DataFrame,
    "empty polars frame": pl.DataFrame,
    "frame of lists": lambda: pl.DataFrame({"topic_id": [["t"]], "document_id": ["a"], "gain": [1]}),
    "twice the same column": lambda: pd.DataFrame([[1, 2]], columns=["query_id", "query_id"]),
    "list of lists of lists": lambda: [[["t"]]],
    "dict of lists": lambda: {"t": ["a"]},
    "dict of dicts of dicts": lambda: {"x": {"t": {"a": "b"}}},
    "dict of None": lambda: {"t": None},
    "text": lambda: "no such file",
    "text with a zero byte": lambda: "a\0b",
    "surrogate": lambda: "\udc80",
}
DOORS = {
    "read_qrels": ev.read_qrels,
    "read_run": ev.read_run,
    "read_runs": ev.read_runs,
    "read_judgments": ev.read_judgments,
    "score qrels": lambda found: ev.score(found, RUN, "AP"),
    "score runs": lambda found: ev.score(RUN, found, "AP"),
    "score measures": lambda found: ev.score(RUN, RUN, found),
    "compare": lambda found: ev.compare(found, {"a": RUN, "b": RUN}, "AP"),
    "compare runs": lambda found: ev.compare(RUN, found, "AP"),
    "gains": ev.gains,
    "normalise": ev.normalise,
    "agreement": ev.agreement,
    "parse": ev.parse,
}


@pytest.mark.parametrize("foreign", FOREIGN)
@pytest.mark.parametrize("door", DOORS)
def test_a_foreign_object_is_read_or_refused_in_one_sentence(door, foreign):
    fault = None
    try:
        DOORS[door](FOREIGN[foreign]())
    except InputError as error:
        fault = error
    if fault is not None:
        assert "\n" not in str(fault)
        assert str(pickle.loads(pickle.dumps(fault))) == str(fault)


def test_the_front_door_shows_its_public_names_alone():
    assert dir(ev) == sorted(ev.__all__)
