"""What opening, pausing or closing a study would do, with the numbers of this moment."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from judging.core.selectors.anchors import anchor_warnings
from judging.core.selectors.readiness import Readiness, opening_faults, readiness
from judging.models import Study
from judging.protocol.platforms.base import Entry
from judging.protocol.states import StudyState
from judging.watching.selectors.progress import Progress, study_progress

_WHO: Final = {
    Entry.OPEN: "Whoever comes to {address} can take part.",
    Entry.INVITE: "Who comes to {address} by a personal link can take part; the page “Way in” makes them.",
    Entry.SIGNED: "Who comes to {address} by a link with a signature can take part; the page “Way in” makes"
    " its secret.",
}


@dataclass(frozen=True)
class Consequences:
    """`sentences` say what will happen; where there are `faults`, it cannot happen, and they say why.

    `live`: units being judged now.
    """

    sentences: list[str]
    faults: list[str]
    live: int = 0


def consequences(study: Study, action: str, *, now: datetime) -> Consequences:
    """Of `open`, `pause` or `close`."""
    progress = study_progress([study]).get(study.pk, Progress())
    if action == "open":
        return _opening(study, progress, now)
    being_judged = _count(progress.reserved, "unit is being judged", "units are being judged")
    stays = (
        f"{being_judged} now, and may be finished until {study.lapse_minutes} minutes after the beginning."
    )
    if action == "pause":
        sentences = ["Nobody gets a new unit.", stays, "The study can be opened again at any time."]
        return Consequences(sentences, [], progress.reserved)
    left = progress.open + progress.reserved
    return Consequences(
        [
            "Nobody gets a new unit, and the study can never be opened again.",
            f"{progress.done:,} of {progress.wanted:,} units are done"
            f" and give {_count(progress.judgments, 'judgment', 'judgments')}; {left:,} are not done.",
            stays,
            "All data stays, and can be looked at, evaluated and paid as before.",
        ],
        [],
        progress.reserved,
    )


def _opening(study: Study, progress: Progress, now: datetime) -> Consequences:
    dates = _dates(study, now)
    if study.state == StudyState.PAUSED:
        again = f"{_count(progress.open, 'unit is', 'units are')} given out again to whoever comes."
        return Consequences([again, *dates], opening_faults(study, now=now), progress.reserved)
    found = readiness(study, now=now)
    planned = [
        f"{_count(found.units, 'unit is', 'units are')} planned, of {study.unit_size} documents each:"
        f" {found.judgments:,} judgments in {_count(len(found.topics), 'topic', 'topics')}.",
        f"When all are done, workers are to be paid {study.currency} {found.cost:,.2f};"
        f" {_fee(study, found)}. They work about {found.minutes / 60:,.1f} hours in all.",
    ]
    return Consequences(
        [
            *(planned if found.units else ()),
            _WHO[Entry(study.entry)].format(address=f"/s/{study.slug}/"),
            "Once a worker has seen a topic, you can no longer change the texts, topics, questions,"
            " documents, anchors and checks. You can still change the title, dates and pay, and add topics,"
            " runs and judgments.",
            *dates,
            *anchor_warnings(study),
        ],
        found.faults,
    )


def _fee(study: Study, found: Readiness) -> str:
    if not found.fee:
        return "a platform's fee comes on top"
    total = found.cost + found.fee
    return f"with the platform's fee of {study.platform_fee} % that is {study.currency} {total:,.2f}"


def _dates(study: Study, now: datetime) -> list[str]:
    said = []
    if study.opens_at and study.opens_at > now:
        said.append(f"Units are given out from {study.opens_at:%Y-%m-%d %H:%M} UTC on.")
    if study.closes_at:
        said.append(f"No unit is given out after {study.closes_at:%Y-%m-%d %H:%M} UTC.")
    return said


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
