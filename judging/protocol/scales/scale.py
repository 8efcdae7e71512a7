"""How to declare a scale: its words, its bounds, and how workers judge on it."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Literal, Protocol

from judging.protocol.words import Sentence

AnchorOrder = Literal["ordered", "tied", "inverted"]


def anchor_order(high: float, low: float) -> AnchorOrder:
    """Return how the numbers of the H anchor (`high`) and of the N anchor (`low`) compare."""
    if high > low:
        return "ordered"
    return "tied" if high == low else "inverted"


class Typed(Protocol):
    """The text that a worker typed, as the scale reads it.

    `value` is None if the text is not valid. Then, `fault` is the key of the error message in `message`.
    """

    @property
    def text(self) -> str:
        """The text as typed."""

    @property
    def value(self) -> float | None:
        """The number, or None."""

    @property
    def fault(self) -> str | None:
        """The key of the error message, or None."""

    @property
    def message(self) -> Sentence | None:
        """The error message for the worker, or None."""

    @property
    def echo(self) -> str:
        """How Plumbline reads the number, or "" if the text shows it already."""


class Parse(Protocol):
    """A function that reads what a worker typed."""

    def __call__(self, text: str, *, with_fractions: bool = True, mark: str = ".") -> Typed:
        """Return the text as the scale reads it. `mark` is the decimal mark in what the worker reads."""


class Write(Protocol):
    """A function that writes a number as a person would type it."""

    def __call__(self, value: float, rng: Random, *, comma: bool) -> str:
        """Return the text for an opinion, which is a positive number. If `comma` is true, use a comma."""


@dataclass(frozen=True)
class Judging:
    """How workers judge on a scale.

    `field` is the template of the field, and `parse` reads the answer. `instructions` are the settings with
    the texts that explain the scale. `practice` is the letter of the check that teaches it, or "".
    `compare` says whether the anchors are in order. `write` turns the opinion of a simulated worker into an
    answer. `examples` are the answers in previews for the anchors H and N, and for other documents ("").
    """

    field: str
    parse: Parse
    instructions: tuple[str, ...]
    practice: str
    write: Write
    examples: dict[str, str]
    compare: Callable[[float, float], AnchorOrder] = anchor_order


@dataclass(frozen=True)
class Words:
    """What pages say of the numbers.

    `number` heads a column, `numbers` a section, and `normalised` an axis. `documents` says what the list of
    documents shows, and `disagreement` explains its column. `invalid` is the fault of a number in a file,
    with `{value}`. `alpha` is the template of the sentence on agreement. `file_only` refuses a study in which
    workers would judge on a scale without `judging`.
    """

    description: str
    number: str
    numbers: str
    normalised: str
    documents: str
    disagreement: str
    invalid: str
    alpha: str = "understanding/_alpha_of_numbers.html"
    file_only: str = ""


@dataclass(frozen=True)
class Scale:
    """A kind of number that judgments have.

    `name` is the value of the setting `scale`. `library` is the name of the scale in `evaluation`, which
    declares how to normalise the numbers and to compute gains. `has_ratios` says whether ratios and
    logarithms of the numbers have a meaning, and charts have `axis`. `judging` is None if the judgments can
    come only from a file.
    """

    name: str
    library: str
    words: Words
    smallest: float
    largest: float
    has_ratios: bool
    axis: Literal["log", "linear"]
    judging: Judging | None = None

    def holds(self, value: float) -> bool:
        """Return whether a number is on the scale. NaN and infinity are not."""
        return self.smallest <= value <= self.largest
