"""A measure consists of a definition, parameters and a cut-off."""

import math
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn

import numpy as np

from ..arrays import BoolArray, FloatArray, mean_over_topics
from ..errors import InputError, shown
from ..spelling import nearest_name
from .definitions import DEFINITIONS, Counts, Definition, load_installed
from .lists import AT_R, Cutoff, RankedLists
from .named_sets import NAMED_SETS
from .parameters import PARAMETERS, Value
from .schemes import is_written, lacks_gain

Summary = Literal["mean", "sum", "exp_mean"]
"""How the values of topics become one value."""
MOST_GRADES: Final = 10
"""Whole numbers up to this one can be grades. Larger ones are magnitudes, or values of a fine scale."""


@dataclass(frozen=True, repr=False)
class Measure:
    """A measure with its parameters and cut-off. Measures are equal if `str` returns the same name for both.

    `given` has the parameters that were set, in the order of the definition. All others have their defaults.
    `parse` turns the result of `str` back into an equal measure. Raise `InputError` for an unknown name or
    parameter, and for an invalid parameter or cut-off. With the cut-off `"R"`, the list of a topic ends at
    rank R, the number of the topic's relevant documents.
    """

    name: str
    given: tuple[tuple[str, Value], ...] = ()
    cutoff: Cutoff | None = None

    def __post_init__(self) -> None:
        if self.name not in DEFINITIONS:
            load_installed()
        if self.name not in DEFINITIONS:
            _refuse_name(self.name)
        places = {name: place for place, name in enumerate(self.definition.defaults)}
        for name, value in self.given:
            if name not in places:
                _refuse_parameter(self.name, name, tuple(places))
            PARAMETERS[name](self.name, name, value)
        if len(dict(self.given)) < len(self.given):
            raise InputError(
                "parameter-given-twice",
                "a parameter of {measure} is given twice; remove one of the two",
                measure=str(self),
            )
        if "base" in dict(self.given) and self.parameters.get("discount") != "jk":
            raise InputError(
                "base-without-discount",
                'base in {measure} can only be used with discount="jk"; add discount="jk", or leave out base',
                measure=str(self),
            )
        if "factor" in dict(self.given) and self.parameters.get("stop") != "share":
            raise InputError(
                "factor-without-share",
                'factor in {measure} can only be used with stop="share"; add stop="share", or leave '
                "out factor",
                measure=str(self),
            )
        if self._is_binary and {"gmax", "adjust"} & {*dict(self.given)}:
            raise InputError(
                "binary-gains-with-gmax-or-adjust",
                'gmax and adjust in {measure} need graded gains; add gain="linear", or leave out gmax'
                " and adjust",
                measure=str(self),
            )
        if self.cutoff is None and self.definition.needs_cutoff:
            raise InputError(
                "cutoff-missing", "{measure} needs a cut-off; write it like {measure}@100", measure=str(self)
            )
        if self.cutoff is not None and self.definition.whole:
            raise InputError(
                "cutoff-on-whole-lists",
                "{measure} is computed over whole lists; leave out @{cutoff}",
                measure=self.name,
                cutoff=str(self.cutoff),
            )
        if self.cutoff == AT_R:
            self._refuse_at_r()
        elif self.cutoff is not None and not 1 <= (self.last_rank or 0) <= 1_000_000:
            raise InputError(
                "cutoff-out-of-bounds",
                "the cut-off of {measure} is out of bounds; give one from 1 to 1000000",
                measure=str(self),
            )
        object.__setattr__(self, "given", tuple(sorted(self.given, key=lambda pair: places[pair[0]])))

    def _refuse_at_r(self) -> None:
        """Raise `InputError` if the measure cannot have a cut-off that differs from topic to topic."""
        parameters = self.parameters
        given = [("ties", "averaged"), ("ideal", "retrieved")]
        found = next((f'{name}="{value}"' for name, value in given if parameters.get(name) == value), None)
        if found is not None:
            raise InputError(
                "parameter-at-r",
                "{parameter} in {measure} needs the same cut-off in all topics; give a number in place of R",
                parameter=found,
                measure=str(self),
            )
        if self.definition.needs_cutoff:
            raise InputError(
                "measure-at-r",
                "{measure} needs the same cut-off in all topics; give a number in place of R",
                measure=str(self),
            )

    def __str__(self) -> str:
        parameters = ", ".join(f'{k}="{v}"' if isinstance(v, str) else f"{k}={v}" for k, v in self.given)
        brackets = f"({parameters})" if parameters else ""
        return f"{self.name}{brackets}" + ("" if self.cutoff is None else f"@{self.cutoff}")

    __repr__ = __str__

    @property
    def last_rank(self) -> int | None:
        """The cut-off, or None if there is none or if it differs from topic to topic."""
        return self.cutoff if isinstance(self.cutoff, int) else None

    @property
    def definition(self) -> Definition:
        """The definition of the measure."""
        return DEFINITIONS[self.name]

    @property
    def counts(self) -> Counts:
        """Which topics are empty, as in `Definition.counts`.

        If a measure is binary by default but is used with graded gains, topics without gain are empty.
        """
        binary_by_default = self.definition.defaults.get("gain") == "binary"
        return "gain" if binary_by_default and not self._is_binary else self.definition.counts

    @property
    def _is_binary(self) -> bool:
        """Whether the parameter `gain` is `"binary"` by default and still has this value."""
        return self.definition.defaults.get("gain") == self.parameters.get("gain") == "binary"

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters, including defaults."""
        return {**self.definition.defaults, **dict(self.given)}

    def values(self, lists: RankedLists) -> FloatArray:
        """Return the measure's value for every list (runs, topics), with NaN (no value) for an empty topic.

        Raise `InputError` if gains are so large that their sum is not finite.
        """
        adjusted, parameters = self.inputs(lists)
        if self.cutoff == AT_R:
            adjusted = adjusted.first(lists.recall(parameters.get("rel")))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            values = self.definition.compute(adjusted, self.last_rank, **parameters)
        empty = self.empty(lists)
        if not (np.isfinite(values) | empty).all():
            raise InputError(
                "gains-too-large-to-add",
                "the gains are too large to add up in {measure}; divide all gains by the same number",
                measure=str(self),
            )
        return np.where(empty, np.nan, values)

    def unscaled(self, values: FloatArray) -> BoolArray:
        """Return which judged values are not whole numbers. If any value is not whole, `gmax` has no default.

        Whole values are usually grades on one scale, so the largest value in the file can be the `gmax` of
        every topic. Other values, such as magnitudes, differ in size from topic to topic. If their `gmax`
        were the largest value in the file, one topic would decide the score. The result is false for NaN,
        which marks a document without a judged value. All results are false if `needs_whole_gains` is false.
        """
        if not self.needs_whole_gains:
            return np.zeros(values.shape, dtype=np.bool_)
        not_whole: BoolArray = ~np.isnan(values) & (np.floor(values) != values)
        return not_whole

    @property
    def needs_whole_gains(self) -> bool:
        """Whether all judged values must be whole numbers, as `unscaled` explains.

        This is false if the measure has no parameter `gmax`, if `gmax` is set, if the gains are binary, or if
        `stop` is `"share"`. It is also false for written schemes, which list their gains.
        """
        parameters = self.parameters
        is_open = "gmax" in parameters and parameters["gmax"] is None and not self._is_binary
        is_open = is_open and parameters.get("stop") != "share"  # here gmax is the topic's largest gain
        return is_open and not is_written(parameters.get("gain", "linear"))

    @property
    def summary(self) -> Summary:
        """How the topics' values become one value: `"mean"`, `"sum"`, or `"exp_mean"` for logarithms."""
        if self.definition.is_logarithm:
            return "exp_mean"
        return "sum" if self.parameters.get("over_topics") == "sum" else "mean"

    def over_topics(self, values: FloatArray) -> float:
        """Return the value over all topics, from `values` (topics,). Return NaN if all values are NaN.

        Topics whose value is NaN are left out.
        """
        known = values[~np.isnan(values)]
        if not len(known):
            return math.nan
        if self.summary == "sum":
            return float(np.sum(known))
        mean = mean_over_topics(known)
        return math.exp(mean) if self.summary == "exp_mean" else mean

    def depends_on_size(self, values: FloatArray) -> bool:
        """Return whether these judged values are no grades, but the measure is a form of ERR for grades.

        In this form, a document whose gain is 10 below `gmax` stops one reader in 1,000. Of magnitudes, that
        leaves little more than the largest of each topic.
        """
        parameters = self.parameters
        if parameters.get("stop") != "exp":
            return False
        gmax = parameters["gmax"]
        if isinstance(gmax, int | float):
            return gmax > MOST_GRADES
        known = values[~np.isnan(values)]
        return bool((known > MOST_GRADES).any() or (np.floor(known) != known).any())

    def for_magnitudes(self) -> "Measure":
        """Return the form of the measure for gains that are not grades.

        ERR and nERR use `stop="share"`. Measures without this parameter use `gmax="topic"`.
        """
        kept = tuple(pair for pair in self.given if pair[0] not in ("gmax", "stop"))
        chosen = ("stop", "share") if "stop" in self.definition.defaults else ("gmax", "topic")
        return Measure(self.name, (*kept, chosen), self.cutoff)

    def forms_by_topic(self) -> str:
        """Return the forms of a measure without `gmax` that use the largest gain of each topic."""
        by_topic = Measure(self.name, (*self.given, ("gmax", "topic")), self.cutoff)
        return ", ".join(dict.fromkeys(map(str, (self.for_magnitudes(), by_topic))))

    def inputs(self, lists: RankedLists) -> tuple[RankedLists, dict[str, Any]]:
        """Return the arguments of the formula: the lists and the parameters.

        With `adjust="agr"`, the lists have adjusted gains. Raise `InputError` if `gmax` is needed but
        missing.
        """
        parameters = self.parameters
        if "gmax" in parameters and parameters["gmax"] is None:
            if (unscaled := self.unscaled(lists.gain)).any():
                raise InputError(
                    "gains-need-gmax",
                    "the gain {value} is not a whole number, so {measure} needs gmax; write it in one of "
                    "these forms, which use the largest gain of each topic: {forms}",
                    value=f"{lists.gain[unscaled][0]:g}",
                    measure=str(self),
                    forms=self.forms_by_topic(),
                )
            parameters["gmax"] = "topic" if parameters.get("stop") == "share" else "file"
        if parameters.pop("adjust", "none") == "agr":
            lists = lists.adjusted(parameters.get("gain", "linear"), parameters.get("rel"))
            if "gain" in parameters:
                parameters["gain"] = "linear"  # no scheme applies to gains that are already adjusted
        return lists, parameters

    def empty(self, lists: RankedLists) -> BoolArray:
        """Return which topics are empty (topics,): too few judged documents are relevant, or none has a gain.

        Measures with the parameter q need q relevant documents. All other measures that count relevant
        documents need one. With `topics="judged"`, a measure that counts documents of any relevance has a
        value for every topic.
        """
        parameters = self.parameters
        if self.counts == "documents":
            left_out: BoolArray = (lists.recall(None) < 1) & (parameters["topics"] == "relevant")
            return left_out
        if self.counts == "relevant":
            too_few: BoolArray = lists.recall(parameters["rel"]) < parameters.get("q", 1)
            return too_few
        return lacks_gain(lists.ideal(parameters.get("gain", "linear")))


def _refuse_name(name: str) -> NoReturn:
    if near := nearest_name(name, [*DEFINITIONS, *NAMED_SETS]):
        raise InputError(
            "misspelt-measure",
            "there is no measure named {measure}; did you mean {near}?",
            measure=shown(name),
            near=near,
        )
    raise InputError(
        "unknown-measure",
        "there is no measure named {measure}; choose from {known}",
        measure=shown(name),
        known=", ".join(DEFINITIONS),
    )


def _refuse_parameter(measure: str, name: str, known: tuple[str, ...]) -> NoReturn:
    if near := nearest_name(name, known):
        raise InputError(
            "misspelt-parameter",
            "{measure} has no parameter {parameter}; did you mean {near}?",
            measure=measure,
            parameter=shown(name),
            near=near,
        )
    if not known:
        raise InputError(
            "parameter-of-plain-measure",
            "{measure} has no parameters; leave {parameter} out",
            measure=measure,
            parameter=shown(name),
        )
    raise InputError(
        "unknown-parameter",
        "{measure} has no parameter {parameter}; choose from {known}",
        measure=measure,
        parameter=shown(name),
        known=", ".join(known),
    )


def not_a_measure(value: object) -> InputError:
    """Return the error for a value that is neither a measure nor text."""
    return InputError(
        "measure-not-text",
        "a measure cannot be read from {type}; write its name, such as nDCG@10",
        type=type(value).__name__,
    )
