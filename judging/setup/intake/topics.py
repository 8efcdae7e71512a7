"""Read the topics, their questions and their chosen anchors from the study file and its topic files."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from judging.core.faults import Faults, shown
from judging.core.storable import unstorable
from judging.protocol.anchor_pairs import Anchor, anchors_of
from judging.protocol.checks.comprehension import OPTIONS
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.column_maps import RECORDS, Format, read_format
from judging.setup.intake.content import QuestionContent, TopicContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.paths import Paths
from judging.setup.intake.readers.cast_topics import read_cast_topics
from judging.setup.intake.readers.cranfield import read_cranfield_topics
from judging.setup.intake.readers.mapped import read_mapped_topics
from judging.setup.intake.readers.records import column_map
from judging.setup.intake.readers.sgml import LONGEST_NUMBER, id_fault
from judging.setup.intake.readers.trec_topics import read_trec_topics
from judging.setup.intake.toml_table import TOO_LONG, Table

TOPIC_READERS: Final = {
    "trec": read_trec_topics,
    "cranfield": read_cranfield_topics,
    "cast": read_cast_topics,
}
"""The readers of the formats that do not consist of records."""
TOPIC_FORMATS: Final = (*TOPIC_READERS, *RECORDS)
SHOWN: Final = 3
"""The number of topics that a notice about a topic file shows."""
LONGEST_TITLE: Final = 500
LONGEST_REASON: Final = 1000


@dataclass(frozen=True)
class ReadTopics:
    """The topics by number, and the numbers of the topics that the key `only` leaves out.

    `are_whole` is false if a topic could not be read. The study can then have other topics than these, so a
    number that is not among them is no fault.
    """

    by_number: dict[str, TopicContent]
    left_out: set[str]
    are_whole: bool


def read_topics(top: Table, paths: Paths, faults: Faults) -> ReadTopics:
    """Return the topics of a study: first those of the files in `[topics]`, then those in `[[topic]]`."""
    topics: dict[str, TopicContent] = {}
    with faults.watch() as watch:
        in_files, left_out = topics_of_files(top, paths)
        are_read = watch.clean
    inline = [_inline(table) for table in top.tables("topic")]
    for topic in [*in_files, *inline]:
        if topic is None:
            continue
        if topic.number in topics:
            twice = _("Topic {topic} is also in {place}. Delete one of the two.")
            place = topics[topic.number].where
            faults.add(topic.where, "number", twice, topic=topic.number, place=place)
            continue
        if not topic.title:
            faults.add(topic.where, "title", _("Topic {topic} has no title. Add one."), topic=topic.number)
        check_texts(topic, faults)
        topics[topic.number] = topic
    return ReadTopics(topics, left_out - topics.keys(), are_read and None not in inline)


def check_texts(topic: TopicContent, faults: Faults) -> None:
    """Add a fault if the title is too long, or if the database cannot store a text of the topic."""
    if len(topic.title) > LONGEST_TITLE:
        faults.add(topic.where, "title", TOO_LONG, number=len(topic.title), limit=LONGEST_TITLE)
    if fault := unstorable(topic.title + topic.description + topic.narrative):
        faults.add(topic.where, "", fault)


def topics_of_files(top: Table, paths: Paths) -> tuple[list[TopicContent], set[str]]:
    """Return the topics from the files in `[topics]`, and the numbers of topics that `only` leaves out."""
    if "topics" not in top:
        return [], set()
    table = top.table("topics")
    form = read_format(table, "topics", TOPIC_FORMATS, needed=True)
    only = table.texts("only")
    sources = paths.files(table, "path")
    table.close()
    if form.name not in TOPIC_FORMATS:
        return [], set()
    topics: list[TopicContent] = []
    left_out: set[str] = set()
    with table.faults.watch() as watch:
        for source in sources:
            for topic in with_notice(source, read_topic_file(source, form)):
                if only is None or topic.number in only:
                    topics.append(topic)
                else:
                    left_out.add(topic.number)
    numbers = {topic.number for topic in topics}
    for number in only or ():
        if number not in numbers and sources and watch.clean:
            missing = _("No topic file has the topic {topic}. Correct or remove this number.")
            table.fault("only", missing, topic=shown(number))
    return topics, left_out


def with_notice(source: SourceFile, topics: Iterable[TopicContent]) -> Iterator[TopicContent]:
    """Yield the topics of a file. Then give a notice with their number and the first of them."""
    number = 0
    first: list[str] = []
    for topic in topics:
        number += 1
        if len(first) < SHOWN:
            first.append(f"{topic.number} {shown(topic.title)}" if topic.title else topic.number)
        yield topic
    if number:
        text, plural = ngettext_noop(
            "{file} has {number} topic: {topics}.", "{file} has {number} topics, beginning with {topics}."
        )
        values = {"file": str(source.path), "number": number, "topics": ", ".join(first)}
        source.faults.notices.append(Sentence(text, values, plural))


def read_topic_file(source: SourceFile, form: Format) -> Iterator[TopicContent]:
    """Yield the topics of a file. Add a fault if it has no topics."""
    columns = column_map("topics", form, source)
    topics = read_mapped_topics(source, columns) if columns else TOPIC_READERS[form.name](source)
    is_empty = True
    with source.faults.watch() as watch:
        for topic in topics:
            is_empty = False
            yield topic
    if is_empty and watch.clean:
        no_topic = _("The file has no topics in the format {format}. Correct the file or the format.")
        source.fault(1, "", no_topic, format=form.name)


def _inline(table: Table) -> TopicContent | None:
    number = table.text("number", needed=True)
    question_keys = [key for key in ("question", "options", "answer") if key in table]
    topic = TopicContent(
        number=number,
        title=table.text("title", needed=True) or "?",
        description=table.text("description"),
        narrative=table.text("narrative"),
        where=table.where("number"),
    )
    if question_keys:
        topic.question, topic.question_where = read_question(table, "question"), table.where("question")
    table.close()
    if not number:
        return None
    if fault := id_fault(number, LONGEST_NUMBER):
        table.fault("number", fault)
        return None
    return topic


def read_question(table: Table, key: str) -> QuestionContent | None:
    """Return a question. If it is invalid, add a fault and return None.

    The four options must be different, and the answer must be one of them.
    """
    with table.faults.watch() as watch:
        text = table.text(key, needed=True)
        answer = table.text("answer", needed=True)
        options = table.texts("options")
        if "options" not in table:
            missing = _("The key `options` is missing. Add `options = […]` with {number} answers.")
            table.fault(None, missing, number=OPTIONS)
    if options is None or not watch.clean:
        return None
    if len(options) != OPTIONS:
        count = _("The question has {number} options. Write exactly {needed}.")
        table.fault("options", count, number=len(options), needed=OPTIONS)
    elif len({" ".join(option.split()) for option in options}) < OPTIONS or not all(options):
        same = _("Two options are the same, or an option is empty. Write {number} different options.")
        table.fault("options", same, number=OPTIONS)
    elif answer not in options:
        no_option = _("The answer {answer} is not one of the options. Copy the right option exactly.")
        table.fault("answer", no_option, answer=shown(answer))
    else:
        return QuestionContent(text, options, options.index(answer))
    return None


def add_questions(top: Table, read: ReadTopics, faults: Faults) -> list[str]:
    """Add the questions in `[[question]]` to their topics. A topic without a question is a fault.

    Return the numbers of the topics that are left out but have a question.
    """
    waiting = []
    topics, left_out = read.by_number, read.left_out
    for table in top.tables("question"):
        number = table.text("topic", needed=True)
        if number in left_out:
            waiting.append(number)
            table.pass_over()
            continue
        question = read_question(table, "question")
        table.close()
        if number and (topic := _find_topic(table, number, topics, are_whole=read.are_whole)):
            if topic.question_where is not None:
                second = _("Topic {topic} also has a question in {place}. Delete one of the two.")
                table.fault("topic", second, topic=number, place=topic.question_where)
            else:
                topic.question, topic.question_where = question, table.where("question")
    for topic in topics.values():
        if topic.question_where is None:
            missing = _("Topic {topic} has no question. Add one.")
            faults.add(topic.where, "question", missing, topic=topic.number)
    return waiting


def read_named(table: Table, pairs: int, *, may_be_empty: bool = False) -> dict[Anchor, str]:
    """Return the documents that an `[[anchor]]` table names, for a study with this number of pairs.

    Add a fault for each invalid id, and for an anchor that the study does not have. Leave out empty ids if
    `may_be_empty` is true; otherwise, they are invalid.
    """
    documents = {anchor: table.text(anchor.value) for anchor in Anchor if anchor.value in table}
    for anchor, document in list(documents.items()):
        if anchor not in anchors_of(pairs):
            text = _(
                "The study has one pair of anchors, H and N. Delete {anchor}, or set anchor_pairs = 2 in "
                "[units]."
            )
            table.fault(anchor.value, text, anchor=anchor.value)
            del documents[anchor]
        elif not document and may_be_empty:
            del documents[anchor]
        elif fault := id_fault(document):
            table.fault(anchor.value, fault)
            del documents[anchor]
    return documents


def add_anchors(
    top: Table, topics: dict[str, TopicContent], left_out: set[str], pairs: int, *, are_whole: bool = True
) -> None:
    """Add the anchors in `[[anchor]]` to their topics. Ignore the topics in `left_out`.

    `pairs` is the number of pairs of anchors that the study has. If `are_whole` is false, topics are missing
    from `topics`, so an unknown number is no fault.
    """
    for table in top.tables("anchor"):
        number = table.text("topic", needed=True)
        if number in left_out:
            table.pass_over()
            continue
        documents = read_named(table, pairs)
        reason = table.text("reason", longest=LONGEST_REASON)
        table.close()
        topic = _find_topic(table, number, topics, are_whole=are_whole) if number else None
        if topic is None:
            continue
        if topic.anchor_where is not None:
            second = _("Topic {topic} also has an [[anchor]] table in {place}. Delete one of the two.")
            table.fault("topic", second, topic=number, place=topic.anchor_where)
            continue
        if len(set(documents.values())) < len(documents):
            if {*documents} == {Anchor.H, Anchor.N}:
                table.fault("N", _("The anchors N and H are the same document. Use two different documents."))
            else:
                table.fault(
                    None, _("Two anchors are the same document. Use a different document for each anchor.")
                )
            documents = {}
        elif not documents and not any(anchor.value in table for anchor in Anchor):
            table.fault(None, _("The table has no anchor. Add H or N, or delete the table."))
        topic.named, topic.anchor_where, topic.anchor_reason = documents, table.where("topic"), reason


def _find_topic(
    table: Table, number: str, topics: dict[str, TopicContent], *, are_whole: bool
) -> TopicContent | None:
    if number not in topics and not are_whole:
        table.faults.has_unchecked = True
    elif topics and number not in topics:
        unknown = _("The study has no topic {topic}. Correct the number, or delete this table.")
        table.fault("topic", unknown, topic=shown(number))
    return topics.get(number)
