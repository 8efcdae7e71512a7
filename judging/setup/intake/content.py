"""The content of a study file, which Plumbline reads completely before it writes to the database."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.conventions import Design
from evaluation.parsing.judgment_table import JudgmentTable
from evaluation.runs import Run as RunFrame
from judging.core.documents.citations import SourceText
from judging.core.faults import Where
from judging.protocol.anchor_pairs import PAIRS, Anchor, anchors_of
from judging.protocol.grades import GAINS
from judging.protocol.words import Sentence


@dataclass(frozen=True)
class DocumentContent:
    id: str
    title: str
    text: str
    where: Where
    layout: str = ""
    """How the document's line breaks are shown. If empty, the study's layout applies."""
    markup: str = ""
    """The markup of the text. If empty, the study's markup applies."""
    sources: tuple[SourceText, ...] = ()
    """The sources that the document cites, if it is an answer."""


@dataclass(frozen=True)
class PictureContent:
    """A picture that documents show. Its bytes are read again when they are stored."""

    name: str
    path: Path
    sha256: str
    where: Where
    """The first document that shows it."""


@dataclass(frozen=True)
class QuestionContent:
    text: str
    options: list[str]
    right_option: int


@dataclass
class TopicContent:
    """A topic with its question, its pool and its anchors. The pool includes the anchors.

    `named` holds the anchors that an `[[anchor]]` table names. Other anchors are drawn at random, or come
    from a frozen pool or from the judgments file.
    """

    number: str
    title: str
    description: str
    narrative: str
    where: Where
    question: QuestionContent | None = None
    question_where: Where | None = None
    pool: set[str] = field(default_factory=set)
    anchors: dict[Anchor, str] = field(default_factory=dict)
    named: dict[Anchor, str] = field(default_factory=dict)
    anchor_where: Where | None = None
    anchor_reason: str = ""
    anchor_warnings: list[Sentence | str] = field(default_factory=list)


@dataclass(frozen=True)
class KnownValue:
    """A grade as written in its file, and its level. The level is None if the study ignores the grade."""

    value: str
    level: str | None


@dataclass(frozen=True)
class GradeSetContent:
    """A set of known grades. `grades` maps a topic's number to a dict from document id to grade.

    `unlisted` is the level of pooled documents that the set does not list, or None.
    """

    name: str
    where: Where
    grades: dict[str, dict[str, KnownValue]]
    unlisted: str | None = None

    def level(self, topic: str, document: str) -> str | None:
        """Return the level of a pooled document, or `unlisted` if the set does not list the document."""
        known = self.grades.get(topic, {}).get(document)
        return known.level if known else self.unlisted


@dataclass(frozen=True)
class RunContent:
    """A run, restricted to the study's topics."""

    frame: RunFrame
    where: Where

    @property
    def tag(self) -> str:
        return self.frame.tag


class Chance(NamedTuple):
    """The chance of a document to be sampled, and whether it was. `draw` is the draw's number, or None."""

    inclusion: float
    sampled: bool
    draw: int | None


@dataclass(frozen=True)
class DrawContent:
    """The settings of a draw: see the model `SampleDraw`."""

    number: int
    design: Design
    budget: int
    seed: int
    measure: str
    depth: int


@dataclass
class StudyContent:
    """The content of a study.

    `fields` maps the names of settings to their values, and `where` maps the names to their places in the
    study file. `judgments` is None unless the study is for analysis. `documents` holds the pooled documents,
    and `pictures` holds their pictures by name. `documents_read` counts all documents, and `first_read` holds
    the first few. `left_out` holds the numbers of topics that are in a topic file but not in the study.
    `has_all_topics` is false if a topic could not be read. The other files are then not checked against the
    topics. `chances` maps each pooled document, as a pair of topic and document, to its chance to be sampled,
    and `draw` is the draw that gave the chances of the new documents. Without a sample, and as long as there
    are faults, both are empty.
    """

    file: Where
    fields: dict[str, Any]
    where: dict[str, Where]
    topics: list[TopicContent] = field(default_factory=list)
    documents: dict[str, DocumentContent] = field(default_factory=dict)
    pictures: dict[str, PictureContent] = field(default_factory=dict)
    grade_sets: list[GradeSetContent] = field(default_factory=list)
    runs: list[RunContent] = field(default_factory=list)
    sections: dict[str, Where] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)
    notices: list[Sentence | str] = field(default_factory=list)
    judgments: JudgmentTable | None = None
    documents_read: int = 0
    first_read: list[DocumentContent] = field(default_factory=list)
    has_all_topics: bool = True
    chances: dict[tuple[str, str], Chance] = field(default_factory=dict)
    draw: DrawContent | None = None

    @property
    def is_sampled(self) -> bool:
        """Return whether only a sample of the pools is judged."""
        return self.fields["sample_budget"] is not None

    @property
    def pairs(self) -> tuple[tuple[Anchor, Anchor], ...]:
        """Return the pairs of anchors that each topic needs."""
        return PAIRS[: self.fields["anchor_pairs"]]

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """Return the anchors that each topic needs, pair by pair."""
        return anchors_of(self.fields["anchor_pairs"])

    def grades_of_anchor(self, topic: str, document: str) -> dict[str, str]:
        """Return the level of an anchor in each grade set, as a dict from the set's name to the level.

        Leave out sets whose levels are numbers, and sets that give the anchor no level. The study's first set
        is an exception: if it grades documents of the topic but gives the anchor no level, its entry is "".
        """
        levels = {
            grades.name: grades.level(topic, document) or ""
            for grades in self.grade_sets
            if topic in grades.grades
        }
        is_first = {grades.name: place == 0 for place, grades in enumerate(self.grade_sets)}
        return {
            name: level for name, level in levels.items() if level in GAINS or (not level and is_first[name])
        }

    def is_graded(self, topic: str) -> bool:
        """Return whether any set of known grades lists documents of the topic."""
        return any(topic in grades.grades for grades in self.grade_sets)

    def grade(self, topic: str, document: str) -> str | None:
        """Return the document's level in the first grade set, or None.

        The pool stores this level as the document's grade.
        """
        return self.grade_sets[0].level(topic, document) if self.grade_sets else None


@dataclass(frozen=True)
class FrozenPool:
    """The stored documents and anchors of a topic that workers may have seen.

    Without a sample, the pool can no longer change. With a sample, later runs can still add documents.
    `chances` maps each document to its chance to be sampled.
    """

    documents: frozenset[str]
    anchors: Mapping[Anchor, str]
    chances: Mapping[str, Chance]


FrozenPools = Mapping[str, FrozenPool]
"""Maps a topic's number to its pool, for each topic that workers may have seen."""
