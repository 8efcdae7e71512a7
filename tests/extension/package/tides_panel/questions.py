from collections.abc import Iterator
from typing import Annotated, NamedTuple

from judging.core.published.common import TOPIC
from judging.core.published.table import Column, Published
from judging.models import Question, Study


class QuestionRow(NamedTuple):
    """The comprehension question of a topic."""

    topic_id: Annotated[str, TOPIC]
    question: Annotated[str, Column("the question")]
    right_option: Annotated[int | None, Column("the right option, from 0", "places")]


def question_rows(study: Study) -> Iterator[QuestionRow]:
    """Yield a row per topic, sorted by number."""
    rows = Question.objects.filter(topic__study=study).values_list("topic__number", "text", "right_option")
    yield from (QuestionRow(*row) for row in sorted(rows))


QUESTIONS = Published("questions", "The questions of the topics.", QuestionRow, question_rows, place=100)
