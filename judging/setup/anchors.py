"""The pooled documents of a topic that could be its anchors."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from judging.models import PoolDocument, Topic
from judging.protocol.states import Grade

_ORDER: Final = {Grade.H.value: 0, Grade.N.value: 1}
_MOST_OF_A_GRADE: Final = 200
"""Documents of a grade in the lists to choose anchors from."""


@dataclass
class Candidate:
    """A pooled document; `anchor` is the grade for which it is the anchor now."""

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
    """Return the pooled documents of a topic, those that are graded H and N first, up to 200 of a grade."""
    return list(_candidates(topic))


def against_the_grades(topic: Topic, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return those of the chosen anchors, by grade, that the known grades contradict, if there are any."""
    grades = {found.id: found.grade for found in candidates(topic)}
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
