"""How to declare a check: its input, its outcome, and the facts that are recorded if it fails."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec, Protocol

from judging.protocol.words import Sentence

Inputs = ParamSpec("Inputs")
FactValue = float | str | None


@dataclass(frozen=True)
class Fact:
    """A value that is recorded in the event for a failed check. `name` is the name of the event's field.

    `options` are all the strings that the field can contain. `words` turns a value into a sentence.
    """

    name: str
    type: type[int] | type[float] | type[str]
    meaning: str
    words: Callable[[Any], Sentence]
    unit: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """The outcome of a check. `facts` maps the name of each declared fact to the value of the fact."""

    passed: bool
    facts: Mapping[str, FactValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Check(Generic[Inputs]):
    """A check of the protocol.

    `heading` is "(LETTER) Name". `failed` is the label for the number of failures, such as "units that failed
    the anchor check". `event` is the kind of event that is recorded for a failure, and `event_words` says
    this kind in words.
    """

    letter: str
    heading: str
    failed: str
    event: str
    verdict: Callable[Inputs, Finding]
    facts: tuple[Fact, ...] = ()
    event_words: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not self.event_words:
            object.__setattr__(self, "event_words", self.event.replace("_", " "))

    @property
    def name(self) -> str:
        """Return the heading without its letter, as the documentation writes it."""
        return self.heading.removeprefix(f"({self.letter}) ")


@dataclass(frozen=True)
class Observation:
    """The data that the checks need about a document. `anchor` is an `Anchor` or, for other documents, "".

    If the worker compared the document with another one, `compared_with` is the anchor of the other one.
    """

    anchor: str
    number: float
    seconds: float
    compared_with: str = ""


@dataclass(frozen=True)
class FinishedUnit:
    """The data that the checks need about a unit.

    `earlier` holds the numbers of each failed attempt, in the order of the documents. `is_timed` says whether
    the time for which a document was open shows whether the judge read it; see `JudgeKind`.
    """

    documents: Sequence[Observation]
    earlier: Sequence[Sequence[float]] = ()
    is_timed: bool = True

    @property
    def numbers(self) -> list[float]:
        return [document.number for document in self.documents]

    def magnitude_of(self, anchor: str) -> float:
        """Return the number of an anchor. Raise ValueError unless the unit has exactly one such anchor."""
        (number,) = (document.number for document in self.documents if document.anchor == anchor)
        return number

    def points_between(self, anchor: str, other: str) -> float:
        """Return the number of an anchor in its pair with another anchor, whichever of them came first.

        It is 1 if the worker preferred `anchor`, 0 if the worker preferred `other`, and 0.5 for a tie. Raise
        ValueError unless the unit has exactly one such pair.
        """
        (points,) = (
            document.number if document.anchor == anchor else 1 - document.number
            for document in self.documents
            if {document.anchor, document.compared_with} == {anchor, other}
        )
        return points


class Settings(Protocol):
    """The settings that the checks read from a study. Each property has the name of its setting."""

    @property
    def scale(self) -> str: ...

    @property
    def seconds_per_document(self) -> float: ...

    @property
    def anchor_pairs(self) -> int: ...

    @property
    def anchor_ties(self) -> str: ...

    @property
    def failure_message(self) -> str: ...


@dataclass(frozen=True, eq=False)
class Told:
    """What a worker reads if a check failed: what is wrong, and what to do about it."""

    fault: Callable[[Settings], Sentence]
    remedy: Sentence


@dataclass(frozen=True)
class UnitCheck(Check[[FinishedUnit, Settings]]):
    """A check at the end of a unit.

    `told` says what workers read if only this check failed. It is None for a check that pages never name.
    """

    told: Told | None = None
