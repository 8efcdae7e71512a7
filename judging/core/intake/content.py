"""The content of a study file. It is read completely before anything is written to the database."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from evaluation.frames import Run as RunFrame
from judging.core.intake.faults import Where
from judging.protocol.states import Grade
from judging.protocol.words import Sentence

Thing = TypeVar("Thing")
ANCHORS = (Grade.H, Grade.N)


@dataclass(frozen=True)
class DocumentContent:
    id: str
    title: str
    text: str
    where: Where
    layout: str = ""
    """How the document's line breaks are shown. If empty, the study's layout applies."""


@dataclass(frozen=True)
class QuestionContent:
    text: str
    options: list[str]
    right_option: int


@dataclass
class TopicContent:
    """A topic with its question, its pool and its anchors. The pool includes the anchors.

    `named` has the anchors that an `[[anchor]]` table names. The others are drawn.
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
    anchor_warnings: list[Sentence | str] = field(default_factory=list)


@dataclass(frozen=True)
class KnownValue:
    """A grade as it is written in its file, and its level.

    The level is None if the study ignores the grade.
    """

    value: str
    level: Grade | None


@dataclass(frozen=True)
class GradeSetContent:
    """A set of known grades.

    `grades` maps the number of each of the study's topics to a dict from document id to value.
    """

    name: str
    where: Where
    grades: dict[str, dict[str, KnownValue]]
    unlisted: Grade | None = None

    def level(self, topic: str, document: str) -> Grade | None:
        """Return the level of a pooled document.

        If the file does not list it, use the level for unlisted ones.
        """
        known = self.grades.get(topic, {}).get(document)
        return known.level if known else self.unlisted


@dataclass(frozen=True)
class RunContent:
    """A run with only the topics of the study."""

    frame: RunFrame
    where: Where

    @property
    def tag(self) -> str:
        return self.frame.tag


@dataclass
class StudyContent:
    """A study. `fields` has the settings by name; `where` has the lines of those in the file.

    `documents` are the pooled documents. `documents_read` counts all documents, and `first_read` has the
    first few. `left_out` has the numbers of topics that are in a file but not in the study.
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
    notices: list[Sentence | str] = field(default_factory=list)
    documents_read: int = 0
    first_read: list[DocumentContent] = field(default_factory=list)

    def grades_of_anchor(self, topic: str, document: str) -> dict[str, str]:
        """Return a dict from the name of each set of grades to its grade for an anchor.

        The first set is always included, the others only if they have a grade for the document.
        """
        levels = {
            grades.name: grades.level(topic, document) or ""
            for grades in self.grade_sets
            if topic in grades.grades
        }
        return {name: level for name, level in levels.items() if level or name == self.grade_sets[0].name}

    def grade(self, topic: str, document: str) -> Grade | None:
        """Return the document's level in the first set, which grades the pool, or None if it has no grade."""
        return self.grade_sets[0].level(topic, document) if self.grade_sets else None


@dataclass(frozen=True)
class FrozenPool:
    """The documents and anchors of a topic that can no longer change."""

    documents: frozenset[str]
    anchors: Mapping[Grade, str]


FrozenPools = Mapping[str, FrozenPool]
"""Maps the number of each topic that can no longer change to its pool."""


class Progress(Protocol):
    """A progress bar with tqdm's interface: yields the things one by one."""

    def __call__(
        self, things: Iterable[Thing], /, *, desc: str, unit: str, total: int | None = None
    ) -> Iterable[Thing]: ...


def no_progress(
    things: Iterable[Thing], /, *, desc: str, unit: str, total: int | None = None
) -> Iterable[Thing]:
    return things
