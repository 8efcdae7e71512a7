"""A study's topics and documents for simulated workers, with the true relevance of each document."""

from dataclasses import dataclass
from math import pow
from typing import Final

from judging.crowd.mind import HIGHEST
from judging.crowd.wording import DocumentText, TopicText
from judging.models import PoolDocument, Study, Topic
from judging.protocol.seeding import seeded_random
from judging.protocol.states import Grade

RELEVANCE: Final[dict[Grade, float]] = {
    Grade.N: 1.0,
    Grade.M: HIGHEST ** (1 / 3),
    Grade.R: HIGHEST ** (2 / 3),
    Grade.H: HIGHEST,
}
"""The relevance of each known grade, from 1 to `HIGHEST`. All neighbouring grades have the same ratio."""


@dataclass(frozen=True)
class TopicWorld:
    """A topic, the options of its question, and the documents of its pool by primary key."""

    text: TopicText
    right_option: str
    options: tuple[str, ...]
    documents: dict[int, DocumentText]


class World:
    """The topics of a study. Each topic is loaded when a worker first gets it."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._topics: dict[int, TopicWorld] = {}

    def topic(self, pk: int) -> TopicWorld:
        if pk not in self._topics:
            self._topics[pk] = self._load(pk)
        return self._topics[pk]

    def _load(self, pk: int) -> TopicWorld:
        topic = Topic.objects.select_related("question").get(pk=pk)
        pool = PoolDocument.objects.filter(topic=topic).select_related("document")
        return TopicWorld(
            text=TopicText(topic.title, f"{topic.description} {topic.narrative}"),
            right_option=topic.question.options[topic.question.right_option],
            options=tuple(topic.question.options),
            documents={
                pooled.pk: DocumentText(
                    pooled.document.title, pooled.document.text, self._relevance(topic, pooled)
                )
                for pooled in pool
            },
        )

    def _relevance(self, topic: Topic, pooled: PoolDocument) -> float:
        """Return the relevance of the document's grade. Without a grade, draw a relevance, usually low."""
        if grade := pooled.grade or pooled.anchor:
            return RELEVANCE[Grade(grade)]
        prior = seeded_random("relevance", self.study.seed, topic.number, pooled.document.document_id)
        return pow(HIGHEST, prior.betavariate(1.0, 2.0))
