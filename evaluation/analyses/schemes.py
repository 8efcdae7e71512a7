"""Measures under several gain schemes, which [JK02] and [K05] compare."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from evaluation.errors import InputError
from evaluation.measures import Measure, parse

W: Final = {"w1": "0-1-1-1", "w3": "0-1-2-3", "w10": "0-1-5-10", "w100": "0-1-10-100"}
"""The gain schemes of [K05], by their names in that paper. Each scheme lists the gains of grades 0 to 3."""
SCHEMES: Final = (*W.values(), "0-0-0-1")
"""The schemes of [K05], and a scheme of [JK02] in which only highly relevant documents count."""
JK: Final = 'discount="jk", base=2'
"""The discount of [JK02], [K05], [S04] and [ZY10]."""


def with_scheme(measure: str | Measure, scheme: str, cutoff: int | None = None) -> Measure:
    """Return the measure with this gain scheme and, if given, this cut-off.

    Raise `InputError` for a measure that takes no scheme or already has a scheme.
    """
    parsed = parse(measure) if isinstance(measure, str) else measure
    if "gain" in dict(parsed.given):
        raise InputError(
            "measure-with-own-scheme",
            "{measure} sets a gain scheme, but this analysis applies its own gain schemes; remove gain= from "
            "the measure",
            measure=str(parsed),
        )
    return replace(parsed, given=(*parsed.given, ("gain", scheme)), cutoff=cutoff or parsed.cutoff)


def refuse_empty(**arguments: Sequence[object] | Measure) -> None:
    """Raise `InputError` for the first argument that is empty."""
    for name, entries in arguments.items():
        if not entries:
            raise InputError("empty-argument", "{argument} is empty; give at least one entry", argument=name)
