"""Topics, their questions, and the anchors that are named, from the study file and the files it points to."""

from typing import Final

from judging.core.intake.content import ANCHORS, QuestionContent, TopicContent
from judging.core.intake.faults import Faults, shown
from judging.core.intake.files import SourceFile
from judging.core.intake.paths import Paths
from judging.core.intake.readers.cranfield import read_cranfield_topics
from judging.core.intake.readers.sgml import id_fault
from judging.core.intake.readers.trec_topics import read_trec_topics
from judging.core.intake.tables import Table, unstorable
from judging.protocol.checks.comprehension import OPTIONS

TOPIC_READERS: Final = {"trec": read_trec_topics, "cranfield": read_cranfield_topics}
LONGEST_NUMBER: Final = 100
LONGEST_TITLE: Final = 500
LONGEST_REASON: Final = 1000


def read_topics(top: Table, paths: Paths, faults: Faults) -> tuple[dict[str, TopicContent], set[str]]:
    """Topic number → topic, in the order of the files: those of `[topics]` first, then each `[[topic]]`.

    Beside them the numbers of the topics that the files hold and `only` leaves out.
    """
    topics: dict[str, TopicContent] = {}
    in_files, left_out = topics_of_files(top, paths)
    found = [*in_files, *(_inline(table) for table in top.tables("topic"))]
    for topic in found:
        if topic is None:
            continue
        if topic.number in topics:
            first = topics[topic.number].where
            faults.add(topic.where, "number", f"topic {topic.number} stands already in {first}; delete one")
            continue
        if not topic.title:
            faults.add(topic.where, "title", f"topic {topic.number} has no title; write one")
        check_texts(topic, faults)
        topics[topic.number] = topic
    return topics, left_out - topics.keys()


def check_texts(topic: TopicContent, faults: Faults) -> None:
    """Note what keeps the texts of a topic from being stored."""
    if len(topic.title) > LONGEST_TITLE:
        faults.add(topic.where, "title", f"has over {LONGEST_TITLE} characters; shorten it")
    if fault := unstorable(topic.title + topic.description + topic.narrative):
        faults.add(topic.where, "", fault)


def topics_of_files(top: Table, paths: Paths) -> tuple[list[TopicContent], set[str]]:
    """Return the topics of the files in `[topics]`, and the numbers of those that `only` leaves out."""
    if "topics" not in top:
        return [], set()
    table = top.table("topics")
    form = table.choice("format", list(TOPIC_READERS), needed=True)
    only = table.texts("only")
    sources = paths.of(table, "path")
    table.close()
    if form not in TOPIC_READERS:
        return [], set()
    topics = [topic for source in sources for topic in read_topic_file(source, form)]
    if only is None:
        return topics, set()
    numbers = {topic.number for topic in topics}
    for number in only:
        if number not in numbers and sources:
            table.fault("only", f"there is no topic {shown(number)} in the file; mend it or take it out")
    return [topic for topic in topics if topic.number in only], numbers - set(only)


def read_topic_file(source: SourceFile, form: str) -> list[TopicContent]:
    """Return the topics of a file; none and a fault if it holds none."""
    with source.faults.watch() as watch:
        topics = list(TOPIC_READERS[form](source))
    if not topics and watch.clean:
        source.fault(1, "", f"holds no topic in the format {form}; mend the file or the format")
    return topics


def _inline(table: Table) -> TopicContent | None:
    number = table.text("number", needed=True)
    asked = [key for key in ("question", "options", "answer") if key in table]
    topic = TopicContent(
        number=number,
        title=table.text("title", needed=True) or "?",
        description=table.text("description"),
        narrative=table.text("narrative"),
        where=table.where("number"),
    )
    if asked:
        topic.question, topic.question_where = read_question(table, "question"), table.where("question")
    table.close()
    if not number:
        return None
    if fault := id_fault(number, LONGEST_NUMBER):
        table.fault("number", fault)
        return None
    return topic


def read_question(table: Table, key: str) -> QuestionContent | None:
    """A question of four different options, one of which is the answer; None where it is at fault."""
    with table.faults.watch() as watch:
        text = table.text(key, needed=True)
        answer = table.text("answer", needed=True)
        options = table.texts("options")
        if "options" not in table:
            table.fault(None, f"options: are missing; add options = […] with {OPTIONS} texts")
    if options is None or not watch.clean:
        return None
    if len(options) != OPTIONS:
        table.fault("options", f"there are {len(options)}; write exactly {OPTIONS}")
    elif len({" ".join(option.split()) for option in options}) < OPTIONS or not all(options):
        table.fault("options", "two are the same, or one is empty; write four different ones")
    elif answer not in options:
        table.fault("answer", f"{shown(answer)} is none of the options; repeat the right one word for word")
    else:
        return QuestionContent(text, options, options.index(answer))
    return None


def add_questions(
    top: Table, topics: dict[str, TopicContent], left_out: set[str], faults: Faults
) -> list[str]:
    """Give the topics the questions of `[[question]]`; in the end every topic must have one.

    Returns the numbers of the topics that are `left_out` and have a question: it waits for them.
    """
    waiting = []
    for table in top.tables("question"):
        number = table.text("topic", needed=True)
        if number in left_out:
            waiting.append(number)
            table.pass_over()
            continue
        question = read_question(table, "question")
        table.close()
        if number and (topic := _known(table, number, topics)):
            if topic.question_where is not None:
                table.fault(
                    "topic", f"topic {number} has a question already, in {topic.question_where}; delete one"
                )
            else:
                topic.question, topic.question_where = question, table.where("question")
    for topic in topics.values():
        if topic.question_where is None:
            faults.add(topic.where, "question", f"topic {topic.number} has no question; write one")
    return waiting


def add_anchors(top: Table, topics: dict[str, TopicContent], left_out: set[str]) -> None:
    """Give the topics the anchors that `[[anchor]]` names; those of topics that are `left_out` wait."""
    for table in top.tables("anchor"):
        number = table.text("topic", needed=True)
        if number in left_out:
            table.pass_over()
            continue
        documents = {grade: table.text(grade.value) for grade in ANCHORS if grade.value in table}
        reason = table.text("reason", longest=LONGEST_REASON)
        table.close()
        for grade, document in list(documents.items()):
            if fault := id_fault(document):
                table.fault(grade.value, fault)
                del documents[grade]
        topic = _known(table, number, topics) if number else None
        if topic is None:
            continue
        if topic.anchor_where is not None:
            table.fault("topic", f"topic {number} has anchors already, in {topic.anchor_where}; delete one")
            continue
        if len(set(documents.values())) < len(documents):
            table.fault("N", "is the same document as H; name another")
            documents = {}
        elif not documents and not ("H" in table or "N" in table):
            table.fault(None, "names neither H nor N; name one, or delete it")
        topic.named, topic.anchor_where, topic.anchor_reason = documents, table.where("topic"), reason


def _known(table: Table, number: str, topics: dict[str, TopicContent]) -> TopicContent | None:
    if topics and number not in topics:
        table.fault("topic", f"{shown(number)} is not a topic of the study; mend it or delete the table")
    return topics.get(number)
