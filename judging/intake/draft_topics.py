"""Topics, questions and anchors of a draft: where they stand in its study file, and putting them there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judging.intake.drafting import Values
from judging.intake.reading import Reading
from judging.protocol.checks.comprehension import OPTIONS

_WRITTEN = ("title", "description", "narrative")


@dataclass
class DraftTopic:
    """A topic as a form shows it. `inline`: it stands in the study file, and its texts can be changed there.

    `right` is the place of the right option, or None. `place` is its place in the last check, or None.
    """

    number: str
    title: str = ""
    description: str = ""
    narrative: str = ""
    inline: bool = False
    place: int | None = None
    question: str = ""
    options: list[str] = field(default_factory=lambda: [""] * OPTIONS)
    right: int | None = None

    @property
    def texts(self) -> str:
        """All that the topic says."""
        return f"{self.title}\n{self.description}\n{self.narrative}"


def draft_topics(values: Values, reading: Reading) -> list[DraftTopic]:
    """The topics that are known: of files as the last check read them, and those of the study file."""
    topics: dict[str, DraftTopic] = {}
    for place, one in enumerate(reading.get("topics", ())):
        topics[one["number"]] = DraftTopic(
            one["number"], one["title"], one["description"], one["narrative"], place=place
        )
    written = [_text(table, "number") for table in _tables(values, "topic")]
    if "topics" not in values:
        topics = {number: one for number, one in topics.items() if number in written}
    for table, number in zip(_tables(values, "topic"), written, strict=True):
        topic = topics.setdefault(number, DraftTopic(number))
        topic.inline = True
        topic.title, topic.description, topic.narrative = (_text(table, key) for key in _WRITTEN)
        if any(key in table for key in ("question", "options", "answer")):
            _ask(topic, table)
    for table in _tables(values, "question"):
        if (asked := topics.get(_text(table, "topic"))) is not None:
            _ask(asked, table)
    return list(topics.values())


def ownerless(values: Values, reading: Reading) -> list[str]:
    """Topics that have a question or anchors and that neither a file nor the study file holds any more.

    Those that the file holds and the choice of topics leaves out are not among them: what they have waits.
    """
    known = {topic.number for topic in draft_topics(values, reading)} | set(reading.get("left_out", ()))
    named = (_text(table, "topic") for name in ("question", "anchor") for table in _tables(values, name))
    return sorted({number for number in named if number not in known})


def put_topic(values: Values, topic: DraftTopic, *, number: str) -> None:
    """Write a topic of the study file under a number, in the place of the one it had; new ones stand last."""
    tables = _tables(values, "topic")
    table = next((one for one in tables if _text(one, "number") == topic.number), None)
    if table is None:
        table = {}
        tables.append(table)
    table["number"] = number
    for key in _WRITTEN:
        table[key] = getattr(topic, key)
    values["topic"] = tables
    for name in ("question", "anchor"):
        for one in _tables(values, name):
            if number and _text(one, "topic") == topic.number:
                one["topic"] = number
    topic.number = number


def drop_topic(values: Values, number: str) -> None:
    """Take a topic of the study file away, with its question and its anchors."""
    for name, key in (("topic", "number"), ("question", "topic"), ("anchor", "topic")):
        _keep(values, name, [one for one in _tables(values, name) if _text(one, key) != number])


def put_question(
    values: Values, number: str, *, question: str, options: Sequence[str], right: int | None
) -> None:
    """Write the question of a topic, in its own table or in a `[[question]]`; an empty one is taken away."""
    asked: Values = {"question": question, "options": list(options)}
    if right is not None and right < len(options):
        asked["answer"] = options[right]
    if not question and not any(options):
        asked = {}
    own = next((one for one in _tables(values, "topic") if _text(one, "number") == number), None)
    if own is not None:
        for key in ("question", "options", "answer"):
            own.pop(key, None)
        own.update(asked)
    others = [one for one in _tables(values, "question") if _text(one, "topic") != number]
    if own is None and asked:
        others.append({"topic": number, **asked})
    _keep(values, "question", others)


def named_anchors(values: Values, number: str) -> dict[str, str]:
    """Return the anchors that the study file names for a topic, by grade, and the `reason` it gives."""
    table = next((one for one in _tables(values, "anchor") if _text(one, "topic") == number), {})
    return {grade: _text(table, grade) for grade in ("H", "N", "reason") if grade in table}


def put_anchors(values: Values, number: str, documents: Mapping[str, str]) -> None:
    """Name the anchors of a topic, with the `reason`; a grade without a document is drawn by the seed."""
    named = {key: text for key, text in documents.items() if text}
    if not named.keys() - {"reason"}:
        named = {}
    others = [one for one in _tables(values, "anchor") if _text(one, "topic") != number]
    _keep(values, "anchor", [*others, {"topic": number, **named}] if named else others)


def _ask(topic: DraftTopic, table: Mapping[str, Any]) -> None:
    topic.question = _text(table, "question")
    found = table.get("options")
    options = [str(one) for one in found] if isinstance(found, list) else []
    topic.options = (options + [""] * OPTIONS)[: max(OPTIONS, len(options))]
    answer = table.get("answer")
    topic.right = topic.options.index(answer) if answer in topic.options else None


def _keep(values: Values, name: str, tables: list[Values]) -> None:
    if tables:
        values[name] = tables
    else:
        values.pop(name, None)


def _tables(values: Values, name: str) -> list[Values]:
    found = values.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    return value if isinstance(value, str) else str(value)
