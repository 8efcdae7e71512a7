"""How a check is declared: what it sees, what it finds, and what the admins of a study may see of that."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec, Protocol

Seen = ParamSpec("Seen")
FactValue = float | str | None


@dataclass(frozen=True)
class Fact:
    """What the event of a failed check tells besides the check: a field of the event, of the same name.

    `options` are all the texts that it may be; `words` tells a value, of that type, to people.
    """

    name: str
    type: type[int] | type[float] | type[str]
    meaning: str
    words: Callable[[Any], str]
    unit: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """The outcome of a check; `facts` are values of the facts that the check declares, by name."""

    passed: bool
    facts: Mapping[str, FactValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Check(Generic[Seen]):
    """A check of the protocol. `event` is the kind of the events of its failures.

    `failed` says what a share of its failures counts, as in "units that failed the anchors".
    """

    letter: str
    name: str
    failed: str
    event: str
    verdict: Callable[Seen, Finding]
    facts: tuple[Fact, ...] = ()

    @property
    def heading(self) -> str:
        return f"({self.letter}) {self.name}"


@dataclass(frozen=True)
class Observation:
    """What the checks see of one document: its anchor ("H", "N" or ""), magnitude and seconds."""

    anchor: str
    magnitude: float
    seconds: float


@dataclass(frozen=True)
class FinishedUnit:
    """What the checks see of a unit. `earlier` are the magnitudes of each failed try, in the same order."""

    documents: Sequence[Observation]
    earlier: Sequence[Sequence[float]] = ()

    @property
    def magnitudes(self) -> list[float]:
        return [document.magnitude for document in self.documents]

    def magnitude_of(self, anchor: str) -> float:
        """Return the magnitude of the anchor "H" or "N". Raises ValueError unless there is exactly one."""
        (magnitude,) = (document.magnitude for document in self.documents if document.anchor == anchor)
        return magnitude


class Settings(Protocol):
    """The settings of a study that the checks read, under the keys of the settings."""

    @property
    def seconds_per_document(self) -> float: ...

    @property
    def anchor_ties(self) -> str: ...


class UnitCheck(Check[[FinishedUnit, Settings]]):
    """A check at the end of a unit."""
