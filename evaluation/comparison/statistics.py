"""The rank correlations, which are written like measures: `tau_b`, or `rbo(p=0.8)` with a parameter."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from ..errors import InputError, shown
from ..measures.notation import split_notation
from .correlation import rho, tau_a, tau_ap, tau_b, tau_c
from .rank_biased import rbo, refuse_invalid
from .results import Values

STATISTICS: dict[str, Callable[..., float | None]] = {
    "tau_b": tau_b,
    "tau_a": tau_a,
    "tau_c": tau_c,
    "tau_ap": tau_ap,
    "rho": rho,
    "rbo": rbo,
}
"""The rank correlations by name, each a function of two lists of system means."""


def parse_statistic(text: str) -> Callable[[Values, Values], float | None]:
    """Return the rank correlation that `text` names, such as `rbo(p=0.8)`, as a function of two lists.

    The lists hold system means. Raise `InputError` for an unknown statistic, and for an unknown or invalid
    parameter.

    Example: `parse_statistic('rbo(p=0.5, form="minimum")')([3, 2, 1], [2, 3, 1])` is .454.
    """
    notation = split_notation(text)
    name, parameters = (text, {}) if notation is None else (notation.name, dict(notation.parameters))
    if name not in STATISTICS or (notation is not None and notation.cutoff is not None):
        raise InputError(
            "unknown-statistic",
            "there is no statistic named {statistic}; choose from {known}",
            statistic=shown(text),
            known=", ".join(STATISTICS),
        )
    known = [*inspect.signature(STATISTICS[name]).parameters][2:]
    if others := [parameter for parameter in parameters if parameter not in known]:
        raise InputError(
            "unknown-parameter-of-statistic",
            "{statistic} has no parameter {parameter}; only rbo has parameters: p, form and ties",
            statistic=name,
            parameter=shown(others[0]),
        )
    if name == "rbo":
        given: dict[str, Any] = parameters
        refuse_invalid(**given)
    return partial(STATISTICS[name], **parameters)
