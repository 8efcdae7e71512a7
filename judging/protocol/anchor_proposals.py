"""Propose anchors for topics without known grades. A researcher confirms each proposal; nothing is chosen.

**From the runs.** A topic needs at least `LEAST_RUNS` runs. A rank counts only for documents of the pool.

- H: a document that more than half of the runs have among their first `TOP` documents. Proposals with more of
  these runs come first, then proposals with the better mean rank in these runs.
- N: a document that few runs retrieve: one run or, if there are eight or more, up to a quarter of the runs.
  Its best rank must be below `TOP` and in the last quarter of the pool, which ends at the deepest of its
  documents' best ranks. Proposals of fewer runs come first, then proposals with the deeper best rank.

Example: with three runs, a document at the ranks 1 and 2 of two runs is proposed as H. If the pool ends at
rank 20, a document at rank 18 of one run, which no other run retrieves, is proposed as N.

**From a pilot.** A document needs at least `LEAST_JUDGMENTS` judgments. Their median is relative to the other
documents of the units, and 1 is average. The largest medians above 1 are proposed as H, and the smallest
medians below 1 as N.

Each rule proposes up to `MOST` documents for each anchor. The id of the document decides between equals, so
the same input always gives the same proposals.

Anchors that runs propose favour these runs, and whoever compares the runs must know it. So the reason of such
an anchor names the runs, and `favour_warning` reads them from the reason.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Final

from judging.protocol.states import Grade
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

MOST: Final = 3
TOP: Final = 5
LEAST_RUNS: Final = 2
LEAST_JUDGMENTS: Final = 3
MOST_RUNS: Final = 20
"""The maximum number of runs that a proposal names. It counts the others."""
_LAST_QUARTER: Final = 0.75
_LONGEST_RUNS: Final = 350
"""The maximum number of characters for the names of the runs in a reason. At least one run is named."""


@dataclass(frozen=True)
class RunProposal:
    """A document that runs propose as an anchor.

    `ranks` maps runs to their ranks of the document. `more` is the number of runs that it leaves out.
    """

    document: str
    ranks: Mapping[str, int]
    more: int = 0


@dataclass(frozen=True)
class PilotProposal:
    """A document that the workers of a pilot propose as an anchor.

    `times` is the median of its magnitudes, each divided by the geometric mean of its unit.
    """

    document: str
    judgments: int
    times: float


def propose_from_runs(ranks: Mapping[str, Mapping[str, int]], *, runs: int) -> dict[Grade, list[RunProposal]]:
    """Return the proposals of the runs for each anchor of a topic.

    `ranks` maps each pooled document to its rank in each run that has it. `runs` is the number of runs that
    retrieve documents for the topic.
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


def _proposal(document: str, ranks: Mapping[str, int]) -> RunProposal:
    """Return a proposal that names the runs with the best ranks."""
    ordered = sorted(ranks.items(), key=lambda item: (item[1], item[0]))
    return RunProposal(document, dict(ordered[:MOST_RUNS]), len(ordered[MOST_RUNS:]))


def propose_from_pilot(medians: Mapping[str, tuple[int, float]]) -> dict[Grade, list[PilotProposal]]:
    """Return the proposals of a pilot for each anchor of a topic.

    `medians` maps each document to the number of its judgments and their median, as in `PilotProposal`.
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
    """Return the reason of an anchor that was proposed, in English, as study files and exports contain it.

    Return "" if neither the runs nor a pilot proposed the anchor.
    """
    parts = []
    if pilot is not None:
        parts.append(
            f"{grade} proposed by {pilot.judgments} judgments of a pilot (median {pilot.times:.2f} times the"
            " unit's geometric mean)."
        )
    if runs is not None:
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
    """Return the reason of a topic's anchors after one of them has changed.

    `proposed` is the result of `proposal_reason` for the new anchor. It takes the place of what the reason
    said about a proposal of the earlier anchor. The rest of the reason stays.
    """
    kept = _sentences(grade).sub("", reason)
    return " ".join(f"{kept} {proposed}".split())


def proposing_runs(reason: str, grade: Grade) -> tuple[list[str], int]:
    """Return the runs that proposed an anchor, as its reason names them, and the number of further runs."""
    match = _by_runs(grade).search(reason)
    return (match["runs"].split(", "), int(match["more"] or 0)) if match else ([], 0)


def favour_warning(*, topic: str, anchor: str, reason: str) -> Sentence | None:
    """Return a warning about an anchor that runs proposed, or None if the reason does not say so."""
    runs, more = proposing_runs(reason, Grade(anchor))
    if not runs:
        return None
    values = {"topic": topic, "anchor": anchor, "runs": ", ".join(runs)}
    if more:
        text = _(
            "Topic {topic}: the runs {runs} and {more} more proposed the {anchor} anchor. Such an anchor"
            " favours these runs when runs are compared."
        )
        return Sentence(text, {**values, "more": more})
    text = _(
        "Topic {topic}: the {anchor} anchor was proposed by these runs: {runs}. Such an anchor favours"
        " these runs when runs are compared."
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
    return re.compile(f"{_by_runs(grade).pattern}|{by_pilot}")
