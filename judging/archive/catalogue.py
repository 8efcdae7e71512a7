"""What can be exported, and in which formats: command line, console and API offer exactly this."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from judging.archive.bundles.bundle import bundle_chunks
from judging.core.formats import tables
from judging.core.formats.manifest import Tally, counts_of, manifest
from judging.core.formats.snapshot import one_snapshot
from judging.core.formats.texts import ZIP
from judging.core.published import PUBLISHED
from judging.core.published.base import AnyPublished
from judging.core.published.judgments import JUDGMENTS, judgment_rows
from judging.core.services.events import record_export
from judging.models import Actor, Study


@dataclass(frozen=True)
class BundleExport:
    """The whole study in one file, which is no table."""

    name: str = "bundle"
    what: str = "The whole study in one file, to publish or to import elsewhere."
    formats: tuple[str, ...] = (ZIP,)


EXPORTS: Final = {name: table for name, table in PUBLISHED.items() if not table.personal}
"""The tables that anybody may take who sees the study: workers appear by pseudonym.

The others are written by `exports.payments` alone, so that nothing offers them by the way.
"""

BUNDLE: Final = BundleExport()
OFFERED: Final[dict[str, AnyPublished | BundleExport]] = {**EXPORTS, BUNDLE.name: BUNDLE}
"""The same and the bundle: what every door offers."""


def is_offered(what: str, form: str) -> bool:
    """Return whether the catalogue has this export in this format."""
    return what in OFFERED and form in OFFERED[what].formats


def export_chunks(
    study: Study, what: str, form: str, *, with_excluded: bool = False, tally: Tally | None = None
) -> Iterator[bytes]:
    """The bytes of one export in any of its formats, made while they are read; `tally` is filled meanwhile.

    Raises ValueError for what the catalogue does not hold; `with_excluded` is for judgments alone.
    """
    if not is_offered(what, form):
        raise ValueError(f"there is no export of {what} as {form}")
    if with_excluded and what != JUDGMENTS.name:
        raise ValueError("only judgments are exported with excluded units")
    tally = tally or Tally()
    if what == BUNDLE.name:
        return tally.file.watch(bundle_chunks(study, told=tally.told))
    rows = judgment_rows(study, with_excluded=True) if with_excluded else None
    return tally.chunks(tables.of(EXPORTS[what], study, rows), form)


def taken(
    study: Study,
    what: str,
    form: str,
    *,
    now: datetime,
    actor: Actor = None,
    with_excluded: bool = False,
    tally: Tally | None = None,
) -> Generator[bytes, None, None]:
    """The same bytes on their way out: the audit log says first who takes them.

    All are from one state of the study, which is that of the first ones asked for. Until the last are
    read, or the iterator closed, the connection to the database writes nothing.
    """
    record_export(study=study, what=what, form=form, now=now, actor=actor)
    with one_snapshot():
        if tally:
            tally.counts = counts_of(study)
        yield from export_chunks(study, what, form, with_excluded=with_excluded, tally=tally)


def manifest_of(study: Study, what: str, form: str, *, now: datetime, with_excluded: bool = False) -> bytes:
    """The manifest of an export as it stands now, for which it is read once through; nobody takes it.

    Raises ValueError as `export_chunks` does.
    """
    tally = Tally()
    with one_snapshot():
        tally.counts = counts_of(study)
        for _ in export_chunks(study, what, form, with_excluded=with_excluded, tally=tally):
            pass
    return manifest(study, what, form, tally, now=now)
