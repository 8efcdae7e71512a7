"""Make the pool of each topic, and choose the topic's anchors, which are documents in the pool."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from judging.core.documents.plain import count_words
from judging.core.faults import Faults, Where
from judging.protocol.anchor_grades import anchor_warning
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.anchor_proposals import favour_warning
from judging.protocol.planning import draw_anchors
from judging.protocol.states import Grade
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import FrozenPools, StudyContent, TopicContent

_MOST_NAMED: Final = 20
"""The maximum number of topics that a fault names."""


@dataclass
class PoolSources:
    """The runs or the pool file from which the pools are made. `depth` is None for a pool file.

    `documents[name][topic][document]` is the line that contains the document. `name` is the name of a source:
    the tag of a run, or "list" for a pool file.
    """

    depth: int | None = None
    documents: dict[str, dict[str, dict[str, Where]]] = field(default_factory=dict)

    def documents_by_source(self, topic: str) -> dict[str, set[str]]:
        """Return a dict from each source's name to the documents that the source adds to a topic's pool."""
        return {name: set(topics.get(topic, ())) for name, topics in self.documents.items()}

    def union(self, topic: str) -> set[str]:
        return set().union(*self.documents_by_source(topic).values())

    def where(self, topic: str, document: str) -> Where | None:
        """Return the first line that adds the document to the topic's pool."""
        lines = (topics.get(topic, {}).get(document) for topics in self.documents.values())
        return next(filter(None, lines), None)


class PoolMaker:
    """Fills the pools of a study's topics and chooses their anchors.

    Call `wanted` for the ids of the documents to keep, read these documents, then call `fill`.
    """

    def __init__(
        self, content: StudyContent, sources: PoolSources, frozen: FrozenPools, faults: Faults
    ) -> None:
        self._content = content
        self._sources = sources
        self._frozen = frozen
        self._faults = faults

    def wanted(self) -> set[str]:
        """Return the ids of pooled documents, named anchors, and documents that could be drawn as anchors."""
        wanted: set[str] = set()
        for topic in self._content.topics:
            pool = self._sources.union(topic.number)
            wanted |= pool
            fixed = self._fixed_anchors(topic)
            wanted |= set(fixed.values())
            to_draw = Counter(anchor.grade for anchor in self._content.anchors if anchor not in fixed)
            grades = [self._content.grade(topic.number, document) for document in pool - set(fixed.values())]
            for grade, number in to_draw.items():
                if grades.count(grade) < number:
                    wanted |= self._graded(topic.number, grade)
        return wanted

    def fill(self, skipped: set[str], textless: Mapping[str, Where], *, read: bool, graded: bool) -> None:
        """Set the pool and the anchors of every topic.

        `skipped` and `textless` come from `DocumentStream`, which describes them. `read` says whether the
        documents were read without faults, and `graded` says the same about the grades. If `read` is false,
        missing documents cause no further faults. If either is false, missing anchors cause no further
        faults.
        """
        foreign = self._foreign(skipped | textless.keys()) if read else set()
        undrawn: list[TopicContent] = []
        for topic in self._content.topics:
            topic.pool = self._pool(topic, skipped)
            missing = self._set_anchors(topic)
            if missing and read and graded:
                if self._content.is_graded(topic.number):
                    self._add_missing_anchors(topic, missing)
                else:
                    undrawn.append(topic)
            self._add_missing(topic, textless, foreign, read=read)
        self._add_undrawn(undrawn)
        pooled = set().union(*(topic.pool for topic in self._content.topics))
        present = self._content.documents
        self._content.documents = {
            document: present[document] for document in sorted(pooled) if document in present
        }

    def _foreign(self, known: set[str]) -> set[str]:
        """Return the documents of foreign sources.

        A source is foreign if it lists several documents, but none from the collection. Add a single fault
        for each foreign source. Otherwise a run on another collection would cause a fault for every document.
        """
        collection: set[str] = self._content.documents.keys() | known
        foreign: set[str] = set()
        for topics in self._sources.documents.values():
            lines = {document: where for listed in topics.values() for document, where in listed.items()}
            if len(lines) > 1 and not lines.keys() & collection:
                where = Where(next(iter(lines.values())).file, 1)
                text = _(
                    "This file adds {number} documents to the pools, but none of them is in the collection."
                    " Remove the file, or add its documents to the collection."
                )
                self._faults.add(where, "document", text, like="not in the documents", number=len(lines))
                foreign |= lines.keys()
        return foreign

    def _pool(self, topic: TopicContent, skipped: set[str]) -> set[str]:
        """Return the topic's pool. If the pool is frozen, leave out runs that would add documents to it.

        With a sample, runs may add documents, because a further draw gives these a chance.
        """
        lists = {
            name: documents - skipped
            for name, documents in self._sources.documents_by_source(topic.number).items()
        }
        frozen = self._frozen.get(topic.number)
        if frozen is not None and self._sources.depth is not None and not self._content.is_sampled:
            outside = set().union(*lists.values()) - frozen.documents
            lists = {name: documents for name, documents in lists.items() if documents <= frozen.documents}
            if outside:
                singular, plural = ngettext_noop(
                    "The pool of topic {topic} can no longer change, so {number} document from later "
                    "runs was not added.",
                    "The pool of topic {topic} can no longer change, so {number} documents from later"
                    " runs were not added.",
                )
                values = {"topic": topic.number, "number": len(outside)}
                self._content.notices.append(Sentence(singular, values, plural))
        return set().union(*lists.values())

    def _fixed_anchors(self, topic: TopicContent) -> dict[Anchor, str]:
        """Return the topic's anchors that are not drawn: frozen anchors, and those named in `[[anchor]]`."""
        frozen = self._frozen.get(topic.number)
        return {**(frozen.anchors if frozen else {}), **topic.named}

    def _set_anchors(self, topic: TopicContent) -> list[Anchor]:
        """Set the anchors of a topic, pair by pair. Return those for which there is no document."""
        wanted, anchors = self._content.anchors, self._fixed_anchors(topic)
        for pair in self._content.pairs:
            anchors = {**self._drawn(topic, pair, anchors), **anchors}
        topic.anchors = {anchor: anchors[anchor] for anchor in wanted if anchor in anchors}
        topic.pool |= set(topic.anchors.values())
        warn_about_anchors(self._content, topic)
        return [anchor for anchor in wanted if anchor not in topic.anchors]

    def _drawn(
        self, topic: TopicContent, pair: Sequence[Anchor], used: Mapping[Anchor, str]
    ) -> dict[Anchor, str]:
        """Draw the anchors of a pair. Documents in `used` are anchors already, and are not drawn again."""
        present = self._content.documents
        candidates: dict[str, dict[str, int]] = {}
        for anchor in pair:
            if anchor in used:
                documents = {used[anchor]}
            else:
                documents = self._candidates(topic, anchor.grade, set(used.values()))
            words = {
                document: count_words(present[document], self._content.fields["markup"])
                for document in documents
                if document in present
            }
            if words:
                candidates[anchor.value] = words
        drawn = draw_anchors(candidates, seed=self._content.fields["seed"], topic_number=topic.number)
        return {Anchor(anchor): document for anchor, document in drawn.items()}

    def _add_missing_anchors(self, topic: TopicContent, missing: list[Anchor]) -> None:
        for anchor in missing:
            values = {"topic": topic.number, "grade": anchor.grade.value, "anchor": anchor.value}
            if anchor.pair == 1:
                text = _(
                    "Topic {topic} has no document with grade {grade} to use as the {grade} anchor. Add a "
                    "document with this grade, or choose another document and give the reason."
                )
            else:
                text = _(
                    "Topic {topic} has no second document with grade {grade} to use as the {anchor} anchor. "
                    "Add a document with this grade, choose another document and give the reason, or set "
                    "anchor_pairs = 1 in [units]."
                )
            self._faults.add(topic.where, f"anchor.{anchor}", text, **values)

    def _add_undrawn(self, topics: list[TopicContent]) -> None:
        """Add a single fault for all `topics`, which have no known grades from which to draw anchors."""
        if not topics:
            return
        named = [topic.number for topic in topics[:_MOST_NAMED]]
        singular, plural = ngettext_noop(
            "{number} topic has no graded documents from which to draw anchors: {topics}. Choose the "
            "anchors of the topic, or add known grades.",
            "{number} topics have no graded documents from which to draw anchors: {topics}. Choose the "
            "anchors of each topic, or add known grades.",
        )
        more = ["…"] if len(topics) > len(named) else []
        values = {"number": len(topics), "topics": ", ".join([*named, *more])}
        self._faults.add(self._content.file, "anchor", Sentence(singular, values, plural))

    def _candidates(self, topic: TopicContent, grade: Grade, fixed: set[str]) -> set[str]:
        """Return the candidates for an anchor with this grade. The anchor is drawn from these documents.

        The candidates are the pooled documents with this grade or, if there are none, all documents with this
        grade. Documents in `fixed` and documents without text are never candidates.
        """
        pooled = {document for document in topic.pool if self._content.grade(topic.number, document) == grade}
        present = self._content.documents.keys()
        return (pooled & present) - fixed or (self._graded(topic.number, grade) & present) - fixed

    def _graded(self, topic: str, grade: Grade) -> set[str]:
        if not self._content.grade_sets:
            return set()
        listed = self._content.grade_sets[0].grades.get(topic, {})
        return {document for document, known in listed.items() if known.level == grade}

    def _add_missing(
        self, topic: TopicContent, textless: Mapping[str, Where], foreign: set[str], *, read: bool
    ) -> None:
        named = {document: anchor for anchor, document in topic.named.items()}
        for document in sorted(topic.pool - self._content.documents.keys() - foreign):
            if document in textless:
                text = _(
                    "Document {document} has no text. Add its text, or remove the document from the pool."
                )
                self._faults.add(textless[document], "text", text, like="no text", document=document)
            elif read and self._sources.where(topic.number, document) is None and document in named:
                text = _(
                    "Document {document} is the {anchor} anchor of topic {topic}, but it is not in the "
                    "collection. Choose another document as the anchor, or add {document} to the collection."
                )
                values = {"document": document, "topic": topic.number, "anchor": named[document].value}
                where = topic.anchor_where or topic.where
                self._faults.add(where, f"anchor.{named[document]}", text, **values)
            elif read:
                where = self._sources.where(topic.number, document) or topic.anchor_where or topic.where
                text = _(
                    "Document {document} is in the pool of topic {topic}, but not in the collection. Add it"
                    " to the collection, or remove it from the pool."
                )
                values = {"document": document, "topic": topic.number}
                self._faults.add(where, "document", text, like="not in the documents", **values)


def warn_about_anchors(content: StudyContent, topic: TopicContent) -> None:
    """Add warnings about anchors that runs proposed, and about anchors that disagree with known grades."""
    for anchor, document in topic.anchors.items():
        warning = anchor_warning(
            topic=topic.number,
            anchor=anchor,
            document=document,
            graded=content.grades_of_anchor(topic.number, document),
            reason=topic.anchor_reason,
        )
        if warning is not None:
            topic.anchor_warnings.append(str(warning))
        favour = favour_warning(topic=topic.number, anchor=anchor, reason=topic.anchor_reason)
        if favour is not None:
            topic.anchor_warnings.append(favour)
    content.notices += topic.anchor_warnings
