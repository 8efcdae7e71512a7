"""Normalisation: bring the magnitudes of different workers onto one scale for each topic."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, cast

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import InputError, shown
from ..frames import Judgments
from ..options import checked
from ..origin import first
from ..scales import DEFAULT, ScaleName, scale_named, scale_of
from ..scales.scale import Scale
from ..sources import Source
from .additive import offsets
from .anchors import anchor_magnitudes, anchor_rows, unit_values
from .groups import Groups
from .model import fit_levels

Method = Literal["geometric", "additive", "none", "zlog", "n", "anchors", "model", "mean", "z"]


@checked
def normalise(judgments: Source, method: Method | None = None) -> FloatArray:
    """Return normalised magnitudes, one for each judgment in row order.

    `judgments` can be anything that `Judgments` accepts: a path, rows or a table. The order of the rows has
    no effect on the results, not even on the last digit. The judgments of one topic affect the
    results for other topics only if the method is `"model"`.

    A unit is identified by its topic, its unit id and, if the judgments name workers, its worker. s is a
    magnitude. μ and σ are the mean and the population standard deviation of ln s. μ_unit and σ_unit come
    from the judgments in the unit. μ_topic and σ_topic come from all judgments of the topic, not from unit
    means. s_N and s_H are the magnitudes of the unit's anchors N and H, which the column `gold` marks. If the
    unit has several pairs of anchors, they are the geometric means of the N and of the H anchors. The methods
    for magnitudes are:

    - `"geometric"`, the default [Turpin, Scholer, Mizzaro & Maddalena, SIGIR 2015]: exp(ln s − μ_unit +
      μ_topic). This preserves the ratios in a unit, and all units of a topic get the same geometric mean.
    - `"none"`: s, unchanged.
    - `"additive"`: exp(ln s − o_unit), where o_unit is the unit's offset in the least-squares fit of ln s =
      level of the document + offset of the unit. Use it if units differ in their documents by design, as in
      an adaptive study: the geometric mean of a unit then depends on which documents it has.
    - `"zlog"`: exp(μ_topic + σ_topic·(ln s − μ_unit)/σ_unit), or exp(μ_topic) if σ_unit is 0.
    - `"n"`: s / s_N.
    - `"anchors"`: exp(μ_N + (ln s − ln s_N)·(μ_H − μ_N)/(ln s_H − ln s_N)), where μ_N and μ_H are the means
      of ln s_N and ln s_H over the topic's units. This reverses the order of a unit's documents if H is below
      N.
    - `"model"`: exp(c + g·(ln s − a)). `fit_levels` estimates the location a of the unit, and the exponent b
      and the noise σ of the worker. g is proportional to b/(b²τ² + σ²), where τ is the standard deviation of
      the documents' levels. So the numbers of careless workers move towards the middle of the topic. c is
      such that the geometric mean of the topic does not change.

    Ratings have their own methods, because their differences have a meaning, but their ratios do not. For
    ratings, μ and σ are those of s instead of ln s. A result below 0 becomes 0, because no gain is negative.
    The methods for ratings are:

    - `"none"`, the default: s, unchanged, because all workers share the scale.
    - `"mean"`: s − μ_unit + μ_topic. This preserves the differences in a unit, and all units of a topic get
      the same mean.
    - `"z"`: μ_topic + σ_topic·(s − μ_unit)/σ_unit, or μ_topic if σ_unit is 0.

    Example: the units ⟨1, 10⟩ and ⟨2, 8, 4⟩ have geometric means of √10 and 4, and the topic has a
    geometric mean of 640^(1/5). The first unit becomes ⟨640^(1/5)/√10, 640^(1/5)·√10⟩ = ⟨1.15, 11.51⟩.

    Raise `InputError` for a method that the scale does not have, and if a result is too large or too small
    for a float. `"n"` also raises `InputError` for a unit without an anchor N, and `"anchors"` for a unit
    without an anchor of each kind and if s_H = s_N. Both raise it for a unit that has several anchors of one
    kind but not as many of the other.
    """
    judgments = Judgments(judgments, gold=method in WITH_ANCHORS)
    scale = scale_of(judgments)
    methods = methods_of(scale)
    if method is None:
        method, *_ = methods
    refuse_other_methods(method, scale.name)
    normalized = methods[method](_Scales(judgments))
    if not scale.has_ratios:
        return np.maximum(normalized, 0)
    if (row := first(~(np.isfinite(normalized) & (normalized > 0)))) is not None:
        raise InputError(
            "magnitude-beyond-floats",
            "with the method {method}, relevance_score {value} in unit {unit} of topic {topic} "
            "becomes too large or too small to store; leave out the unit, or use another method",
            judgments.origin.at(row),
            value=f"{judgments.magnitudes[row]:g}",
            method=method,
            **unit_values(judgments, row),
        )
    return normalized


@dataclass(frozen=True, eq=False)
class _Scales:
    """The numbers that the methods use, each computed on first use."""

    judgments: Judgments

    @cached_property
    def logs(self) -> FloatArray:
        return np.log(self.judgments.magnitudes)

    @cached_property
    def units(self) -> Groups:
        return Groups.by(self.judgments.table, self.judgments.unit_keys)

    @cached_property
    def topics(self) -> Groups:
        """The topics, as groups of units."""
        return Groups.by(self.judgments.table[self.units.row], ["topic_id"])

    def anchors(self, mark: str) -> FloatArray:
        """Return the magnitude of each unit's anchor with this mark: see `anchor_magnitudes`."""
        return anchor_magnitudes(self.judgments, self.units, mark)


def _geometric(scales: _Scales) -> FloatArray:
    units, topics = scales.units, scales.topics
    sums = units.sums(scales.logs)
    # This computes s·exp(μ_topic − μ_unit), which leaves s exactly as it is in a topic with one unit.
    shift = sums.joined(topics).means()[topics.member] - sums.means()
    normalized = np.exp(shift)[units.member]
    normalized *= scales.judgments.magnitudes
    return normalized


def _additive(scales: _Scales) -> FloatArray:
    judgments, units, topics = scales.judgments, scales.units, scales.topics
    # Sums of floats depend on the order of their terms, so the rows are sorted first.
    keys = [*judgments.unit_keys, "document_id", "relevance_score"]
    order = judgments.table.select(keys).with_row_index("row").sort(keys)["row"].to_numpy().astype(np.int64)
    in_topic = topics.member[units.member[order]]
    of_unit = units.member[order]
    of_document = Groups.by(judgments.table, ["document_id"]).member[order]
    normalized = np.empty(len(order))
    by_topic = np.argsort(in_topic, kind="stable")
    for rows in np.split(by_topic, np.flatnonzero(np.diff(in_topic[by_topic])) + 1):
        unit = _in_order(of_unit[rows])
        document = _in_order(of_document[rows])
        logs = scales.logs[order[rows]]
        normalized[order[rows]] = logs - offsets(logs, unit, document)[unit]
    return _exp(normalized)


def _in_order(numbers: IntArray) -> IntArray:
    """Return the numbers, renumbered 0, 1, … in the order in which they first occur."""
    _, first_row, place = np.unique(numbers, return_index=True, return_inverse=True)
    renumbered: IntArray = np.argsort(np.argsort(first_row))[place]
    return renumbered


def _none(scales: _Scales) -> FloatArray:
    return scales.judgments.magnitudes.copy()


def _mean(scales: _Scales) -> FloatArray:
    units, topics, values = scales.units, scales.topics, scales.judgments.magnitudes
    sums = units.sums(values)
    shifted: FloatArray = values + (sums.joined(topics).means()[topics.member] - sums.means())[units.member]
    return shifted


def _zlog(scales: _Scales) -> FloatArray:
    return _exp(_standardised(scales, scales.logs))


def _z(scales: _Scales) -> FloatArray:
    return _standardised(scales, scales.judgments.magnitudes)


def _standardised(scales: _Scales, values: FloatArray) -> FloatArray:
    """Return the values, moved and stretched so that each unit has the mean and spread of its topic."""
    units, topics = scales.units, scales.topics
    of_unit, of_topic = units.deviations(values), units.joined(topics).deviations(values)[topics.member]
    stretch = np.divide(of_topic, of_unit, out=np.zeros_like(of_unit), where=of_unit > 0)
    sums = units.sums(values)
    center = sums.joined(topics).means()[topics.member]
    away = (values - sums.means()[units.member]) * stretch[units.member]
    standardised: FloatArray = center[units.member] + away
    return standardised


def _by_n(scales: _Scales) -> FloatArray:
    normalized: FloatArray = scales.judgments.magnitudes / scales.anchors("N")[scales.units.member]
    return normalized


def _by_anchors(scales: _Scales) -> FloatArray:
    judgments, units = scales.judgments, scales.units
    low, high = np.log(scales.anchors("N")), np.log(scales.anchors("H"))
    if (low == high).any():
        rows = np.sort(anchor_rows(judgments, units, "H")[low == high]).tolist()
        row = rows[0]
        error = InputError(
            "anchors-alike",
            "both anchors of unit {unit} of topic {topic} have the magnitude {value}; leave the unit out, or "
            "use another method",
            judgments.origin.at(row),
            value=f"{judgments.magnitudes[row]:g}",
            **unit_values(judgments, row),
        )
        raise judgments.origin.naming_others(error, rows, row)
    topics = scales.topics
    start, end = (topics.sums(logs).means()[topics.member] for logs in (low, high))
    slope = (end - start) / (high - low)
    return _exp(start[units.member] + (scales.logs - low[units.member]) * slope[units.member])


def _by_model(scales: _Scales) -> FloatArray:
    return _exp(fit_levels(scales.judgments, scales.judgments.magnitudes).judged)


def _exp(logs: FloatArray) -> FloatArray:
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(logs)


FUNCTIONS: Final[dict[Method, Callable[[_Scales], FloatArray]]] = {
    "geometric": _geometric,
    "additive": _additive,
    "none": _none,
    "zlog": _zlog,
    "n": _by_n,
    "anchors": _by_anchors,
    "model": _by_model,
    "mean": _mean,
    "z": _z,
}


def methods_of(scale: Scale) -> "dict[Method, Callable[[_Scales], FloatArray]]":
    """Return the methods of a scale. The first one is the default."""
    return {method: FUNCTIONS[method] for method in cast("tuple[Method, ...]", scale.normalisations)}


METHODS: Final = methods_of(scale_named(DEFAULT))
WITH_ANCHORS: Final = ("n", "anchors")
"""The methods that need the column `gold`."""


@checked
def refuse_other_methods(method: str, scale: ScaleName) -> None:
    """Raise `InputError` for a method that the scale does not have."""
    methods = methods_of(scale_named(scale))
    if method not in methods:
        raise InputError(
            "unknown-method",
            "there is no method {method} for the scale {scale}; choose from {known}",
            method=shown(method),
            scale=scale,
            known=", ".join(methods),
        )
