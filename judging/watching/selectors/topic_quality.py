"""How each topic's anchors and question fare with the workers, and whether a rule finds them bad."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from judging.core.selectors.attempts import study_attempts
from judging.core.words import translated
from judging.models import Event, PoolDocument, Study, Topic
from judging.models.fields import values
from judging.protocol import bad_anchor, bad_question
from judging.protocol.bad_anchor import PairRecord
from judging.protocol.bad_question import QuestionRecord
from judging.protocol.checks import anchors as anchors_check
from judging.protocol.checks import comprehension, unit_checks
from judging.protocol.checks.base import Check
from judging.protocol.states import ENDS, LIVE, AssignmentState

_DECIDED: Final = (
    AssignmentState.COMPREHENSION_FAILED.value,
    AssignmentState.JUDGING.value,
    AssignmentState.REVISING.value,
    AssignmentState.COMPLETED.value,
    AssignmentState.CHECKS_FAILED.value,
)
"""States of an attempt that tell that the question was answered."""
_UNDECIDED: Final = tuple(state for state in values(ENDS) if state not in _DECIDED)
_COUNTED: Final = {
    "number": Count("pk"),
    "checked": Count("failed_finishes"),  # but for those that came in a file
    "with_failure": Count("pk", filter=Q(failed_finishes__gt=0)),
    "with_back": Count("pk", filter=Q(back_uses__gt=0)),
}


@dataclass(frozen=True)
class TopicQuality:
    """A topic: `pair` and `question` count different workers.

    `failed` has the units at a finish that failed a check, by its letter, and `failed_units` those that
    failed any; `used_back` are completed units, `lapsed` attempts.
    """

    topic: Topic
    h_id: str
    n_id: str
    pair: PairRecord
    question: QuestionRecord
    failed: Mapping[str, int]
    failed_units: int
    used_back: int
    lapsed: int

    @property
    def anchors(self) -> list[tuple[str, str]]:
        """The anchors with their documents, H first."""
        return [("H", self.h_id), ("N", self.n_id)]

    @property
    def bad_anchor(self) -> str:
        """What speaks against the anchors, where the rule finds them bad; else nothing."""
        return translated(bad_anchor.evidence(self.pair)) if bad_anchor.is_bad(self.pair) else ""

    @property
    def bad_question(self) -> str:
        """The same for the question."""
        return translated(bad_question.evidence(self.question)) if bad_question.is_bad(self.question) else ""


def topic_quality(study: Study) -> list[TopicQuality]:
    """The topics in the study's order, in five queries."""
    anchors = {
        (topic, anchor): document
        for topic, anchor, document in PoolDocument.objects.filter(topic__study=study)
        .exclude(anchor="")
        .order_by()
        .values_list("topic_id", "anchor", "document__document_id")
    }
    counts = _counts(study)
    tries, options = _events(study)
    return [
        TopicQuality(
            topic=topic,
            h_id=anchors.get((topic.pk, "H"), ""),
            n_id=anchors.get((topic.pk, "N"), ""),
            pair=PairRecord(
                counts[topic.pk]["finished"],
                counts[topic.pk][anchors_check.CHECK.letter],
                tied=tries[topic.pk].get("tied", 0),
                inverted=tries[topic.pk].get("inverted", 0),
            ),
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


def _counts(study: Study) -> Mapping[int, Counter[str]]:
    """Topic → what its attempts are counted for; in two queries.

    Ended attempts are counted by their index alone, live ones are few. An attempt that was given up tells
    whether its question was answered by its serial, which no index has, as every form raises it: a right
    answer is the first thing that it counts.
    """
    found: Mapping[int, Counter[str]] = defaultdict(Counter)
    attempts = study_attempts(study)
    with_failure = {
        f"with_failed_{check.letter}": Count("pk", filter=Q(failed_checks__has_key=check.letter))
        for check in unit_checks()
    }
    counts = _COUNTED | with_failure
    counted = attempts.values_list("topic_id", "state").annotate(**counts)
    live = counted.filter(state__in=values(LIVE))
    for topic, state, *numbers in counted.filter(ended_at__isnull=False).union(live, all=True):
        found[topic].update(_of_state(state, dict(zip(counts, numbers, strict=True))))
    given_up = attempts.filter(ended_at__isnull=False, state__in=_UNDECIDED, serial__gt=0)
    for topic, number in given_up.values_list("topic_id").annotate(number=Count("pk")):
        found[topic]["answered"] += number
    return found


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
    """Topic → how the anchors failed → tries; topic → wrong option → answers."""
    anchors: Mapping[int, dict[str, int]] = defaultdict(dict)
    options: Mapping[int, dict[int, int]] = defaultdict(dict)
    of_anchors, of_question = anchors_check.CHECK.event, comprehension.CHECK.event
    told = (of_anchors, of_question)
    rows = Event.objects.filter(study=study, topic__isnull=False, kind__in=told).order_by()
    groups = rows.values_list("topic_id", "kind", "anchors", "option").annotate(number=Count("pk"))
    for topic, kind, how, option, number in groups:
        if kind == of_anchors and how:
            anchors[topic][how] = anchors[topic].get(how, 0) + number
        elif kind == of_question and option is not None:
            options[topic][option] = options[topic].get(option, 0) + number
    return anchors, options


def failed_of(quality: Sequence[TopicQuality]) -> list[tuple[Check[...], int, int]]:
    """Return of each check on a topic how often it failed, and of how many workers or units."""
    finished = sum(one.pair.workers for one in quality)
    wrong, answered = (sum(getattr(one.question, name) for one in quality) for name in ("wrong", "workers"))
    return [
        (comprehension.CHECK, wrong, answered),
        *((check, sum(one.failed[check.letter] for one in quality), finished) for check in unit_checks()),
    ]
