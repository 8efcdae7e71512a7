"""The questions that a machine judge gets: the messages of a chat for each step of the protocol."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from judging.core.documents.citations import SourceText
from judging.core.documents.plain import plain_text, texts_of
from judging.core.selectors.texts import fill_fields
from judging.machine.client import Message
from judging.machine.fencing import fence
from judging.machine.prompts import Prompt
from judging.machine.reading import listed, words_of
from judging.models import Document, PoolDocument, Study, Topic
from judging.models.machine import Purpose
from judging.protocol.scales import judging_of
from judging.protocol.scales.answers import LONGEST

FRAME: Final = 100
"""The number of signs that fill the frame of the practice lines."""
_SIGN: Final = "#"


@dataclass(frozen=True)
class Question:
    """The messages of a question, and what it is about."""

    messages: list[Message]
    purpose: Purpose
    topic: Topic | None = None
    document: PoolDocument | None = None
    other: PoolDocument | None = None
    attempt: int = 1


@dataclass(frozen=True)
class Given:
    """An answer that the judge has given in the current unit or at the current practice."""

    place: int
    answer: str
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.answer}" + (f" ({self.reason})" if self.reason else "")


class Questions:
    """Writes the questions of a study for one prompt."""

    def __init__(self, study: Study, prompt: Prompt) -> None:
        self.study = study
        self.prompt = prompt
        self.judging = judging_of(study)
        keys = (*self.judging.instructions, "instructions_task")
        instructions = "\n\n".join(fill_fields(getattr(study, key), study) for key in keys)
        self._system = prompt.fill("system", {"instructions": instructions})

    def practice(self, lengths: Sequence[int], line: int, given: Iterable[Given], attempt: int) -> Question:
        """Return the question about a line of the practice."""
        assert self.judging.practice is not None, "only scales with a practice have lines"
        rows = [row_of(length) for length in lengths]
        options = self.judging.practice.options
        values = {
            "place": str(line + 1),
            "places": str(len(rows)),
            "line": rows[line],
            "framed_line": rows[line].ljust(FRAME, "."),
            "next_line": rows[(line + 1) % len(rows)],
            "all_lines": "\n".join(f"{number}: {row}" for number, row in enumerate(rows, start=1)),
            "earlier": "\n".join(f"{rows[entry.place - 1]}\nYour answer: {entry.answer}" for entry in given),
            "options": listed([words_of(option) for option in options(self.study)]) if options else "",
        }
        return self._question("practice", values, Purpose.PRACTICE, attempt=attempt)

    def comprehension(self, topic: Topic, text: str, options: Sequence[str]) -> Question:
        """Return the question about a topic. The options are in the order shown."""
        values = {"topic": topic_text(topic), "question": text, "options": listed(options)}
        return self._question("question", values, Purpose.QUESTION, topic=topic)

    def document(
        self,
        topic: Topic,
        document: PoolDocument,
        other: PoolDocument | None,
        place: int,
        given: Sequence[Given],
        *,
        attempt: int,
    ) -> Question:
        """Return the question about a document or a pair. After a failed attempt, it asks for a revision."""
        options = self.judging.options
        earlier = "\n".join(map(str, given))
        shows_earlier = self.prompt.remembers and attempt == 1
        values = {
            "topic": topic_text(topic),
            "document": fence(document_text(document.document, self.study)),
            "other": fence(document_text(other.document, self.study)) if other else "",
            "place": str(place),
            "places": str(self.study.unit_size),
            "earlier": f"Your answers so far:\n{fence(earlier)}" if earlier and shows_earlier else "",
            "options": listed([words_of(option) for option in options(self.study)]) if options else "",
        }
        question = self._question(
            "document",
            values,
            Purpose.DOCUMENT,
            topic=topic,
            document=document,
            other=other,
            attempt=attempt,
        )
        if attempt > 1:
            revise = self.prompt.fill("revise", {"earlier": fence(earlier)})
            question.messages[-1]["content"] += f"\n\n{revise}"
        return question

    def again(self, fault: str) -> str:
        """Return what the judge is told after an answer that cannot be used."""
        return self.prompt.fill("again", {"fault": fault})

    def _question(
        self,
        section: str,
        values: dict[str, str],
        purpose: Purpose,
        *,
        topic: Topic | None = None,
        document: PoolDocument | None = None,
        other: PoolDocument | None = None,
        attempt: int = 1,
    ) -> Question:
        messages: list[Message] = [
            {"role": "system", "content": self._system},
            {"role": "user", "content": self.prompt.fill(section, values)},
        ]
        return Question(messages, purpose, topic, document, other, attempt)


def row_of(length: int) -> str:
    """Return a practice line as a row of signs in proportion to its length."""
    return _SIGN * round(length * FRAME / LONGEST)


def topic_text(topic: Topic) -> str:
    """Return the text of a topic, as its page shows it."""
    return "\n\n".join(filter(None, (topic.title, topic.description, topic.narrative)))


def document_text(document: Document, study: Study) -> str:
    """Return the title and the words of a document, and those of its sources if it is an answer."""
    sources = [SourceText(**source) for source in document.sources]
    own, *others = (plain_text(*entry) for entry in texts_of(document, sources, study.markup))
    parts = [document.title, own]
    for number, (source, text) in enumerate(zip(sources, others, strict=True), start=1):
        parts.append(f"Source {number}: {source.title}\n{text}")
    return "\n\n".join(part for part in parts if part)
