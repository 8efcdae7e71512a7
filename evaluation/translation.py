"""Translate measures of `ir_measures` into measures of this library, with the same values."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import ir_measures
import numpy as np
import polars as pl

from .arrays import FloatArray
from .conventions import Empty, Ties, Unjudged
from .frames import Gains
from .measures import DEFINITIONS, Measure
from .measures.parameters import Value
from .options import checked
from .runs import Run
from .scores import score


@dataclass(frozen=True)
class Translation:
    """How to compute a measure: by a `measure` of this library.

    `judged_only` removes unjudged documents first. `gains` lists grades with the gains that replace them; a
    grade that is not listed is its own gain. If `answered_only` is true, a topic that the run does not answer
    has the value 0.
    """

    measure: Measure
    judged_only: bool = False
    gains: tuple[tuple[float, float], ...] = ()
    answered_only: bool = False

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of this library that are needed."""
        return (str(self.measure), RETRIEVED) if self.answered_only else (str(self.measure),)


RETRIEVED: Final = 'NumRet(topics="judged")'
COUNTING: Final = {
    "AP": "AP",
    "Bpref": "bpref",
    "IPrec": "IPrec",
    "P": "P",
    "R": "R",
    "RR": "RR",
    "Rprec": "Rprec",
    "SetAP": "SetAP",
    "SetF": "SetF",
    "SetP": "SetP",
    "SetR": "R",
    "Success": "Success",
    "infAP": "infAP",
}
"""The measures of `ir_measures` that count documents of grade `rel` or higher, each with our name for it."""

BY_SUBTOPIC: Final = frozenset(name for name, known in DEFINITIONS.items() if known.by_subtopic)
"""The measures by subtopic, which have the same names and the same defaults in `ir_measures`."""
BY_SUBTOPIC_PARAMETERS: Final = {"alpha": "alpha", "beta": "p", "rel": "rel"}
"""The parameters of these measures in `ir_measures`, and ours."""


def translated(measure: ir_measures.Measure) -> Translation | None:
    """Return how to compute a measure of `ir_measures`, or None if this library has no such measure."""
    given = {name: value for name, value in measure.params.items() if value is not False}
    judged_only = bool(given.pop("judged_only", False))
    gains = tuple(sorted(given.pop("gains", {}).items()))
    ours = _same(measure, given)
    # `ir_measures` counts 0 relevant documents in a topic that the run does not answer.
    return None if ours is None else Translation(ours, judged_only, gains, measure.NAME == "NumRel")


def _same(measure: ir_measures.Measure, given: dict[str, Any]) -> Measure | None:
    """Return our measure with the same definition. `given` has the parameters that decide about it."""
    cutoff, name = given.pop("cutoff", None), measure.NAME
    if name in COUNTING and given.keys() <= {"rel", "recall", "beta", "relative"}:
        return Measure(COUNTING[name], (*_parameters(measure), ("rel", measure["rel"])), cutoff)
    if name == "NumRel":
        return Measure(name, (("rel", measure["rel"]), ("topics", "judged")))
    if name == "nDCG" and given.keys() <= {"dcg"}:
        scheme = (("gain", "exp"),) if given.get("dcg") == "exp-log2" else ()
        return Measure("nDCG", scheme, cutoff)
    if name == "ERR" and not given:
        return Measure("ERR", (("gmax", 4),), cutoff)  # gdeval's highest grade
    if name == "RBP" and "rel" in given:
        return Measure("RBP", (("p", measure["p"]), ("rel", given["rel"])), cutoff)
    if name in ("Judged", "NumRet") and given.keys() <= {"rel"}:
        return Measure(name, (*given.items(), ("topics", "judged")), cutoff)
    if name in BY_SUBTOPIC and given.keys() <= {"rel", "alpha", "beta"}:
        ours: dict[str, Value] = {BY_SUBTOPIC_PARAMETERS[key]: measure[key] for key in given}
        return Measure(name, (*{**ours, "rel": measure["rel"]}.items(),), cutoff)
    return None


def _parameters(measure: ir_measures.Measure) -> tuple[tuple[str, Value], ...]:
    """Return the parameters, apart from `rel`, of our measure for one of the measures in `COUNTING`."""
    if measure.NAME == "IPrec":
        # pytrec_eval, which computes it there, reads the recall level with two decimals.
        return ("recall", round(measure["recall"], 2)), ("levels", "trec_eval9")
    if measure.NAME == "SetF":
        return (("beta", math.sqrt(measure["beta"])),)  # the parameter is β² there
    return (("relative", "yes"),) if measure.NAME == "SetP" and measure["relative"] else ()


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
            values[translation] = _values(translation, columns)
    return topics, values


def _values(translation: Translation, columns: dict[str, FloatArray]) -> FloatArray:
    values = columns[str(translation.measure)]
    return np.where(columns[RETRIEVED] > 0, values, 0.0) if translation.answered_only else values


def _with_gains(gains: Gains, replaced: tuple[tuple[float, float], ...]) -> Gains:
    if not replaced:
        return gains
    grades, new = zip(*replaced, strict=True)
    column = pl.col("gain").replace(
        [float(grade) for grade in grades], [max(0.0, float(gain)) for gain in new]
    )
    return gains.replaced(table=gains.table.with_columns(column))
