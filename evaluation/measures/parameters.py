"""Checks of the parameters of measures. A parameter accepts the same values in all measures that have it."""

import math
from collections.abc import Callable
from typing import Literal, get_args

from ..errors import InputError, shown
from ..options import unknown_option
from .schemes import is_scheme

Adjust = Literal["none", "agr"]
Count = Literal["irrelevant", "all"]
Discount = Literal["log2", "jk", "rank", "none"]
Divisor = Literal["min", "R"]
Ideal = Literal["recall_base", "retrieved"]
Levels = Literal["exact", "trec_eval", "trec_eval9"]
Norm = Literal["R", "min"]
OverTopics = Literal["sum", "mean"]
Relative = Literal["no", "yes"]
Stop = Literal["exp", "ntcireval", "share"]
Ties = Literal["broken", "averaged"]
Topics = Literal["relevant", "judged"]
Value = str | int | float
Check = Callable[[str, str, Value], None]
"""A function that takes a measure, a parameter and a value, and raises `InputError` for an invalid value."""


def _is_number(value: Value) -> bool:
    return not isinstance(value, str) and math.isfinite(value)


def _refuse_unless_number(measure: str, parameter: str, value: Value) -> None:
    if not _is_number(value):
        raise InputError(
            "parameter-not-a-number",
            "{parameter}={value} of {measure} is not a number; give a finite number",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_unless_count(measure: str, parameter: str, value: Value) -> None:
    if not (isinstance(value, int) and value >= 1):
        raise InputError(
            "parameter-not-a-count",
            "{parameter}={value} of {measure} is not a count; give a whole number of 1 or more",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_unless_above_one(measure: str, parameter: str, value: Value) -> None:
    if not (_is_number(value) and float(value) > 1):
        raise InputError(
            "parameter-not-above-one",
            "{parameter}={value} of {measure} is out of bounds; give a number above 1",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_negative(measure: str, parameter: str, value: Value) -> None:
    if not (_is_number(value) and float(value) >= 0):
        raise InputError(
            "parameter-negative",
            "{parameter}={value} of {measure} is out of bounds; give a number that is at least 0",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_unless_positive(measure: str, parameter: str, value: Value) -> None:
    if not (_is_number(value) and float(value) > 0):
        raise InputError(
            "parameter-not-positive",
            "{parameter}={value} of {measure} is out of bounds; give a number above 0",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_below_half(measure: str, parameter: str, value: Value) -> None:
    if not (_is_number(value) and float(value) >= 0.5):
        raise InputError(
            "parameter-below-half",
            "{parameter}={value} of {measure} is out of bounds; give a number that is at least 0.5",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_unless_probability(measure: str, parameter: str, value: Value) -> None:
    if not (_is_number(value) and 0 < float(value) < 1):
        raise InputError(
            "parameter-not-a-probability",
            "{parameter}={value} of {measure} is out of bounds; give a number between 0 and 1",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_unless_share(measure: str, parameter: str, value: Value) -> None:
    if not (_is_number(value) and 0 <= float(value) <= 1):
        raise InputError(
            "parameter-not-a-share",
            "{parameter}={value} of {measure} is out of bounds; give a number from 0 to 1",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_unless_scheme(measure: str, parameter: str, value: Value) -> None:
    if not is_scheme(value):
        raise InputError(
            "parameter-not-a-scheme",
            '{parameter}={value} of {measure} is not a gain scheme; give "linear", "exp" (2^g − 1), "pow2" '
            '(2^g), "binary" (1 above 0), the gains of the grades 0, 1, … like 0-1-10-100, or the gains of '
            "single values like 0:0,0.5:1,2:10",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_unless_code(measure: str, parameter: str, value: Value) -> None:
    if value not in ("negative", "none") and not (_is_number(value) and float(value) < 0):
        raise InputError(
            "parameter-not-a-code",
            "{parameter}={value} of {measure} is not a valid code for unsampled documents; give "
            '"negative", "none" or a number below 0',
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_unless_factor(measure: str, parameter: str, value: Value) -> None:
    if not (_is_number(value) and 0 < float(value) <= 1):
        raise InputError(
            "parameter-not-a-factor",
            "{parameter}={value} of {measure} is out of bounds; give a number above 0 and up to 1",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _refuse_unless_gmax(measure: str, parameter: str, value: Value) -> None:
    if value not in ("file", "topic") and not (_is_number(value) and float(value) > 0):
        raise InputError(
            "parameter-not-a-largest-gain",
            '{parameter}={value} of {measure} cannot be the largest gain; give "file", "topic" or a number '
            "above 0",
            parameter=parameter,
            value=shown(value),
            measure=measure,
        )


def _option(annotation: object) -> Check:
    """Return the check of a parameter whose values are listed in an annotation."""

    def refuse_others(measure: str, parameter: str, value: Value) -> None:
        if value not in get_args(annotation):
            raise unknown_option(f"{parameter} of {measure}", value, get_args(annotation))

    return refuse_others


PARAMETERS: dict[str, Check] = {
    "N": _refuse_unless_count,
    "T": _refuse_below_half,
    "adjust": _option(Adjust),
    "alpha": _refuse_unless_share,
    "base": _refuse_unless_above_one,
    "beta": _refuse_negative,
    "count": _option(Count),
    "discount": _option(Discount),
    "divisor": _option(Divisor),
    "factor": _refuse_unless_factor,
    "gain": _refuse_unless_scheme,
    "gmax": _refuse_unless_gmax,
    "ideal": _option(Ideal),
    "levels": _option(Levels),
    "multiple": _refuse_unless_positive,
    "norm": _option(Norm),
    "over_topics": _option(OverTopics),
    "p": _refuse_unless_probability,
    "q": _refuse_unless_count,
    "recall": _refuse_unless_share,
    "rel": _refuse_unless_number,
    "relative": _option(Relative),
    "stop": _option(Stop),
    "ties": _option(Ties),
    "topics": _option(Topics),
    "unsampled": _refuse_unless_code,
}
"""The check of each parameter, keyed by the parameter's name."""
