"""Add, delete and import the topics of a study in set-up."""

from pathlib import Path

from django.db.models import Max

from judging.core.intake.column_maps import Format
from judging.core.intake.content import TopicContent
from judging.core.intake.faults import Faults, StudyRefusedError, Where
from judging.core.intake.files import SourceFile, encoding_fault
from judging.core.intake.readers.sgml import LONGEST_NUMBER, id_fault
from judging.core.intake.topics import check_texts, read_topic_file
from judging.models import Study, Topic
from judging.protocol.words import gettext_noop as _


def add_topic(study: Study, *, number: str, title: str) -> Topic:
    """Add a topic after the last topic of the study."""
    return Topic.objects.create(study=study, number=number, title=title, place=next_place(study))


def next_place(study: Study) -> int:
    """Return the place of the next topic of the study, counted from 0."""
    last = Topic.objects.filter(study=study).aggregate(last=Max("place"))["last"]
    return 0 if last is None else last + 1


def delete_topic(topic: Topic) -> None:
    """Delete a topic with its question. The later topics move up by one place."""
    study, place = topic.study, topic.place
    topic.delete()
    for later in Topic.objects.filter(study=study, place__gt=place):
        later.place -= 1
        later.save(update_fields=["place"])


def import_topics(
    study: Study, path: Path, *, form: Format, encoding: str, only: list[str]
) -> tuple[int, int]:
    """Import the topics of a file or collection, and return how many were added and how many were replaced.

    `only` lists the numbers of the topics to import. If `only` is empty, all topics are imported. A replaced
    topic keeps its question and anchors. If the file has problems, change nothing, and raise
    StudyRefusedError with a line for each problem.
    """
    faults = Faults()
    if encoding and (fault := encoding_fault(encoding)):
        raise StudyRefusedError([f"encoding: {fault}"])
    source = SourceFile(path, Where(path.name), "topics", faults, encoding or None)
    topics: dict[str, TopicContent] = {}
    for topic in read_topic_file(source, form):
        if topic.number in topics:
            text = _("The file has topic {topic} twice. Delete one of the two.")
            faults.add(topic.where, "number", text, topic=topic.number)
        topics.setdefault(topic.number, topic)
        check_texts(topic, faults)
        if fault := id_fault(topic.number, LONGEST_NUMBER):
            faults.add(topic.where, "number", fault)
    for number in only:
        if number not in topics and not faults.count:
            text = _("The file has no topic {topic}. Correct the number, or remove it.")
            faults.add(Where(path.name), "only", text, topic=number)
    faults.raise_if_any()
    stored = {topic.number: topic for topic in Topic.objects.filter(study=study)}
    wanted = [topic for topic in topics.values() if not only or topic.number in only]
    place = next_place(study)
    for topic in wanted:
        row = stored.get(topic.number)
        if row is None:
            row, place = Topic(study=study, number=topic.number, place=place), place + 1
        row.title, row.description, row.narrative = topic.title, topic.description, topic.narrative
        row.save()
    replaced = sum(topic.number in stored for topic in wanted)
    return len(wanted) - replaced, replaced
