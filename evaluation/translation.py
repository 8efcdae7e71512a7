"""Translate measures of `ir_measures` into measures of this library, with the same values.

trec_eval has measures of sets, which are formulas of three counts in each topic: the retrieved documents, the
relevant documents, and the documents that are both.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import ir_measures
import numpy as np
import polars as pl

from .arrays import FloatArray
from .conventions import Empty, Ties, Unjudged
from .frames import Gains
from .measures import Measure
from .options import checked
from .runs import Run
from .scores import score

Formula = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""A function of the numbers of retrieved, relevant, and retrieved relevant documents of each topic."""


@dataclass(frozen=True)
class Translation:
    """How to compute a measure: by a `measure` of this library or, if `formula` is given, by this formula.

    For a formula, `measure` counts the retrieved relevant documents. `judged_only` removes unjudged documents
    first. `gains` lists grades with the gains that replace them; a grade that is not listed is its own gain.
    """

    measure: Measure
    formula: Formula | None = None
    judged_only: bool = False
    gains: tuple[tuple[float, float], ...] = ()
    is_total: bool = False
    """Whether the value over all topics is the sum of the topics' values, and not their mean."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of this library that are needed."""
        return (str(self.measure),) if self.formula is None else (str(self.measure), RETRIEVED)

    @property
    def rel(self) -> int:
        """The lowest relevant grade of a formula."""
        return int(self.measure.parameters["rel"])


RETRIEVED: Final = 'NumRet(topics="judged")'
COUNTING: Final = {
    "AP": "AP",
    "Bpref": "bpref",
    "IPrec": "IPrec",
    "P": "P",
    "R": "R",
    "RR": "RR",
    "Rprec": "Rprec",
    "Success": "Success",
    "infAP": "infAP",
}
"""The measures of `ir_measures` that count documents of grade `rel` or higher, each with our name for it."""


def _divided(number: FloatArray, by: FloatArray) -> FloatArray:
    return np.divide(number, by, out=np.zeros_like(number), where=by > 0)


def _set_f(beta: float) -> Formula:
    def f(retrieved: FloatArray, relevant: FloatArray, both: FloatArray) -> FloatArray:
        # (1 + β)·P·R/(β·P + R) with P = both/retrieved and R = both/relevant
        return _divided((1 + beta) * both, beta * relevant + retrieved)

    return f


def _formula(measure: ir_measures.Measure) -> Formula | None:
    """Return the formula of a measure of sets, or None for any other measure."""
    if measure.NAME == "SetF":
        return _set_f(measure["beta"])
    if measure.NAME == "SetP" and measure["relative"]:
        return lambda retrieved, relevant, both: _divided(both, np.minimum(retrieved, relevant))
    formulas: dict[str, Formula] = {
        # `ir_measures` counts 0 relevant documents in a topic that the run does not answer.
        "NumRel": lambda retrieved, relevant, both: np.where(retrieved > 0, relevant, 0.0),
        "SetAP": lambda retrieved, relevant, both: _divided(both**2, retrieved * relevant),
        "SetP": lambda retrieved, relevant, both: _divided(both, retrieved),
        "SetR": lambda retrieved, relevant, both: _divided(both, relevant),
    }
    return formulas.get(str(measure.NAME))


def translated(measure: ir_measures.Measure) -> Translation | None:
    """Return how to compute a measure of `ir_measures`, or None if this library has no such measure."""
    given = {name: value for name, value in measure.params.items() if value is not False}
    judged_only = bool(given.pop("judged_only", False))
    if (formula := _formula(measure)) is not None:
        both = Measure("NumRet", (("rel", measure["rel"]), ("topics", "judged")))
        return Translation(both, formula, judged_only, is_total=measure.NAME == "NumRel")
    gains = tuple(sorted(given.pop("gains", {}).items()))
    ours = _same(measure, given)
    return None if ours is None else Translation(ours, None, judged_only, gains, ours.is_total)


def _same(measure: ir_measures.Measure, given: dict[str, Any]) -> Measure | None:
    """Return our measure with the same definition. `given` has the parameters that decide about it."""
    cutoff, name = given.pop("cutoff", None), measure.NAME
    if name in COUNTING and given.keys() <= {"rel", "recall"}:
        # pytrec_eval, which computes it there, reads the recall level with two decimals.
        recall = (("recall", round(given["recall"], 2)), ("levels", "trec_eval9")) if name == "IPrec" else ()
        return Measure(COUNTING[name], (*recall, ("rel", measure["rel"])), cutoff)
    if name == "nDCG" and given.keys() <= {"dcg"}:
        scheme = (("gain", "exp"),) if given.get("dcg") == "exp-log2" else ()
        return Measure("nDCG", scheme, cutoff)
    if name == "ERR" and not given:
        return Measure("ERR", (("gmax", 4),), cutoff)  # gdeval's highest grade
    if name == "RBP" and "rel" in given:
        return Measure("RBP", (("p", measure["p"]), ("rel", given["rel"])), cutoff)
    if name in ("Judged", "NumRet") and given.keys() <= {"rel"}:
        return Measure(name, (*given.items(), ("topics", "judged")), cutoff)
    if name == "alpha_nDCG" and given.keys() <= {"rel", "alpha"}:
        return Measure(name, (("alpha", measure["alpha"]), ("rel", measure["rel"])), cutoff)
    return None


@checked
def values_of(
    translations: Iterable[Translation], gains: Gains, run: Any, empty: Empty, ties: Ties
) -> tuple[tuple[str, ...], dict[Translation, FloatArray]]:
    """Return the topics, and the values of the run in each topic for each of the translations."""
    groups: dict[tuple[bool, tuple[tuple[float, float], ...]], list[Translation]] = {}
    for translation in translations:
        groups.setdefault((translation.judged_only, translation.gains), []).append(translation)
    ranked = Run(run)
    topics: tuple[str, ...] = ()
    values: dict[Translation, FloatArray] = {}
    for (judged_only, replaced), group in groups.items():
        names = list(dict.fromkeys(name for translation in group for name in translation.measures))
        unjudged: Unjudged = "drop" if judged_only else "zero"
        judged = _with_gains(gains, replaced)
        scores = score(judged, [ranked], names, unjudged=unjudged, ties=ties, empty=empty)
        topics = scores.topics
        columns = dict(zip(names, scores.values[0].T, strict=True))
        for translation in group:
            values[translation] = _values(translation, columns, gains, topics, empty)
    return topics, values


def _values(
    translation: Translation,
    columns: dict[str, FloatArray],
    gains: Gains,
    topics: tuple[str, ...],
    empty: Empty,
) -> FloatArray:
    both = columns[str(translation.measure)]
    if translation.formula is None:
        return both
    relevant = _relevant(gains, topics, translation.rel)
    values = translation.formula(columns[RETRIEVED], relevant, both)
    has_none = (relevant == 0) & (empty == "skip") & (not translation.is_total)
    return np.where(has_none, np.nan, values)


def _relevant(gains: Gains, topics: tuple[str, ...], rel: int) -> FloatArray:
    """Return the number of documents of each topic whose grade is at least `rel`."""
    counts = gains.table.group_by("topic_id").agg((pl.col("gain") >= rel).sum())
    by_topic = dict(counts.iter_rows())
    return np.array([by_topic[topic] for topic in topics], dtype=np.float64)


def _with_gains(gains: Gains, replaced: tuple[tuple[float, float], ...]) -> Gains:
    if not replaced:
        return gains
    grades, new = zip(*replaced, strict=True)
    column = pl.col("gain").replace(
        [float(grade) for grade in grades], [max(0.0, float(gain)) for gain in new]
    )
    return gains.replaced(table=gains.table.with_columns(column))
