"""Several measures in one call: a list of measures, names of sets, and measures of `ir_measures`."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..errors import InputError, shown
from .measure import Measure, not_a_measure
from .named_sets import NAMED_SETS

Measures = str | Measure | Sequence[str | Measure]
"""One or more measures, or names of sets of measures, such as `official`."""


def several(measures: Measures) -> list[str | Measure]:
    """Return the measures as a list, even if there is only one.

    The name of a set becomes the names of its measures. A measure object of `ir_measures` becomes our measure
    with the same definition. Raise `InputError` for such a measure if we have none, and for anything else
    that is neither a measure nor its name.
    """
    if isinstance(measures, str | bytes | Measure) or not isinstance(measures, Iterable):
        return _each(measures)
    try:
        items = [*measures]
    except Exception as error:  # an object of somebody else's can raise anything
        raise not_a_measure(measures) from error
    return [measure for item in items for measure in _each(item)]


def _each(item: Any) -> list[str | Measure]:
    return [*NAMED_SETS[item]] if isinstance(item, str) and item in NAMED_SETS else [_ours(item)]


def _ours(measure: Any) -> str | Measure:
    if isinstance(measure, str | Measure):
        return measure
    if any(base.__module__.partition(".")[0] == "ir_measures" for base in type(measure).__mro__):
        from ..translation import translated  # needs the package ir_measures, which the measure comes from

        same = translated(measure)
        if same is not None and not (same.judged_only or same.gains or same.answered_only):
            return same.measure
        raise InputError(
            "measure-of-another-library",
            "no measure here has the definition that {measure} has in ir_measures; use the provider in "
            "plumbline_ir.ir_measures, or write the name of a measure",
            measure=shown(str(measure)),
        )
    raise not_a_measure(measure)
