"""Count the failed checks of each topic, and find topics whose anchors or question may be bad."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from judging.core.selectors.attempts import study_attempts
from judging.core.selectors.kinds import events_of
from judging.models import PoolDocument, Study, Topic
from judging.models.fields import values
from judging.protocol import bad_anchor, bad_question
from judging.protocol.anchor_pairs import PAIRS, Anchor
from judging.protocol.bad_anchor import PairRecord
from judging.protocol.bad_question import QuestionRecord
from judging.protocol.checks import anchors as anchors_check
from judging.protocol.checks import comprehension, unit_checks
from judging.protocol.checks.check import Check
from judging.protocol.states import ENDS, LIVE, AssignmentState
from judging.protocol.words import Sentence

_DECIDED: Final = (
    AssignmentState.COMPREHENSION_FAILED.value,
    AssignmentState.JUDGING.value,
    AssignmentState.REVISING.value,
    AssignmentState.COMPLETED.value,
    AssignmentState.CHECKS_FAILED.value,
)
"""The states that an attempt can have only after the worker has answered the question."""
_UNDECIDED: Final = tuple(state for state in values(ENDS) if state not in _DECIDED)
_COUNTED: Final = {
    "number": Count("pk"),
    "checked": Count("failed_finishes"),  # `failed_finishes` is None for attempts from a file
    "with_failure": Count("pk", filter=Q(failed_finishes__gt=0)),
    "with_back": Count("pk", filter=Q(back_uses__gt=0)),
}


@dataclass(frozen=True)
class PairQuality:
    """A pair of anchors: its number, its documents, and how often workers failed check (c) with it."""

    number: int
    h_id: str
    n_id: str
    record: PairRecord

    @property
    def h(self) -> Anchor:
        return PAIRS[self.number - 1][0]

    @property
    def n(self) -> Anchor:
        return PAIRS[self.number - 1][1]

    @property
    def bad_anchor(self) -> Sentence | None:
        """Return the evidence that the pair may be bad, or None if `protocol.bad_anchor` finds none."""
        return bad_anchor.evidence(self.record) if bad_anchor.is_bad(self.record) else None


@dataclass(frozen=True)
class TopicQuality:
    """The quality of a topic.

    `pair` holds counts for all anchors together, `pairs` for each pair, and `question` for the question. The
    counts are numbers of workers, but `tied` and `inverted` are numbers of failed attempts. In `pair`, an
    attempt is tied if some pair is tied and none is inverted.

    `failed` maps the letter of each check at the end of a unit to the number of units that failed it.
    `failed_units` is the number of units that failed any of these checks. `used_back` is the number of
    completed units in which the worker went back. `lapsed` is the number of attempts that lapsed.
    """

    topic: Topic
    pairs: Sequence[PairQuality]
    pair: PairRecord
    question: QuestionRecord
    failed: Mapping[str, int]
    failed_units: int
    used_back: int
    lapsed: int

    @property
    def h_id(self) -> str:
        """Return the ids of the H anchors, with a space between them."""
        return " ".join(pair.h_id for pair in self.pairs if pair.h_id)

    @property
    def n_id(self) -> str:
        """Return the ids of the N anchors, with a space between them."""
        return " ".join(pair.n_id for pair in self.pairs if pair.n_id)

    @property
    def bad_pairs(self) -> list[PairQuality]:
        """Return the pairs of anchors that may be bad."""
        return [pair for pair in self.pairs if pair.bad_anchor is not None]

    @property
    def bad_anchor(self) -> Sentence | None:
        """Return the evidence that a pair may be bad, or None if `protocol.bad_anchor` finds none."""
        return next((pair.bad_anchor for pair in self.bad_pairs), None)

    @property
    def bad_question(self) -> Sentence | None:
        """Return the evidence that the question may be bad, or None if `protocol.bad_question` finds none."""
        return bad_question.evidence(self.question) if bad_question.is_bad(self.question) else None


def topic_quality(study: Study) -> list[TopicQuality]:
    """Return the quality of each topic, in the study's order.

    This takes five queries, and one more in a study with two pairs of anchors.
    """
    anchors = {
        (topic, anchor): document
        for topic, anchor, document in PoolDocument.objects.filter(topic__study=study)
        .exclude(anchor="")
        .order_by()
        .values_list("topic_id", "anchor", "document__document_id")
    }
    counts = _counts(study)
    tries, options = _events(study)
    failed = _failed_by_pair(study)

    def record(topic: int, number: int = 0) -> PairRecord:
        """Return the record of a pair, or of all anchors together if `number` is 0."""
        finished, of_check = counts[topic]["finished"], counts[topic][anchors_check.CHECK.letter]
        return PairRecord(
            finished,
            len(failed[topic, number]) if number and study.anchor_pairs > 1 else of_check,
            tied=sum(times for orders, times in tries[topic].items() if _order(orders, number) == "tied"),
            inverted=sum(
                times for orders, times in tries[topic].items() if _order(orders, number) == "inverted"
            ),
            is_only=study.anchor_pairs == 1,
        )

    return [
        TopicQuality(
            topic=topic,
            pairs=[
                PairQuality(
                    number,
                    anchors.get((topic.pk, high), ""),
                    anchors.get((topic.pk, low), ""),
                    record(topic.pk, number),
                )
                for number, (high, low) in enumerate(PAIRS[: study.anchor_pairs], start=1)
            ],
            pair=record(topic.pk),
            question=QuestionRecord(
                counts[topic.pk]["answered"], counts[topic.pk]["wrong"], options[topic.pk]
            ),
            failed={check.letter: counts[topic.pk][check.letter] for check in unit_checks()},
            failed_units=counts[topic.pk]["with_failure"],
            used_back=counts[topic.pk]["with_back"],
            lapsed=counts[topic.pk]["lapsed"],
        )
        for topic in study.topics.order_by("place").defer("description", "narrative")
    ]


def _order(orders: str, number: int) -> str:
    """Return the order of a pair in a failed attempt, or the worst order of all pairs if `number` is 0.

    `orders` is the fact `anchors` of the event.
    """
    by_pair = anchors_check.orders_of(orders)
    if not number:
        return next((order for order in ("inverted", "tied") if order in by_pair), "")
    return by_pair[number - 1] if number <= len(by_pair) else ""


def _failed_by_pair(study: Study) -> Mapping[tuple[int, int], set[int]]:
    """Return a dict from a topic's key and the number of a pair to the attempts that failed with this pair.

    Return an empty dict for a study with one pair: its failures are the failures of check (c).
    """
    failed: Mapping[tuple[int, int], set[int]] = defaultdict(set)
    if study.anchor_pairs == 1:
        return failed
    wrong = {"inverted"} if study.anchor_ties == "pass" else {"inverted", "tied"}
    events = events_of(study).filter(kind=anchors_check.CHECK.event, assignment__isnull=False)
    for topic, attempt, orders in events.order_by().values_list("topic_id", "assignment_id", "anchors"):
        for number, order in enumerate(anchors_check.orders_of(orders), start=1):
            if order in wrong:
                failed[topic, number].add(attempt)
    return failed


def _counts(study: Study) -> Mapping[int, Counter[str]]:
    """Return the counts of attempts by topic. This takes two queries.

    The first query counts attempts by state. For ended attempts, it reads only an index. It reads the table
    only for live attempts, which are few.

    The second query counts attempts that ended early, but after the worker had answered the question
    correctly. Such an attempt has a `serial` above 0, because a correct answer is the first step that raises
    `serial`. The first query cannot count these attempts, because no index includes `serial`, which changes
    often.
    """
    counts_by_topic: Mapping[int, Counter[str]] = defaultdict(Counter)
    attempts = study_attempts(study)
    with_failure = {
        f"with_failed_{check.letter}": Count("pk", filter=Q(failed_checks__has_key=check.letter))
        for check in unit_checks()
    }
    counts = _COUNTED | with_failure
    counted = attempts.values_list("topic_id", "state").annotate(**counts)
    live = counted.filter(state__in=values(LIVE))
    for topic, state, *numbers in counted.filter(ended_at__isnull=False).union(live, all=True):
        counts_by_topic[topic].update(_of_state(state, dict(zip(counts, numbers, strict=True))))
    given_up = attempts.filter(ended_at__isnull=False, state__in=_UNDECIDED, serial__gt=0)
    for topic, number in given_up.values_list("topic_id").annotate(number=Count("pk")):
        counts_by_topic[topic]["answered"] += number
    return counts_by_topic


def _of_state(state: str, counts: Mapping[str, int]) -> dict[str, int]:
    number, checked = counts["number"], counts["checked"]
    completed = state == AssignmentState.COMPLETED
    return {
        "finished": checked if completed else counts["with_failure"],
        **{check.letter: counts[f"with_failed_{check.letter}"] for check in unit_checks()},
        "with_failure": counts["with_failure"],
        "with_back": counts["with_back"] if completed else 0,
        "lapsed": number if state == AssignmentState.LAPSED else 0,
        "answered": checked if state in _DECIDED else 0,
        "wrong": number if state == AssignmentState.COMPREHENSION_FAILED else 0,
    }


def _events(study: Study) -> tuple[Mapping[int, dict[str, int]], Mapping[int, dict[int, int]]]:
    """Return two dicts whose keys are the primary keys of topics.

    For failed anchor checks, the first dict counts how often the anchors had each order, as in the fact
    `anchors` of the event. The second dict counts how often workers chose each wrong option of the question.
    """
    anchors: Mapping[int, dict[str, int]] = defaultdict(dict)
    options: Mapping[int, dict[int, int]] = defaultdict(dict)
    of_anchors, of_question = anchors_check.CHECK.event, comprehension.CHECK.event
    kinds = (of_anchors, of_question)
    rows = events_of(study).filter(topic__isnull=False, kind__in=kinds).order_by()
    groups = rows.values_list("topic_id", "kind", "anchors", "option").annotate(number=Count("pk"))
    for topic, kind, order, option, number in groups:
        if kind == of_anchors and order:
            anchors[topic][order] = anchors[topic].get(order, 0) + number
        elif kind == of_question and option is not None:
            options[topic][option] = options[topic].get(option, 0) + number
    return anchors, options


def failed_of(quality: Sequence[TopicQuality]) -> list[tuple[Check[...], int, int]]:
    """Return a tuple for each check except practice: the check, how many failed, and how many were checked.

    For check (b), the numbers count answers. For the other checks, they count units.
    """
    finished = sum(topic.pair.workers for topic in quality)
    wrong = sum(topic.question.wrong for topic in quality)
    answered = sum(topic.question.workers for topic in quality)
    return [
        (comprehension.CHECK, wrong, answered),
        *((check, sum(topic.failed[check.letter] for topic in quality), finished) for check in unit_checks()),
    ]
