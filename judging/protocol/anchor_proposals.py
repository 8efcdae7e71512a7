"""Propose anchors for topics without known grades. A researcher decides which proposals to use.

**From the runs.** A topic needs at least `LEAST_RUNS` runs. Only the ranks of pooled documents count.

- H: a document is proposed if more than half of the runs rank it among their first `TOP` documents. The
  documents are sorted by the number of these runs, largest first. If the numbers are equal, the document with
  the better mean rank in these runs comes first.
- N: a document is proposed if few runs retrieve it and all of these runs rank it low. With eight or more
  runs, "few" means at most a quarter of the runs. With fewer runs, it means one run. A rank is low if it is
  beyond `TOP` and in the last quarter of the pool's depth. To find the depth, take the best rank of each
  document, then the largest of these ranks. The documents are sorted by the number of runs that retrieve
  them, smallest first. If the numbers are equal, the document whose best rank is further down comes first.

Example: there are three runs, and the depth of the pool is 20. If one run ranks a document first and another
ranks it second, it is proposed as H. If only one run retrieves a document, at rank 18, it is proposed as N.

**From the top of another topic.** In a shallow pool, no rank is low, so the runs may propose no N for a
topic. In that case, this topic's proposals for N are documents that the runs propose as H for other topics.
If any run retrieves a document for this topic, at any rank, the document is left out. The remaining documents
are almost certainly not relevant, look like the others in the pool, and favour no run. The other topics take
turns to supply a document, starting with the topic after this one. This way, different topics get different
documents.

**From a pilot.** A document needs at least `LEAST_JUDGMENTS` judgments. The rule uses `PilotProposal.times`,
a median that is 1 for an average document. Documents with the largest medians above 1 are proposed
as H, and documents with the smallest medians below 1 as N. If medians are equal, the document with more
judgments comes first.

Each rule proposes up to `MOST` documents for each anchor. Remaining ties are broken by the id of the
document, so the same input always gives the same proposals.

If an anchor was proposed by some runs, it favours these runs, and people who compare the runs must know this.
Therefore, the reason for such an anchor names the runs, and `favour_warning` reads the names from the reason.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Final

from judging.protocol.anchor_pairs import Anchor
from judging.protocol.states import Grade
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

MOST: Final = 3
TOP: Final = 5
LEAST_RUNS: Final = 2
LEAST_JUDGMENTS: Final = 3
MOST_RUNS: Final = 20
"""The maximum number of runs that a proposal names. Further runs are only counted."""
_LAST_QUARTER: Final = 0.75
_LONGEST_RUNS: Final = 350
"""The maximum number of characters for the names of the runs in a reason. At least one run is named."""


@dataclass(frozen=True)
class RunProposal:
    """A document that was proposed as an anchor because of its ranks in runs.

    `ranks` maps the runs that propose the document to the ranks at which they retrieve it. It holds at most
    `MOST_RUNS` runs, and `more` is the number of other runs that propose the document. If no run retrieves
    the document for this topic, `ranks` is empty, and `top_of` is a topic for which runs rank the document at
    the top.
    """

    document: str
    ranks: Mapping[str, int]
    more: int = 0
    top_of: str = ""


@dataclass(frozen=True)
class PilotProposal:
    """A document that is proposed as an anchor because of its judgments in a pilot.

    Each magnitude is divided by the geometric mean of the magnitudes in its unit. `times` is the median of
    these ratios for the document, and `judgments` is the number of ratios.
    """

    document: str
    judgments: int
    times: float


def propose_from_runs(ranks: Mapping[str, Mapping[str, int]], *, runs: int) -> dict[Grade, list[RunProposal]]:
    """Return the documents that the runs propose for each anchor of a topic.

    `ranks` maps each pooled document to a dict from run to rank, for the runs that retrieve the document.
    `runs` is the number of runs that retrieve any documents for the topic.
    """
    proposals: dict[Grade, list[RunProposal]] = {Grade.H: [], Grade.N: []}
    retrieved = {document: by_run for document, by_run in ranks.items() if by_run}
    if runs < LEAST_RUNS or not retrieved:
        return proposals
    top = {
        document: {run: rank for run, rank in by_run.items() if rank <= TOP}
        for document, by_run in retrieved.items()
    }
    agreed = [document for document, by_run in top.items() if 2 * len(by_run) > runs]
    agreed.sort(key=lambda document: (-len(top[document]), mean(top[document].values()), document))
    proposals[Grade.H] = [_proposal(document, top[document]) for document in agreed[:MOST]]
    best = {document: min(by_run.values()) for document, by_run in retrieved.items()}
    bottom = max(TOP, _LAST_QUARTER * max(best.values()))
    few = max(1, runs // 4)
    deep = [
        document for document, by_run in retrieved.items() if best[document] > bottom and len(by_run) <= few
    ]
    deep.sort(key=lambda document: (len(retrieved[document]), -best[document], document))
    proposals[Grade.N] = [_proposal(document, retrieved[document]) for document in deep[:MOST]]
    return proposals


def propose_from_other_topics(
    topic: str, high: Mapping[str, Sequence[str]], *, retrieved: Collection[str]
) -> list[RunProposal]:
    """Return proposals for the N anchor of `topic`: documents that runs rank at the top for other topics.

    `high` maps each topic number to the documents that the runs propose as the topic's H anchor. The topics
    are in the study's order. `retrieved` holds the documents that any run retrieves for `topic`, at any rank.
    """
    numbers = list(high)
    place = numbers.index(topic)
    following = [*numbers[place + 1 :], *numbers[:place]]
    free = {
        number: [document for document in high[number] if document not in retrieved] for number in following
    }
    by_turn = sorted(
        (turn, place, document)
        for place, number in enumerate(following)
        for turn, document in enumerate(free[number])
    )
    proposals: dict[str, RunProposal] = {}
    for _turn, place, document in by_turn:
        proposals.setdefault(document, RunProposal(document, {}, top_of=following[place]))
    return list(proposals.values())[:MOST]


def _proposal(document: str, ranks: Mapping[str, int]) -> RunProposal:
    """Return a proposal that names the runs with the best ranks."""
    ordered = sorted(ranks.items(), key=lambda item: (item[1], item[0]))
    return RunProposal(document, dict(ordered[:MOST_RUNS]), len(ordered[MOST_RUNS:]))


def propose_from_pilot(medians: Mapping[str, tuple[int, float]]) -> dict[Grade, list[PilotProposal]]:
    """Return the documents that a pilot proposes for each anchor of a topic.

    `medians` maps each document to its `judgments` and `times`, as in `PilotProposal`.
    """
    judged = [
        PilotProposal(document, judgments, times)
        for document, (judgments, times) in medians.items()
        if judgments >= LEAST_JUDGMENTS
    ]
    high = sorted(judged, key=lambda entry: (-entry.times, -entry.judgments, entry.document))
    low = sorted(judged, key=lambda entry: (entry.times, -entry.judgments, entry.document))
    return {
        Grade.H: [entry for entry in high if entry.times > 1][:MOST],
        Grade.N: [entry for entry in low if entry.times < 1][:MOST],
    }


def proposal_reason(grade: Grade, runs: RunProposal | None, pilot: PilotProposal | None) -> str:
    """Return the reason for a proposed anchor, in English, as study files and exports contain it.

    Return "" if neither the runs nor a pilot proposed the anchor.
    """
    parts = []
    if pilot is not None:
        parts.append(
            f"{grade} proposed by {pilot.judgments} judgments of a pilot (median {pilot.times:.2f} times the"
            " unit's geometric mean)."
        )
    if runs is not None and runs.top_of:
        parts.append(f"{grade} proposed from the top of topic {runs.top_of}, as no run retrieves it here.")
    elif runs is not None:
        named = _that_fit(list(runs.ranks))
        more = runs.more + len(runs.ranks) - len(named)
        ranks = ", ".join(str(runs.ranks[run]) for run in named)
        parts.append(
            f"{grade} proposed by the {'runs' if len(named) + more > 1 else 'run'} {', '.join(named)}"
            f"{f' and {more} more' if more else ''} ({'ranks' if len(named) > 1 else 'rank'} {ranks})."
        )
    return " ".join(parts)


def _that_fit(runs: Sequence[str]) -> list[str]:
    length, named = 0, list[str]()
    for run in runs:
        length += len(run) + 2
        if named and length > _LONGEST_RUNS:
            break
        named.append(run)
    return named


def replace_proposal(reason: str, grade: Grade, proposed: str) -> str:
    """Return the updated reason for a topic's anchors after one anchor has changed.

    `proposed` is the result of `proposal_reason` for the new anchor. It replaces the sentences that say how
    the earlier anchor was proposed.
    """
    kept = _sentences(grade).sub("", reason)
    return " ".join(f"{kept} {proposed}".split())


def proposing_runs(reason: str, grade: Grade) -> tuple[list[str], int]:
    """Return the runs that proposed an anchor: the names in `reason`, and the number of further runs.

    If many runs proposed the anchor, `reason` names only some of them and gives the number of the others.
    """
    match = _by_runs(grade).search(reason)
    return (match["runs"].split(", "), int(match["more"] or 0)) if match else ([], 0)


def favour_warning(*, topic: str, anchor: Anchor, reason: str) -> Sentence | None:
    """Return a warning if the reason says that runs proposed the anchor, else None.

    Only anchors of the first pair are proposed.
    """
    runs, more = proposing_runs(reason, anchor.grade) if anchor.pair == 1 else ([], 0)
    if not runs:
        return None
    values = {"topic": topic, "anchor": anchor.value, "runs": ", ".join(runs)}
    if more:
        text = _(
            "Topic {topic}: the runs {runs} and {more} more proposed the {anchor} anchor. This anchor"
            " gives these runs an advantage over other runs."
        )
        return Sentence(text, {**values, "more": more})
    text = _(
        "Topic {topic}: these runs proposed the {anchor} anchor: {runs}. This anchor gives these runs"
        " an advantage over other runs."
    )
    return Sentence(text, values)


def _by_runs(grade: Grade) -> re.Pattern[str]:
    # The tag of a run has no white space, so ", " and " (rank" cannot be part of it.
    return re.compile(
        rf"\b{grade} proposed by the runs? (?P<runs>\S+(?:, \S+)*?)(?: and (?P<more>\d+) more)?"
        r" \(ranks? \d+(?:, \d+)*\)\."
    )


def _sentences(grade: Grade) -> re.Pattern[str]:
    by_pilot = rf"\b{grade} proposed by \d+ judgments of a pilot \(median [^)]*\)\."
    by_other_topic = rf"\b{grade} proposed from the top of topic \S+, as no run retrieves it here\."
    return re.compile(f"{_by_runs(grade).pattern}|{by_pilot}|{by_other_topic}")
