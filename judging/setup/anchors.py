"""Find the documents that can become anchors of a topic, and the anchors that runs and pilots propose."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from judging.core.selectors.anchors import EarlierJudgments, earlier_judgments
from judging.models import PoolDocument, Study, Topic
from judging.protocol.anchor_proposals import (
    PilotProposal,
    RunProposal,
    proposal_reason,
    propose_from_pilot,
)
from judging.protocol.states import Grade
from judging.setup.reading import TopicSummary

ANCHORS: Final = (Grade.H, Grade.N)
_ORDER: Final = {Grade.H.value: 0, Grade.N.value: 1}
_MOST_OF_A_GRADE: Final = 200
"""The maximum number of documents of each grade in the list of candidates.

Anchors and proposed documents are listed even beyond this number.
"""


@dataclass
class Candidate:
    """A pooled document. `anchor` is "H" or "N" if the document is that anchor now, and "" otherwise."""

    id: str
    title: str
    text: str
    layout: str
    grade: str
    anchor: str

    @property
    def words(self) -> int:
        return len(self.text.split())


@dataclass(frozen=True)
class Proposal:
    """A pooled document that runs, a pilot or both propose as an anchor."""

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

    `candidates` maps the ids of pooled documents to the documents. `earlier` says how workers judged these
    documents before. `proposals` is empty if the topic does not need proposals, because its grades are known
    or its anchors can no longer change.
    """

    candidates: Mapping[str, Candidate]
    earlier: Mapping[str, EarlierJudgments]
    proposals: Mapping[Grade, list[Proposal]]

    @property
    def reasons(self) -> dict[Grade, dict[str, str]]:
        """Return the reasons to record for the proposals, by anchor and document id."""
        return {
            grade: {proposal.candidate.id: proposal.reason for proposal in listed}
            for grade, listed in self.proposals.items()
        }


def choice_of(
    topic: Topic, *, summary: TopicSummary | None, studies: QuerySet[Study], study: Study
) -> Choice:
    """Return the documents from which the anchors of a topic can be chosen.

    `summary` is the topic's summary from the last check, or None. The earlier judgments come from topics in
    `studies` that have the same number and title. `study` is the study whose set-up is being edited. There,
    only the number has to be the same, because the title may have been edited.
    """
    pool = PoolDocument.objects.filter(topic=topic).order_by()
    pooled = set(pool.values_list("document__document_id", flat=True))
    earlier = earlier_judgments(studies, topic=topic.number, title=topic.title, documents=pooled, of=study)
    by_runs, by_pilot = _proposed(summary, earlier)
    proposed = {grade: dict.fromkeys((*by_pilot[grade], *by_runs[grade])) for grade in by_runs}
    also = {document for documents in proposed.values() for document in documents}
    listed = {candidate.id: candidate for candidate in _candidates(topic, also)}
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
    stored = summary["proposals"]
    runs = {
        grade: {
            entry["id"]: RunProposal(entry["id"], entry["ranks"], entry["more"]) for entry in stored[grade]
        }
        for grade in ANCHORS
    }
    pilot = propose_from_pilot({id: (entry.judgments, entry.times) for id, entry in earlier.items()})
    return runs, {grade: {entry.document: entry for entry in listed} for grade, listed in pilot.items()}


def candidates(topic: Topic) -> list[Candidate]:
    """Return up to 200 pooled documents of each grade, and all anchors.

    Documents graded H or N come first.
    """
    return list(_candidates(topic))


def anchors_against_grades(topic: Topic, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the chosen anchors with which the known grades disagree.

    `chosen` is a dict from grade to document. Return an empty dict if the topic has no known grades.
    """
    grades = {candidate.id: candidate.grade for candidate in candidates(topic)}
    if not any(grades.values()):
        return {}
    return {
        grade: document for grade, document in chosen.items() if document and grades.get(document) != grade
    }


def _candidates(topic: Topic, also: Collection[str] = ()) -> Iterator[Candidate]:
    """Yield the documents that `candidates` returns, and the pooled documents whose ids are in `also`.

    Documents graded H or N come first.
    """
    listed: Counter[str] = Counter()
    pool = PoolDocument.objects.filter(topic=topic).select_related("document")
    for row in sorted(pool, key=lambda row: (_ORDER.get(row.grade, 2), row.document.document_id)):
        listed[row.grade] += 1
        document = row.document
        if listed[row.grade] <= _MOST_OF_A_GRADE or row.anchor or document.document_id in also:
            layout = document.layout or topic.study.layout
            yield Candidate(
                document.document_id, document.title, document.text, layout, row.grade, row.anchor
            )
