"""Which documents stand in each topic's pool, and which two of them are its anchors."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from judging.core.intake.content import ANCHORS, FrozenPools, StudyContent, TopicContent
from judging.core.intake.faults import Faults, Where
from judging.protocol.anchor_grades import anchor_warning
from judging.protocol.planning import draw_anchors
from judging.protocol.states import Grade


@dataclass
class PoolSources:
    """Where pools come from: by name (a run's tag, or the one explicit list), topic → document → its line."""

    by_depth: bool
    documents: dict[str, dict[str, dict[str, Where]]] = field(default_factory=dict)

    def of(self, topic: str) -> dict[str, set[str]]:
        """Name of the source → the documents that it gives to the topic."""
        return {name: set(topics.get(topic, ())) for name, topics in self.documents.items()}

    def union(self, topic: str) -> set[str]:
        return set().union(*self.of(topic).values())

    def where(self, topic: str, document: str) -> Where | None:
        """The first line that puts the document into the topic's pool."""
        lines = (topics.get(topic, {}).get(document) for topics in self.documents.values())
        return next(filter(None, lines), None)


class PoolMaker:
    """Fills the pools of a study's topics.

    First `wanted` says which documents are worth keeping from the stream; when their texts are known, `fill`
    settles pools and anchors. `skipped` are documents without a text that the collection is known to have.
    """

    def __init__(
        self, content: StudyContent, sources: PoolSources, frozen: FrozenPools, faults: Faults
    ) -> None:
        self._content = content
        self._sources = sources
        self._frozen = frozen
        self._faults = faults

    def wanted(self) -> set[str]:
        """All pooled documents, named anchors, and, where the pool may lack a grade, what could be drawn."""
        wanted: set[str] = set()
        for topic in self._content.topics:
            pool = self._sources.union(topic.number)
            wanted |= pool
            given = self._given(topic)
            wanted |= set(given.values())
            for grade in ANCHORS:
                pooled = any(self._content.grade(topic.number, document) == grade for document in pool)
                if grade not in given and not pooled:
                    wanted |= self._graded(topic.number, grade)
        return wanted

    def fill(self, skipped: set[str], textless: Mapping[str, Where], *, read: bool, graded: bool) -> None:
        """Settle every topic.

        `read` and `graded`: the documents and the grades could be read whole, so what is missing is a fault
        of its own and not the consequence of another. `textless` documents have no text, on these lines.
        """
        foreign = self._foreign(skipped | textless.keys()) if read else set()
        for topic in self._content.topics:
            topic.pool = self._pool(topic, skipped)
            self._settle_anchors(topic, told=read and graded)
            self._miss(topic, textless, foreign, read=read)
        pooled = set().union(*(topic.pool for topic in self._content.topics))
        present = self._content.documents
        self._content.documents = {one: present[one] for one in sorted(pooled) if one in present}

    def _foreign(self, known: set[str]) -> set[str]:
        """What comes from runs and lists none of whose documents is in the collection: one fault for each.

        A run over another collection would otherwise be told document by document.
        """
        here: set[str] = self._content.documents.keys() | known
        foreign: set[str] = set()
        for topics in self._sources.documents.values():
            lines = {document: where for found in topics.values() for document, where in found.items()}
            if len(lines) > 1 and not lines.keys() & here:
                where = Where(next(iter(lines.values())).file, 1)
                what = (
                    f"none of the {len(lines)} documents that it gives to the pools is in the documents;"
                    " it seems to be of another collection: take it out, or add its documents"
                )
                self._faults.add(where, "document", what, like="not in the documents")
                foreign |= lines.keys()
        return foreign

    def _pool(self, topic: TopicContent, skipped: set[str]) -> set[str]:
        """The topic's pool; of a topic that is frozen, what the sources that made it still give.

        A run that is new to the study would add documents to a frozen pool: it is evaluated and adds none.
        """
        lists = {name: documents - skipped for name, documents in self._sources.of(topic.number).items()}
        frozen = self._frozen.get(topic.number)
        if frozen is not None and self._sources.by_depth:
            outside = set().union(*lists.values()) - frozen.documents
            lists = {name: documents for name, documents in lists.items() if documents <= frozen.documents}
            if outside:
                self._content.notices.append(
                    f"topic {topic.number}: its pool stays as it is; {len(outside)} documents of runs that"
                    " came later are not in it."
                )
        return set().union(*lists.values())

    def _given(self, topic: TopicContent) -> dict[Grade, str]:
        """The anchors that are not drawn: those a topic has had since it was shown, or those named."""
        frozen = self._frozen.get(topic.number)
        return {**(frozen.anchors if frozen else {}), **topic.named}

    def _settle_anchors(self, topic: TopicContent, *, told: bool) -> None:
        given = self._given(topic)
        candidates: dict[str, dict[str, int]] = {}
        for grade in ANCHORS:
            found = {given[grade]} if grade in given else self._candidates(topic, grade, set(given.values()))
            present = self._content.documents
            words = {one: len(present[one].text.split()) for one in found if one in present}
            if words:
                candidates[grade] = words
            elif told and grade not in given:
                what = f"topic {topic.number} has no {grade} document to draw"
                what += "; grade one, or name one and give the reason"
                self._faults.add(topic.where, f"anchor.{grade}", what)
        drawn = draw_anchors(candidates, seed=self._content.fields["seed"], topic_number=topic.number)
        anchors = {**{Grade(grade): document for grade, document in drawn.items()}, **given}
        topic.anchors = {grade: anchors[grade] for grade in ANCHORS if grade in anchors}
        topic.pool |= set(topic.anchors.values())
        self._warn(topic)

    def _warn(self, topic: TopicContent) -> None:
        """Say which anchors known grades disagree with; a topic without grades has none that could."""
        for grade, document in topic.anchors.items():
            warning = anchor_warning(
                topic=topic.number,
                anchor=grade.value,
                document=document,
                graded=self._content.grades_of_anchor(topic.number, document),
                reason=topic.anchor_reason,
            )
            if warning is not None:
                topic.anchor_warnings.append(str(warning))
        self._content.notices += topic.anchor_warnings

    def _candidates(self, topic: TopicContent, grade: Grade, taken: set[str]) -> set[str]:
        """The documents to draw from: pooled ones of the grade, else all of the topic that have a text."""
        pooled = {one for one in topic.pool if self._content.grade(topic.number, one) == grade}
        present = self._content.documents.keys()
        return (pooled & present) - taken or (self._graded(topic.number, grade) & present) - taken

    def _graded(self, topic: str, grade: Grade) -> set[str]:
        if not self._content.grade_sets:
            return set()
        listed = self._content.grade_sets[0].grades.get(topic, {})
        return {document for document, known in listed.items() if known.level == grade}

    def _miss(
        self, topic: TopicContent, textless: Mapping[str, Where], foreign: set[str], *, read: bool
    ) -> None:
        for document in sorted(topic.pool - self._content.documents.keys() - foreign):
            if document in textless:
                what = f"document {document} has none; give it a text or take it out of the pool"
                self._faults.add(textless[document], "text", what, like="no text")
            elif read:
                where = self._sources.where(topic.number, document) or topic.anchor_where or topic.where
                what = f"{document}, pooled for topic {topic.number}, is not in the documents; add it there"
                self._faults.add(where, "document", what, like="not in the documents")
