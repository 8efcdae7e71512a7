"""Estimate what a machine judge costs before its first call: the usual cost, and an upper bound."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import Final, TypeVar

from judging.core.selectors.machine import judge_named, machine_budget_left, used_by
from judging.machine.judge_file import JudgeFile
from judging.machine.questions import Given, Questions
from judging.machine.spending import PER_MESSAGE, most_tokens_in, price
from judging.machine.walk import MOST_PRACTICE
from judging.models import PoolDocument, Study, Topic
from judging.protocol.checks.practice import LINES
from judging.protocol.scales import compares_pairs
from judging.protocol.scales.answers import LONGEST

BYTES_PER_TOKEN: Final = 4
"""How many bytes a token usually has in English. An upper bound counts a token for every byte."""
_USUAL_ANSWER: Final = 60
"""The tokens of an answer of two lines."""
_GIVEN: Final = Given(10, "100", "A short reason that says what the document has to do with it.")


_Bound = TypeVar("_Bound", int, float, Decimal)


@dataclass(frozen=True)
class Estimate:
    """What a judge costs. `usual` numbers assume that it passes everything at once, `most` are upper bounds.

    `least_seconds` comes from the limit of rate. A limit in the judge file lowers the upper bounds, and the
    study's budget for machine judges lowers that of money. `budget_left` is what is left of this budget, or
    None if there is none.
    """

    units: int
    usual_calls: int
    most_calls: int
    usual_tokens: int
    most_tokens: int
    usual_money: Decimal
    most_money: Decimal
    least_seconds: float
    most_seconds: float
    budget_left: Decimal | None


@dataclass(frozen=True)
class _Step:
    """A question of `size` tokens that is asked up to `number` times, and usually `usual` times."""

    usual: int
    number: int
    size: int


def estimate(study: Study, file: JudgeFile) -> Estimate:
    """Return what it costs to let a judge judge a study from the start.

    If the judge has begun, what it has cost so far is part of it, so the budget leaves that besides.
    """
    questions = Questions(study, file.prompt)
    topics = list(Topic.objects.filter(study=study, retired_at__isnull=True).select_related("question"))
    units = {topic.pk: _units(study, topic, file.judgments) for topic in topics}
    steps = [*_practice(study, questions, units), *_work(study, questions, topics, units, file.answer_tokens)]
    tries = 1 + file.retries
    again = len(questions.again("").encode()) + 2 * PER_MESSAGE + file.answer_tokens + 200
    usual_calls, most_calls = sum(step.usual for step in steps), tries * sum(step.number for step in steps)
    usual_input = sum(step.usual * ceil(step.size / BYTES_PER_TOKEN) for step in steps)
    repeated = sum(range(tries)) * again
    most_input = sum(step.number * (tries * step.size + repeated) for step in steps)
    usual_output, most_output = usual_calls * _USUAL_ANSWER, most_calls * file.answer_tokens
    pause = 60 / float(file.requests_per_minute)
    each = float(file.timeout_seconds) * tries + pause
    left = machine_budget_left(study)
    return Estimate(
        units=sum(units.values()),
        usual_calls=usual_calls,
        most_calls=most_calls,
        usual_tokens=usual_input + usual_output,
        most_tokens=_least(most_input + most_output, file.most_tokens),
        usual_money=price(file, usual_input, usual_output),
        most_money=_least(
            _least(price(file, most_input, most_output), file.most_money), _share(study, file, left)
        ),
        least_seconds=usual_calls * pause,
        most_seconds=_least(
            most_calls * each, None if file.most_seconds is None else file.most_seconds + each
        ),
        budget_left=left,
    )


def _share(study: Study, file: JudgeFile, left: Decimal | None) -> Decimal | None:
    """Return the most that the study's budget lets a judge cost, with what it has cost so far."""
    if left is None:
        return None
    begun = judge_named(study, file.name)
    return max(left, Decimal(0)) + (used_by(begun).money if begun else Decimal(0))


def _least(bound: _Bound, limit: _Bound | None) -> _Bound:
    return bound if limit is None else min(bound, limit)


def _units(study: Study, topic: Topic, judgments: int) -> int:
    pooled = PoolDocument.objects.filter(topic=topic, anchor="").count()
    return ceil(pooled * judgments / study.others_per_unit)


def _practice(study: Study, questions: Questions, units: dict[int, int]) -> Iterator[_Step]:
    """Yield the lines of the practice, which every sitting does again."""
    if questions.judging.practice is None:
        return
    sittings = max(units.values(), default=0)
    most = sum(units.values()) if study.max_units_per_worker is not None else sittings
    lengths = [LONGEST] * LINES
    given = [Given(place, "100") for place in range(1, LINES)]
    size = most_tokens_in(questions.practice(lengths, LINES - 1, given, 1).messages)
    attempts = min(study.practice_attempts or MOST_PRACTICE, MOST_PRACTICE)
    usual = sittings
    if study.max_units_per_worker:
        usual = max(sittings, ceil(sum(units.values()) / study.max_units_per_worker))
    yield _Step(usual * LINES, max(usual, most) * LINES * attempts, size)


def _work(
    study: Study, questions: Questions, topics: Sequence[Topic], units: dict[int, int], answer_tokens: int
) -> Iterator[_Step]:
    """Yield the questions about topics, and those about documents, which a judge may get twice."""
    ways = 2 if compares_pairs(study) else 1
    given = [_GIVEN] * (study.unit_size - 1)
    for topic in topics:
        asked = questions.comprehension(topic, topic.question.text, topic.question.options)
        yield _Step(units[topic.pk], units[topic.pk], most_tokens_in(asked.messages))
        pool = PoolDocument.objects.filter(topic=topic).select_related("document")
        sizes = []
        for pooled in pool:
            other = pooled if ways == 2 else None
            messages = questions.document(topic, pooled, other, study.unit_size, given, attempt=1).messages
            sizes.append(most_tokens_in(messages))
        if sizes:
            # Units differ, so the bound takes the longest documents for all of them.
            pages = units[topic.pk] * study.unit_size * ways
            usual = ceil(sum(sizes) / len(sizes))
            yield _Step(pages, 0, usual)
            yield _Step(0, 2 * pages, max(sizes) + _memory(questions, study, answer_tokens))


def _memory(questions: Questions, study: Study, answer_tokens: int) -> int:
    """Return the tokens that earlier answers can add to a question."""
    revise = most_tokens_in([{"role": "user", "content": questions.prompt.sections["revise"]}])
    return revise + study.unit_size * (answer_tokens + PER_MESSAGE)
