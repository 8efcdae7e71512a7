"""Measures under several gain schemes, which [JK02] and [K05] compare."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ..errors import InputError
from ..frames import Gains
from ..measures import Measure, parse
from ..measures.lists import Cutoff
from ..measures.measure import MOST_GRADES
from ..measures.schemes import gains_of

W: Final = {"w1": "0-1-1-1", "w3": "0-1-2-3", "w10": "0-1-5-10", "w100": "0-1-10-100"}
"""The gain schemes of [K05], by their names in that paper. Each scheme lists the gains of grades 0 to 3."""
SCHEMES: Final = (*W.values(), "0-0-0-1")
"""The schemes of [K05], and a scheme of [JK02] in which only highly relevant documents count."""
JK: Final = 'discount="jk", base=2'
"""The discount of [JK02], [K05], [S04] and [ZY10]."""


def with_scheme(measure: str | Measure, scheme: str, cutoff: Cutoff | None = None) -> Measure:
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


def schemes_with_gain(gains: Gains) -> tuple[str, ...]:
    """Return those of `SCHEMES` that give a gain to any document. `gains` are grades from 0 to 3."""
    return tuple(scheme for scheme in SCHEMES if (gains_of(scheme, gains.values) > 0).any())


def declared_scheme(gains: Gains) -> str:
    """Return the scheme that lists every level of a set of whole grades, each worth its number: `0-1-2-3`.

    Other gains, such as magnitudes, have no levels. Their scheme is `linear`.
    """
    values = gains.values
    highest = values.max(initial=0)
    if not 1 <= highest <= MOST_GRADES or (values != np.rint(values)).any():
        return "linear"
    return "-".join(map(str, range(int(highest) + 1)))


def refuse_empty(**arguments: Sequence[object] | Measure) -> None:
    """Raise `InputError` for the first argument that is empty."""
    for name, entries in arguments.items():
        if not entries:
            raise InputError("empty-argument", "{argument} is empty; give at least one entry", argument=name)
