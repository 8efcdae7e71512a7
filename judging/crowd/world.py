"""A study's topics and documents for simulated workers, with the true level of each document."""

from dataclasses import dataclass

import numpy as np

from evaluation.crowds import GRADES, TYPICAL, Crowd, draw_levels
from judging.core.documents.plain import shown_text
from judging.crowd.mind import arrays_from
from judging.crowd.wording import DocumentText, TopicText
from judging.models import PoolDocument, Study, Topic
from judging.protocol.anchor_pairs import gold
from judging.protocol.seeding import seeded_random


@dataclass(frozen=True)
class TopicWorld:
    """A topic, the options of its question, and the documents of its pool by primary key."""

    text: TopicText
    right_option: str
    options: tuple[str, ...]
    documents: dict[int, DocumentText]


class World:
    """The topics of a study. Each topic is loaded when a worker first gets it.

    For each document, a true grade is drawn first, and then a level around the mean level of this grade. The
    true grade can differ from the known grade, except for anchors. The draws depend on the study's seed and,
    if given, on `seed`. So simulations with the same seeds have the same levels.
    """

    def __init__(self, study: Study, crowd: Crowd = TYPICAL, *, seed: int | None = None) -> None:
        self.study = study
        self.crowd = crowd
        self._seeds = (study.seed,) if seed is None else (study.seed, seed)
        self._topics: dict[int, TopicWorld] = {}

    def topic(self, pk: int) -> TopicWorld:
        if pk not in self._topics:
            self._topics[pk] = self._load(pk)
        return self._topics[pk]

    def _load(self, pk: int) -> TopicWorld:
        topic = Topic.objects.select_related("question", "study").get(pk=pk)
        pool = PoolDocument.objects.filter(topic=topic).select_related("document")
        return TopicWorld(
            text=TopicText(topic.title, f"{topic.description} {topic.narrative}"),
            right_option=topic.question.options[topic.question.right_option],
            options=tuple(topic.question.options),
            documents={
                pooled.pk: DocumentText(
                    pooled.document.title,
                    shown_text(pooled.document, topic.study.markup),
                    self._level(topic, pooled),
                    bool(pooled.anchor),
                )
                for pooled in pool
            },
        )

    def _level(self, topic: Topic, pooled: PoolDocument) -> float:
        rng = seeded_random("level", *self._seeds, topic.number, pooled.document.document_id)
        letter = pooled.grade or gold(pooled.anchor)
        grade = np.array([GRADES.index(letter) if letter else -1])
        return float(draw_levels(grade, np.array([bool(pooled.anchor)]), self.crowd, arrays_from(rng))[0])
