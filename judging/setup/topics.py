"""Add, delete and import the topics of a study in set-up."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from django.db.models import Max

from judging.core.faults import Faults, StudyRefusedError, Where
from judging.models import Setup, Study, Topic
from judging.protocol.setup_files import FileKind
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.files import source_of
from judging.setup.intake.column_maps import Format
from judging.setup.intake.content import TopicContent
from judging.setup.intake.files import SourceFile, encoding_fault
from judging.setup.intake.readers.mapped import read_mapped_grades
from judging.setup.intake.readers.records import column_map
from judging.setup.intake.readers.sgml import LONGEST_NUMBER, id_fault
from judging.setup.intake.topics import check_texts, read_topic_file


def add_topic(study: Study, *, number: str, title: str) -> Topic:
    """Add a topic after the last topic of the study."""
    return Topic.objects.create(study=study, number=number, title=title, place=next_place(study))


def next_place(study: Study) -> int:
    """Return the place of the next topic of the study, counted from 0."""
    last = Topic.objects.filter(study=study).aggregate(last=Max("place"))["last"]
    return 0 if last is None else last + 1


def delete_topics(study: Study, numbers: Collection[str]) -> int:
    """Delete topics with their questions, and return how many. The later topics move up."""
    gone = Topic.objects.filter(study=study, number__in=numbers)
    deleted = gone.count()
    gone.delete()
    for place, later in enumerate(Topic.objects.filter(study=study).order_by("place")):
        if later.place != place:
            later.place = place
            later.save(update_fields=["place"])
    return deleted


@dataclass(frozen=True)
class TopicsFile:
    """The topics of a file in its order, and notices about what was left out."""

    topics: list[TopicContent]
    notices: list[Sentence]


def read_topics_file(path: Path, *, form: Format, encoding: str) -> TopicsFile:
    """Return the topics of a file or collection.

    If the file has problems, raise StudyRefusedError with a line for each problem.
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
    faults.raise_if_any()
    return TopicsFile(list(topics.values()), faults.notices)


def missing_topics(topics: TopicsFile, only: Collection[str]) -> list[Sentence]:
    """Return a sentence for each number in `only` that is not the number of a topic in the file."""
    known = {topic.number for topic in topics.topics}
    text = _("The file has no topic {topic}. Correct the number, or remove it.")
    return [Sentence(text, {"topic": number}) for number in only if number not in known]


def save_topics(
    study: Study, topics: Iterable[TopicContent], *, judged: Collection[str] = ()
) -> tuple[int, int]:
    """Save topics of a file, and return how many were added and how many were replaced.

    A replaced topic keeps its question and anchors. The topics in `judged` are not changed.
    """
    stored = {topic.number: topic for topic in Topic.objects.filter(study=study)}
    added, place = 0, next_place(study)
    saved = [topic for topic in topics if topic.number not in judged]
    for topic in saved:
        row = stored.get(topic.number)
        if row is None:
            row, place, added = Topic(study=study, number=topic.number, place=place), place + 1, added + 1
        row.title, row.description, row.narrative = topic.title, topic.description, topic.narrative
        row.save()
    return added, len(saved) - added


def differing(study: Study, topics: Iterable[TopicContent]) -> set[str]:
    """Return the numbers of the topics whose texts in a file differ from those in the study."""
    fields = ("title", "description", "narrative")
    stored = {row[0]: row[1:] for row in Topic.objects.filter(study=study).values_list("number", *fields)}
    return {
        topic.number
        for topic in topics
        if topic.number in stored and stored[topic.number] != tuple(getattr(topic, name) for name in fields)
    }


def earlier_topics(setup: Setup, name: str) -> list[str]:
    """Return the numbers of the study's topics that were imported from an earlier file of this name."""
    imported = set(setup.topic_files.get(name, ()))
    numbers = Topic.objects.filter(study=setup.study).order_by("place").values_list("number", flat=True)
    return [number for number in numbers if number in imported]


def note_topic_file(setup: Setup, name: str, numbers: Iterable[str]) -> None:
    """Record which topics come from a file, so that a corrected file can replace them."""
    new = list(dict.fromkeys(numbers))
    others = {
        file: [number for number in listed if number not in new]
        for file, listed in setup.topic_files.items()
        if file != name
    }
    setup.topic_files = {**others, name: new}
    setup.save(update_fields=["topic_files"])


def note_waiting_topics(setup: Setup, names: Iterable[str]) -> None:
    """Record files of topics that are uploaded but not imported yet.

    Until then, lines for their topics are not faults of the other files.
    """
    setup.topic_files = {**{name: [] for name in names}, **setup.topic_files}
    setup.save(update_fields=["topic_files"])


def topics_with(setup: Setup, kind: str) -> set[str]:
    """Return the numbers of the topics that the files of a kind mention: runs, known grades or a pool."""
    numbers: set[str] = set()
    for file in setup.files.filter(kind=kind):
        source = source_of(setup.folder, file.path, Faults(), file.encoding)
        columns = (
            column_map(FileKind.GRADES, Format(file.format, file.columns), source) if file.format else None
        )
        if columns is not None:
            numbers.update(row["topic"] for _line, row in read_mapped_grades(source, columns))
        else:
            numbers.update(cells[0] for _line, line in source.lines() if (cells := line.split(maxsplit=1)))
    return numbers
