"""How each topic's anchors and question fare with the workers, and whether a rule finds them bad."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from judging.models import Assignment, Event, EventKind, PoolDocument, Study, Topic
from judging.models.fields import values
from judging.protocol import bad_anchor, bad_question
from judging.protocol.bad_anchor import PairRecord
from judging.protocol.bad_question import QuestionRecord
from judging.protocol.states import AssignmentState

_WRONG: Final = Q(state=AssignmentState.COMPREHENSION_FAILED.value)
_ANSWERED: Final = (
    _WRONG
    # A right answer is the first thing that the serial counts.
    | Q(serial__gt=0)
    | Q(
        state__in=values(
            (
                AssignmentState.JUDGING,
                AssignmentState.REVISING,
                AssignmentState.COMPLETED,
                AssignmentState.CHECKS_FAILED,
            )
        )
    )
)
_COMPLETED: Final = Q(state=AssignmentState.COMPLETED.value)
_FINISHED: Final = _COMPLETED | Q(failed_finishes__gt=0)


@dataclass(frozen=True)
class TopicQuality:
    """A topic: `pair` and `question` count different workers.

    `failed_d` and `failed_units` are units at a finish that failed (d), or any check; `used_back` are
    completed units, `lapsed` attempts.
    """

    topic: Topic
    h_id: str
    n_id: str
    pair: PairRecord
    question: QuestionRecord
    failed_d: int
    failed_units: int
    used_back: int
    lapsed: int

    @property
    def bad_anchor(self) -> str:
        """What speaks against the anchors, where the rule finds them bad; else nothing."""
        return bad_anchor.evidence(self.pair) if bad_anchor.is_bad(self.pair) else ""

    @property
    def bad_question(self) -> str:
        """The same for the question."""
        return bad_question.evidence(self.question) if bad_question.is_bad(self.question) else ""


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
    tries = _events(study, EventKind.ANCHORS_FAILED, "anchors")
    options = _events(study, EventKind.COMPREHENSION_FAILED, "option")
    return [
        TopicQuality(
            topic=topic,
            h_id=anchors.get((topic.pk, "H"), ""),
            n_id=anchors.get((topic.pk, "N"), ""),
            pair=PairRecord(
                counts[topic.pk]["finished"],
                counts[topic.pk]["with_failed_c"],
                tied=tries[topic.pk].get("tied", 0),
                inverted=tries[topic.pk].get("inverted", 0),
            ),
            question=QuestionRecord(
                counts[topic.pk]["answered"], counts[topic.pk]["wrong"], options[topic.pk]
            ),
            failed_d=counts[topic.pk]["with_failed_d"],
            failed_units=counts[topic.pk]["with_failure"],
            used_back=counts[topic.pk]["with_back"],
            lapsed=counts[topic.pk]["lapsed"],
        )
        for topic in study.topics.order_by("place").defer("description", "narrative")
    ]


def _counts(study: Study) -> Mapping[int, Mapping[str, int]]:
    counted = {
        "finished": Count("pk", filter=_FINISHED),
        "with_failed_c": Count("pk", filter=Q(failed_c__gt=0)),
        "with_failed_d": Count("pk", filter=Q(failed_d__gt=0)),
        "with_failure": Count("pk", filter=Q(failed_finishes__gt=0)),
        "with_back": Count("pk", filter=_COMPLETED & Q(back_uses__gt=0)),
        "lapsed": Count("pk", filter=Q(state=AssignmentState.LAPSED.value)),
        "answered": Count("pk", filter=_ANSWERED),
        "wrong": Count("pk", filter=_WRONG),
    }
    rows = Assignment.objects.filter(topic__study=study).order_by().values("topic_id").annotate(**counted)
    found: Mapping[int, Mapping[str, int]] = defaultdict(lambda: defaultdict(int))
    return found | {row["topic_id"]: row for row in rows}


def _events(study: Study, kind: EventKind, column: str) -> Mapping[int, dict]:
    """Topic → value of a column → number of events, but for events without such a value."""
    found: Mapping[int, dict] = defaultdict(dict)
    rows = Event.objects.filter(study=study, kind=kind.value).order_by().values_list("topic_id", column)
    for topic, value, number in rows.annotate(number=Count("pk")):
        if value not in (None, ""):
            found[topic][value] = number
    return found
