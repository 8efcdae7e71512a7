"""The layout of a bundle: its members and their fields. Both the writer and the reader use this layout."""

from collections.abc import Iterator
from typing import Final

from judging.archive.bundles.fields import Field, Work
from judging.archive.bundles.judged_members import ATTEMPTS, EVENTS, JUDGMENTS, WORKERS, failed_field
from judging.archive.bundles.machine_members import LABELS, MACHINE_CALLS, MACHINE_JUDGES, MACHINE_WORK
from judging.archive.bundles.planned_members import (
    DOCUMENTS,
    GRADES,
    PICTURES,
    POOL,
    RUNS,
    STUDY,
    TOPICS,
    UNITS,
)

__all__ = [
    "ATTEMPTS",
    "COUNTED_WORK",
    "DOCUMENTS",
    "EVENTS",
    "GAINS",
    "GRADES",
    "JUDGMENTS",
    "LABELS",
    "MACHINE_CALLS",
    "MACHINE_JUDGES",
    "MACHINE_WORK",
    "MANIFEST",
    "MEMBERS",
    "NAMES",
    "NEEDED",
    "PICTURES",
    "POOL",
    "RUNS",
    "STUDY",
    "TOPICS",
    "UNITS",
    "VERSION",
    "WORKERS",
    "failed_field",
    "markdown",
]

VERSION: Final = 1
"""The version of the layout. A reader refuses versions that it does not know."""
MANIFEST: Final = "manifest.json"
GAINS: Final = "gains.txt"
"""The member with the gains, as `export --what gains` writes them. An import computes them again."""


COUNTED_WORK: Final = Work(
    units=UNITS, workers=WORKERS, attempts=ATTEMPTS, judgments=JUDGMENTS, events=EVENTS
)
MEMBERS: Final = (
    STUDY,
    TOPICS,
    DOCUMENTS,
    PICTURES,
    POOL,
    GRADES,
    RUNS,
    UNITS,
    WORKERS,
    ATTEMPTS,
    JUDGMENTS,
    EVENTS,
    LABELS,
    MACHINE_JUDGES,
    MACHINE_WORK.units,
    MACHINE_WORK.workers,
    MACHINE_WORK.attempts,
    MACHINE_WORK.judgments,
    MACHINE_WORK.events,
    MACHINE_CALLS,
)
"""The members in the order in which they follow the manifest in the zip."""
NAMES: Final = (*(member.name for member in MEMBERS), GAINS)
NEEDED: Final = (*(member.name for member in MEMBERS if member.is_needed), GAINS)
"""The files that every bundle has. The other `NAMES` are there only if they have lines."""


def markdown() -> Iterator[str]:
    """Yield the tables of docs/reference/bundle.md, one per member."""
    for member in MEMBERS:
        yield f"### {member.name}\n{member.description[:1].upper()}{member.description[1:]}.\n\n"
        fields = member.fields
        if member.like:
            fields = fields[len(member.like.fields) :]
            link = f"[`{member.like.name}`](#{member.like.name.replace('.', '')})"
            yield f"It has the fields of {link}{', and one more:' if fields else '.'}\n\n"
        if fields:
            yield "| field | type | meaning |\n|---|---|---|\n"
            yield from _rows(fields, "")
            yield "\n"


def _rows(fields: tuple[Field, ...], prefix: str) -> Iterator[str]:
    for field in fields:
        kind = f"{field.kind} or null" if field.null else field.kind
        yield f"| `{prefix}{field.name}` | {kind} | {field.meaning} |\n"
        yield from _rows(field.fields, f"{prefix}{field.name}.")
