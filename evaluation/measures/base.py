"""What a measure is: a definition, its parameters as asked for, and a cut-off."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from evaluation.arrays import BoolArray, FloatArray
from evaluation.errors import InputError, shown
from evaluation.measures.lists import RankedLists
from evaluation.measures.parameters import PARAMETERS, Value
from evaluation.measures.schemes import gainless, gains_of

Compute = Callable[..., FloatArray]
"""(lists, cutoff, **parameters) → values of shape (runs, topics)."""


@dataclass(frozen=True)
class Definition:
    """A measure's formula under its name.

    `counts` says what makes a topic empty, so that no value exists: no relevant document in its recall base
    (measures that count relevant documents), or no gain in it (measures that add gains).
    """

    name: str
    compute: Compute
    counts: Literal["relevant", "gain"]
    needs_cutoff: bool
    defaults: Mapping[str, Value | None]


DEFINITIONS: dict[str, Definition] = {}


def measure(
    name: str, *, counts: Literal["relevant", "gain"], needs_cutoff: bool = False
) -> Callable[[Compute], Compute]:
    """Enter a formula under its name; its keyword-only arguments are the measure's parameters."""

    def enter(compute: Compute) -> Compute:
        signature = inspect.signature(compute).parameters.values()
        defaults = {p.name: p.default for p in signature if p.kind is p.KEYWORD_ONLY}
        DEFINITIONS[name] = Definition(name, compute, counts, needs_cutoff, defaults)
        return compute

    return enter


@dataclass(frozen=True, repr=False)
class Measure:
    """A measure as a value: equal when written the same, printed as it is parsed.

    `given` holds the parameters that were asked for, in the order of the definition; the others have their
    defaults. Raises `InputError` for a name, a parameter or a cut-off that does not exist.
    """

    name: str
    given: tuple[tuple[str, Value], ...] = ()
    cutoff: int | None = None

    def __post_init__(self) -> None:
        if self.name not in DEFINITIONS:
            raise InputError(f"no measure is named {shown(self.name)}; there are {', '.join(DEFINITIONS)}")
        places = {name: place for place, name in enumerate(self.definition.defaults)}
        for name, value in self.given:
            if name not in places:
                known = ", ".join(places) or "none"
                raise InputError(f"{self.name} has no parameter {shown(name)}; it has {known}")
            test, wanted = PARAMETERS[name]
            if not test(value):
                raise InputError(f"{name}={shown(value)} of {self.name} must be {wanted}")
        if len(dict(self.given)) < len(self.given):
            raise InputError(f"a parameter of {self} is given twice")
        if "base" in dict(self.given) and self.parameters.get("discount") != "jk":
            raise InputError(f'base of {self} belongs to discount="jk"; give both or neither')
        if self.cutoff is None and self.definition.needs_cutoff:
            raise InputError(f"{self} needs a cut-off, as in {self}@100")
        if self.cutoff is not None and not 1 <= self.cutoff <= 1_000_000:
            raise InputError(f"the cut-off of {self} must be from 1 to 1000000")
        object.__setattr__(self, "given", tuple(sorted(self.given, key=lambda pair: places[pair[0]])))

    def __str__(self) -> str:
        given = ", ".join(f'{k}="{v}"' if isinstance(v, str) else f"{k}={v}" for k, v in self.given)
        brackets = f"({given})" if given else ""
        return f"{self.name}{brackets}" + ("" if self.cutoff is None else f"@{self.cutoff}")

    __repr__ = __str__

    @property
    def definition(self) -> Definition:
        return DEFINITIONS[self.name]

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter, given or default."""
        return {**self.definition.defaults, **dict(self.given)}

    def values(self, lists: RankedLists) -> FloatArray:
        """The measure of every list, shape (runs, topics); NaN, no value, for an empty topic.

        Raises `InputError` where gains are so large that their sum is not finite.
        """
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            values = self.definition.compute(lists, self.cutoff, **self.parameters)
        empty = self.empty(lists)
        if not (np.isfinite(values) | empty).all():
            raise InputError(f"the gains are too large to add up in {self}; divide them all by one number")
        return np.where(empty, np.nan, values)

    def empty(self, lists: RankedLists) -> BoolArray:
        """Which topics have no relevant document, or no gain, in their recall base (topics,)."""
        parameters = self.parameters
        if self.definition.counts == "relevant":
            return np.equal(lists.recall(parameters["rel"]), 0)
        return gainless(gains_of(parameters.get("gain", "linear"), lists.base_gain))
