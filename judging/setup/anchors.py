"""Candidates for the anchors of a topic."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from judging.models import PoolDocument, Topic
from judging.protocol.states import Grade

_ORDER: Final = {Grade.H.value: 0, Grade.N.value: 1}
_MOST_OF_A_GRADE: Final = 200
"""The maximum number of documents of each grade in the list of candidates, apart from the anchors."""


@dataclass
class Candidate:
    """A pooled document. `anchor` is "H" or "N" if the document is now that anchor, else ""."""

    id: str
    title: str
    text: str
    layout: str
    grade: str
    anchor: str

    @property
    def words(self) -> int:
        return len(self.text.split())


def candidates(topic: Topic) -> list[Candidate]:
    """Return up to 200 pooled documents of each grade, and all anchors.

    Documents graded H or N come first.
    """
    return list(_candidates(topic))


def anchors_against_grades(topic: Topic, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the part of `chosen`, a dict from grade to document, that the known grades do not confirm.

    Return an empty dict if the topic has no known grades.
    """
    grades = {candidate.id: candidate.grade for candidate in candidates(topic)}
    if not any(grades.values()):
        return {}
    return {
        grade: document for grade, document in chosen.items() if document and grades.get(document) != grade
    }


def _candidates(topic: Topic) -> Iterator[Candidate]:
    listed: Counter[str] = Counter()
    pool = PoolDocument.objects.filter(topic=topic).select_related("document")
    for row in sorted(pool, key=lambda row: (_ORDER.get(row.grade, 2), row.document.document_id)):
        listed[row.grade] += 1
        if listed[row.grade] <= _MOST_OF_A_GRADE or row.anchor:
            document = row.document
            layout = document.layout or topic.study.layout
            yield Candidate(
                document.document_id, document.title, document.text, layout, row.grade, row.anchor
            )
