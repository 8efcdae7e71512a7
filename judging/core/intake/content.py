"""A study as its file describes it: everything that will be written, before anything is written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from evaluation.frames import Run as RunFrame
from judging.core.intake.faults import Where
from judging.protocol.states import Grade

Thing = TypeVar("Thing")
ANCHORS = (Grade.H, Grade.N)


@dataclass(frozen=True)
class DocumentContent:
    id: str
    title: str
    text: str
    where: Where
    layout: str = ""
    """How its line breaks are shown; empty: as the study says."""


@dataclass(frozen=True)
class QuestionContent:
    text: str
    options: list[str]
    right_option: int


@dataclass
class TopicContent:
    """A topic with all that belongs to it; `pool` holds the anchors too.

    `named` are the anchors that its `[[anchor]]` names; one that it does not name is drawn.
    """

    number: str
    title: str
    description: str
    narrative: str
    where: Where
    question: QuestionContent | None = None
    question_where: Where | None = None
    pool: set[str] = field(default_factory=set)
    anchors: dict[Grade, str] = field(default_factory=dict)
    named: dict[Grade, str] = field(default_factory=dict)
    anchor_where: Where | None = None
    anchor_reason: str = ""
    anchor_warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class KnownValue:
    """A grade as its file gives it, and the level that it stands for; None: the study drops it."""

    value: str
    level: Grade | None


@dataclass(frozen=True)
class GradeSetContent:
    """`grades`: topic number → document id → value, for the topics of the study alone."""

    name: str
    where: Where
    grades: dict[str, dict[str, KnownValue]]
    unlisted: Grade | None = None

    def level(self, topic: str, document: str) -> Grade | None:
        """The level of a pool document: as listed, else that of the unlisted ones."""
        known = self.grades.get(topic, {}).get(document)
        return known.level if known else self.unlisted


@dataclass(frozen=True)
class RunContent:
    """A run, cut to the topics of the study."""

    frame: RunFrame
    where: Where

    @property
    def tag(self) -> str:
        return self.frame.tag


@dataclass
class StudyContent:
    """`fields` are those of the model, by name; `where` gives the line of each that the file names.

    `documents` are those of the pools; `documents_read` counts all that were read, of which `first_read`
    shows the first few. `left_out`: numbers of topics that a file holds and the study does not take.
    """

    file: Where
    fields: dict[str, Any]
    where: dict[str, Where]
    topics: list[TopicContent] = field(default_factory=list)
    documents: dict[str, DocumentContent] = field(default_factory=dict)
    grade_sets: list[GradeSetContent] = field(default_factory=list)
    runs: list[RunContent] = field(default_factory=list)
    sections: dict[str, Where] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)
    notices: list[str] = field(default_factory=list)
    documents_read: int = 0
    first_read: list[DocumentContent] = field(default_factory=list)

    def grades_of_anchor(self, topic: str, document: str) -> dict[str, str]:
        """Return set of grades → its grade of an anchor: of the first set, and of others that have one."""
        sets = [one for one in self.grade_sets if topic in one.grades]
        found = {one.name: one.level(topic, document) or "" for one in sets}
        return {name: level for name, level in found.items() if level or name == self.grade_sets[0].name}

    def grade(self, topic: str, document: str) -> Grade | None:
        """The document's level in the first set, the one that grades the pool."""
        return self.grade_sets[0].level(topic, document) if self.grade_sets else None


@dataclass(frozen=True)
class FrozenPool:
    """The documents and the anchors of a topic that may no longer change."""

    documents: frozenset[str]
    anchors: Mapping[Grade, str]


FrozenPools = Mapping[str, FrozenPool]
"""Topic number → its pool, for topics that may no longer change."""


class Progress(Protocol):
    """Called as tqdm is: gives the things back one by one and shows how far it is."""

    def __call__(
        self, things: Iterable[Thing], /, *, desc: str, unit: str, total: int | None = None
    ) -> Iterable[Thing]: ...


def no_progress(
    things: Iterable[Thing], /, *, desc: str, unit: str, total: int | None = None
) -> Iterable[Thing]:
    return things
