"""Write the contents of a study file to the database, in batches, within the caller's transaction."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Model

from judging.core.services.pictures import store_picture
from judging.core.study_imports import Progress
from judging.models import (
    Document,
    GradeSet,
    KnownGrade,
    Picture,
    PoolDocument,
    Question,
    Ranking,
    Run,
    SampleDraw,
    Study,
    Topic,
)
from judging.setup.intake.content import StudyContent, TopicContent
from judging.setup.intake.readers.runs import RankedList, ranked_lists

BATCH = 1000


class Writer:
    """Adds runs, and topics with their contents, to a stored study."""

    def __init__(self, study: Study, content: StudyContent, progress: Progress, *, now: datetime) -> None:
        self._now = now
        self._study = study
        self._content = content
        self._progress = progress

    def write_topics(self, topics: list[TopicContent], *, first_place: int = 0) -> None:
        """Write topics with their questions, documents, pools and known grades."""
        rows = {
            topic.number: Topic(
                study=self._study,
                number=topic.number,
                title=topic.title,
                description=topic.description,
                narrative=topic.narrative,
                anchor_reason=topic.anchor_reason,
                place=place,
            )
            for place, topic in enumerate(topics, start=first_place)
        }
        Topic.objects.bulk_create(rows.values(), batch_size=BATCH)
        self._write(
            Question,
            (
                Question(
                    topic=rows[topic.number],
                    text=topic.question.text,
                    options=topic.question.options,
                    right_option=topic.question.right_option,
                )
                for topic in topics
                if topic.question
            ),
        )
        self.write_contents(topics, rows)

    def write_contents(self, topics: list[TopicContent], rows: Mapping[str, Topic]) -> None:
        """Write the pools, documents and known grades of stored topics, without those already stored.

        `rows` maps the number of each topic to the stored topic. Documents without text are left out.
        """
        self._write_pools(topics, rows, self._write_draw())
        self._write_grades(topics, rows)

    def _write_draw(self) -> SampleDraw | None:
        if self._content.draw is None:
            return None
        values = vars(self._content.draw) | {"at": self._now}
        return SampleDraw.objects.get_or_create(
            study=self._study, number=values.pop("number"), defaults=values
        )[0]

    def _write_pools(
        self, topics: list[TopicContent], rows: Mapping[str, Topic], draw: SampleDraw | None
    ) -> None:
        wanted = set().union(*(topic.pool for topic in topics))
        stored = dict(Document.objects.filter(study=self._study).values_list("document_id", "pk"))
        new = [
            Document(
                study=self._study,
                document_id=document.id,
                title=document.title,
                text=document.text,
                layout=document.layout,
                markup=document.markup,
                sources=[source._asdict() for source in document.sources],
            )
            for document in self._content.documents.values()
            if document.id in wanted and document.id not in stored
        ]
        self._write(Document, self._progress(new, desc="storing documents", unit="doc"))
        self._write_pictures()
        keys = dict(Document.objects.filter(study=self._study).values_list("document_id", "pk"))
        pooled = set(
            PoolDocument.objects.filter(topic__in=rows.values()).values_list("topic_id", "document_id")
        )
        self._write(
            PoolDocument,
            (
                PoolDocument(
                    topic=rows[topic.number],
                    document_id=keys[document],
                    grade=self._content.grade(topic.number, document) or "",
                    anchor=next((anchor for anchor, named in topic.anchors.items() if named == document), ""),
                    **self._chance(topic.number, document, draw),
                )
                for topic in topics
                for document in sorted(topic.pool)
                if document in keys and (rows[topic.number].pk, keys[document]) not in pooled
            ),
        )

    def _write_pictures(self) -> None:
        stored = set(Picture.objects.filter(study=self._study).values_list("name", flat=True))
        for picture in self._content.pictures.values():
            if picture.name not in stored:
                store_picture(self._study, picture.name, picture.path.read_bytes())

    def _chance(self, topic: str, document: str, draw: SampleDraw | None) -> dict[str, Any]:
        """Return the fields of a pooled document that come from the sample."""
        chance = self._content.chances.get((topic, document))
        if chance is None:
            return {}
        is_new = draw is not None and chance.draw == draw.number
        return {
            "inclusion": chance.inclusion,
            "sampled": chance.sampled,
            "draw": draw if is_new else None,
        }

    def _write_grades(self, topics: list[TopicContent], rows: Mapping[str, Topic]) -> None:
        for place, grades in enumerate(self._content.grade_sets):
            row, _ = GradeSet.objects.get_or_create(
                study=self._study, name=grades.name, defaults={"place": place}
            )
            stored = set(KnownGrade.objects.filter(grade_set=row).values_list("topic_id", "document_id"))
            self._write(
                KnownGrade,
                (
                    KnownGrade(
                        grade_set=row,
                        topic=rows[topic.number],
                        document_id=document,
                        value=value,
                        level=level,
                    )
                    for topic in topics
                    for document, (value, level) in known_grades(self._content, place, topic).items()
                    if (rows[topic.number].pk, document) not in stored
                ),
            )

    def write_runs(self) -> None:
        """Write the rankings whose run or topic is new. All other rankings are already stored."""
        topics = dict(Topic.objects.filter(study=self._study).values_list("number", "pk"))
        for content in self._progress(self._content.runs, desc="storing runs", unit="run"):
            run, _ = Run.objects.get_or_create(study=self._study, tag=content.tag)
            stored = set(Ranking.objects.filter(run=run).values_list("topic_id", flat=True))
            lists = ranked_lists(content.frame)
            self._write(
                Ranking,
                (
                    _ranking(run, topics[number], ranked)
                    for number, ranked in lists.items()
                    if topics[number] not in stored
                ),
            )

    @staticmethod
    def _write(model: type[Model], rows: Iterable[Model]) -> None:
        """Write rows in batches, so that not all of them are in memory at once."""
        batch: list[Model] = []
        for row in rows:
            batch.append(row)
            if len(batch) == BATCH:
                model._default_manager.bulk_create(batch)
                batch = []
        model._default_manager.bulk_create(batch)


def known_grades(content: StudyContent, place: int, topic: TopicContent) -> dict[str, tuple[str, str]]:
    """Return a dict from each graded document of a topic to its value and grade.

    `place` is the index of the set of known grades to use. The documents in the file of this set come first.
    If the set has a grade for unlisted documents, the pooled documents that are not in the file follow.
    Documents whose value in the file means “no grade” are left out.
    """
    grades = content.grade_sets[place]
    listed = grades.grades.get(topic.number, {})
    known = {
        document: (grade.value, grade.level) for document, grade in listed.items() if grade.level is not None
    }
    if grades.unlisted is not None:
        unlisted = (grades.unlisted, grades.unlisted)
        known |= {document: unlisted for document in sorted(topic.pool) if document not in listed}
    return known


def _ranking(run: Run, topic: int, ranked: RankedList) -> Ranking:
    return Ranking(
        run=run,
        topic_id=topic,
        document_ids=ranked.document_ids,
        scores=ranked.scores,
        ranks=ranked.ranks,
    )
