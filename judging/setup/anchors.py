"""Find the documents that can become anchors of a topic, and the anchors that runs and pilots propose."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from judging.core.documents.plain import plain_text
from judging.core.selectors.anchors import EarlierJudgments, earlier_judgments
from judging.models import Document, KnownGrade, PoolDocument, Study, Topic
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.anchor_proposals import (
    PilotProposal,
    RunProposal,
    proposal_reason,
    propose_from_pilot,
)
from judging.protocol.markup import Markup
from judging.protocol.states import Grade
from judging.setup.reading import TopicSummary

GRADES: Final = (Grade.H, Grade.N)
"""The grades for which runs and pilots propose anchors. The proposals are for the first pair."""
_ORDER: Final = {Grade.H.value: 0, Grade.N.value: 1}
_MOST_OF_A_GRADE: Final = 200
"""The maximum number of documents of each grade in the list of candidates.

Anchors and proposed documents are listed even beyond this number.
"""


@dataclass
class Candidate:
    """A document that can become an anchor. Most candidates are in the topic's pool.

    `anchor` names the anchor that the document is now, such as "H", and is "" if it is none.
    """

    id: str
    title: str
    text: str
    layout: str
    markup: str
    sources: list[dict[str, str]]
    grade: str
    anchor: str
    in_pool: bool = True

    @property
    def words(self) -> int:
        """Return the number of words that workers see of the document, without its sources."""
        return len(plain_text(self.text, Markup(self.markup)).split())


@dataclass(frozen=True)
class Proposal:
    """A document that was proposed as an anchor: by runs, by a pilot, or by both."""

    grade: Grade
    candidate: Candidate
    runs: RunProposal | None
    pilot: PilotProposal | None

    @property
    def reason(self) -> str:
        """Return the reason to record when a researcher confirms the proposal."""
        return proposal_reason(self.grade, self.runs, self.pilot)


@dataclass(frozen=True)
class Choice:
    """The documents from which a researcher can choose the anchors of a topic.

    `candidates` maps document ids to candidates. A document outside the pool is a candidate only if it is
    proposed or viewed, and if the study has its text. `earlier` maps document ids to the earlier judgments of
    these documents. `proposals` is empty if the topic does not need proposals, because its grades are known
    or its anchors can no longer change.
    """

    candidates: Mapping[str, Candidate]
    earlier: Mapping[str, EarlierJudgments]
    proposals: Mapping[Grade, list[Proposal]]

    @property
    def reasons(self) -> dict[Grade, dict[str, str]]:
        """Return the reasons to record for the proposals, by anchor and document id."""
        return reasons_of(self.proposals)


def reasons_of(proposals: Mapping[Grade, list[Proposal]]) -> dict[Grade, dict[str, str]]:
    """Return the reasons to record for the proposals, by anchor and document id."""
    return {
        grade: {proposal.candidate.id: proposal.reason for proposal in listed}
        for grade, listed in proposals.items()
    }


def choice_of(
    topic: Topic,
    *,
    summary: TopicSummary | None,
    studies: QuerySet[Study],
    study: Study,
    viewed: Collection[str] = (),
) -> Choice:
    """Return the documents from which the anchors of a topic can be chosen.

    `summary` is the topic's summary from the last check, or None. The earlier judgments come from topics in
    `studies` that have the same number and title. `study` is the study whose set-up is being edited. In this
    study, only the number has to be the same, because the title may have been edited. `viewed` holds the ids
    of documents that are listed even if the pool does not contain them.
    """
    pool = PoolDocument.objects.filter(topic=topic).order_by()
    pooled = set(pool.values_list("document__document_id", flat=True))
    earlier = earlier_judgments(studies, topic=topic.number, title=topic.title, documents=pooled, of=study)
    by_runs, by_pilot = _proposed(summary, earlier)
    proposed = {grade: dict.fromkeys((*by_pilot[grade], *by_runs[grade])) for grade in by_runs}
    also = {document for documents in proposed.values() for document in documents} | {*viewed} - {""}
    listed = {candidate.id: candidate for candidate in _candidates(topic, also)}
    listed |= _outside_pool(topic.study, also - pooled)
    proposals = {
        grade: [
            Proposal(grade, listed[document], by_runs[grade].get(document), by_pilot[grade].get(document))
            for document in documents
            if document in listed
        ]
        for grade, documents in proposed.items()
    }
    return Choice(listed, earlier, proposals)


def _proposed(
    summary: TopicSummary | None, earlier: Mapping[str, EarlierJudgments]
) -> tuple[dict[Grade, dict[str, RunProposal]], dict[Grade, dict[str, PilotProposal]]]:
    """Return the proposals from the runs, and the proposals from a pilot.

    Each result maps an anchor (H or N) to a dict from document ids to proposals.
    """
    if summary is None or "proposals" not in summary:
        return {}, {}
    runs = {grade: {entry.document: entry for entry in by} for grade, by in _by_runs(summary).items()}
    pilot = propose_from_pilot({id: (entry.judgments, entry.times) for id, entry in earlier.items()})
    return runs, {grade: {entry.document: entry for entry in listed} for grade, listed in pilot.items()}


def _by_runs(summary: TopicSummary) -> dict[Grade, list[RunProposal]]:
    """Return the proposals that the last check derived from the runs and stored."""
    stored = summary.get("proposals", {})
    return {
        grade: [
            RunProposal(entry["id"], entry["ranks"], entry["more"], entry.get("top_of", ""))
            for entry in stored.get(grade, ())
        ]
        for grade in GRADES
    }


def open_proposals(
    topics: Iterable[Topic], read: Mapping[str, TopicSummary], *, study: Study, most: int
) -> dict[Topic, dict[Grade, list[Proposal]]]:
    """Return the proposals from the runs for the anchors that nobody has chosen yet.

    `read` holds the summaries of the last check. The result has at most `most` topics. Leave out topics and
    anchors without proposals. Also leave out documents that were chosen as the topic's other anchor. This
    takes one query, or none if there are no proposals.
    """
    waiting: dict[Topic, dict[Grade, list[RunProposal]]] = {}
    for topic in topics:
        named = {anchor.value: document for anchor, document in topic.named.items()}
        by_grade = {
            grade: [entry for entry in listed if entry.document not in named.values()]
            for grade, listed in _by_runs(read[topic.number]).items()
            if grade.value not in named
        }
        if any(by_grade.values()) and len(waiting) < most:
            waiting[topic] = by_grade
    ids = {entry.document for by in waiting.values() for listed in by.values() for entry in listed}
    texts = _outside_pool(study, ids)
    return {
        topic: {
            grade: [
                Proposal(grade, texts[entry.document], entry, None)
                for entry in listed
                if entry.document in texts
            ]
            for grade, listed in by_grade.items()
            if listed
        }
        for topic, by_grade in waiting.items()
    }


def anchors_against_grades(topic: Topic, chosen: Mapping[Anchor, str]) -> dict[Anchor, tuple[str, str]]:
    """Return the chosen anchors that the known grades do not support.

    `chosen` is a dict from the anchor to the document. The result maps the anchor to the document
    and its known grade, which is "" if the document has none. If the topic has no known grades, the result is
    empty.
    """
    grades = dict(PoolDocument.objects.filter(topic=topic).values_list("document__document_id", "grade"))
    if not any(grades.values()):
        return {}
    first = KnownGrade.objects.filter(grade_set__place=0, topic=topic, document_id__in=chosen.values())
    grades = dict(first.values_list("document_id", "level")) | grades
    return {
        anchor: (document, grades.get(document, ""))
        for anchor, document in chosen.items()
        if document and grades.get(document) != anchor.grade
    }


def _outside_pool(study: Study, documents: Collection[str]) -> dict[str, Candidate]:
    """Return the documents with these ids if the study has their texts, even if they are in no pool."""
    if not documents:
        return {}
    rows = Document.objects.filter(study=study, document_id__in=documents).order_by("document_id")
    return {row.document_id: _candidate(row, study, in_pool=False) for row in rows}


def _candidate(
    document: Document, study: Study, grade: str = "", anchor: str = "", *, in_pool: bool = True
) -> Candidate:
    return Candidate(
        document.document_id,
        document.title,
        document.text,
        document.layout or study.layout,
        document.markup or study.markup,
        document.sources,
        grade,
        anchor,
        in_pool,
    )


def _candidates(topic: Topic, also: Collection[str] = ()) -> Iterator[Candidate]:
    """Yield up to 200 pooled documents of each grade, all anchors, and the pooled documents in `also`.

    Documents graded H or N come first.
    """
    listed: Counter[str] = Counter()
    pool = PoolDocument.objects.filter(topic=topic).select_related("document")
    for row in sorted(pool, key=lambda row: (_ORDER.get(row.grade, 2), row.document.document_id)):
        listed[row.grade] += 1
        document = row.document
        if listed[row.grade] <= _MOST_OF_A_GRADE or row.anchor or document.document_id in also:
            yield _candidate(document, topic.study, row.grade, row.anchor)
