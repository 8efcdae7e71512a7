"""Checks of the parameters of measures. A parameter accepts the same values in all measures that have it."""

import math
from collections.abc import Callable

from evaluation.errors import InputError, shown
from evaluation.measures.schemes import is_scheme

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


def _one_of(*names: str) -> Check:
    def refuse_others(measure: str, parameter: str, value: Value) -> None:
        if value not in names:
            raise InputError(
                "parameter-not-a-choice",
                "{parameter}={value} of {measure} is unknown; choose from {known}",
                parameter=parameter,
                value=shown(value),
                measure=measure,
                known=", ".join(f'"{name}"' for name in names),
            )

    return refuse_others


PARAMETERS: dict[str, Check] = {
    "N": _refuse_unless_count,
    "adjust": _one_of("none", "agr"),
    "alpha": _refuse_unless_share,
    "base": _refuse_unless_above_one,
    "beta": _refuse_negative,
    "count": _one_of("irrelevant", "all"),
    "discount": _one_of("log2", "jk", "rank", "none"),
    "divisor": _one_of("min", "R"),
    "factor": _refuse_unless_factor,
    "gain": _refuse_unless_scheme,
    "gmax": _refuse_unless_gmax,
    "ideal": _one_of("recall_base", "retrieved"),
    "levels": _one_of("exact", "trec_eval", "trec_eval9"),
    "norm": _one_of("R", "min"),
    "over_topics": _one_of("sum", "mean"),
    "p": _refuse_unless_probability,
    "q": _refuse_unless_count,
    "recall": _refuse_unless_share,
    "rel": _refuse_unless_number,
    "stop": _one_of("exp", "ntcireval", "share"),
    "ties": _one_of("broken", "averaged"),
    "topics": _one_of("relevant", "judged"),
    "unsampled": _refuse_unless_code,
}
"""The check of each parameter, keyed by the parameter's name."""
