"""The exports and their formats, for the command line, the console and the API."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from judging.archive.bundles.bundle import bundle_chunks
from judging.core.formats import export_table
from judging.core.formats.manifest import Tally, counts_of, manifest
from judging.core.formats.snapshot import one_snapshot
from judging.core.formats.texts import ZIP
from judging.core.published import PUBLISHED
from judging.core.published.judgments import JUDGMENTS, judgment_rows
from judging.core.published.table import AnyPublished, Column
from judging.core.selectors.kinds import Kinds
from judging.core.services.events import record_export
from judging.models import Actor, Participation, Study
from judging.protocol.judges import KINDS
from judging.protocol.words import gettext_noop as _


@dataclass(frozen=True)
class BundleExport:
    """The export of a whole study in one file. Unlike the other exports, it is not a table."""

    name: str = "bundle"
    what: str = _("The whole study in one file, to publish or to import elsewhere.")
    formats: tuple[str, ...] = (ZIP,)


WORKER_ID: Final = "worker_id"
JUDGE: Final = Column("the kind of judge", options=tuple(KINDS), name="judge")
EXPORTS: Final = {name: table for name, table in PUBLISHED.items() if not table.personal}
"""The tables without personal data, in which workers have pseudonyms.

Only `judging.payments.export` writes tables with personal data, so that nothing else offers them by accident.
"""

BUNDLE: Final = BundleExport()
OFFERED: Final[dict[str, AnyPublished | BundleExport]] = {**EXPORTS, BUNDLE.name: BUNDLE}
"""All tables without personal data, and the bundle."""


def markdown() -> Iterator[str]:
    """Yield the lines of Markdown that document the exports: the tables in their sections, and the bundle."""
    yield "| `--what` | contents | formats, the default first |\n|---|---|---|\n"
    addresses = {name: f"#{name}" for name in PUBLISHED} | {BUNDLE.name: "bundle.md"}
    exports: dict[str, AnyPublished | BundleExport] = {**PUBLISHED, BUNDLE.name: BUNDLE}
    for name, export in exports.items():
        what = export.what[:1].lower() + export.what[1:].removesuffix(".")
        yield f"| [`{name}`]({addresses[name]}) | {what} | {', '.join(export.formats)} |\n"


def is_offered(what: str, form: str) -> bool:
    """Return whether the catalogue has this export in this format."""
    return what in OFFERED and form in OFFERED[what].formats


def can_choose_kinds(what: str) -> bool:
    """Return whether the kinds of judges of this export can be chosen."""
    return what in EXPORTS and EXPORTS[what].of_kinds is not None


def export_chunks(
    study: Study,
    what: str,
    form: str,
    *,
    with_excluded: bool = False,
    kinds: Kinds = None,
    tally: Tally | None = None,
) -> Iterator[bytes]:
    """Yield the bytes of an export. The bytes, and the `tally`, are computed while the caller reads.

    `kinds` are the kinds of judges to export, instead of those that the study counts. A table that names a
    worker in each row then has a last column `judge`.

    Raise ValueError if the catalogue does not have the export, if `with_excluded` is used for an export other
    than judgments, or if nobody can choose the `kinds` of the export.
    """
    if not is_offered(what, form):
        raise ValueError(f"there is no export of {what} as {form}")
    if with_excluded and what != JUDGMENTS.name:
        raise ValueError("only judgments are exported with excluded units")
    tally = tally or Tally()
    if what == BUNDLE.name:
        return tally.file.watch(bundle_chunks(study, on_rows=tally.on_rows))
    table = EXPORTS[what]
    if kinds is None:
        rows = judgment_rows(study, with_excluded=True) if with_excluded else None
        return tally.chunks(export_table.of(table, study, rows), form)
    if table.of_kinds is None:
        raise ValueError(f"nobody can choose the kinds of judges of {what}")
    of_kinds = partial(judgment_rows, with_excluded=True) if with_excluded else table.of_kinds
    return tally.chunks(_with_judges(export_table.of(table, study, of_kinds(study, kinds)), study), form)


def _with_judges(table: export_table.Table, study: Study) -> export_table.Table:
    """Return the table with a last column that names the kind of each row's judge, if it names the judge."""
    if WORKER_ID not in table.names:
        return table
    place = table.names.index(WORKER_ID)
    kinds = dict(Participation.objects.filter(study=study).order_by().values_list("pseudonym", "kind"))
    rows = ([*row, kinds[str(row[place])]] for row in table.rows)
    return export_table.Table([*table.columns, JUDGE], rows)


def audited_chunks(
    study: Study,
    what: str,
    form: str,
    *,
    now: datetime,
    actor: Actor = None,
    with_excluded: bool = False,
    kinds: Kinds = None,
    tally: Tally | None = None,
) -> Generator[bytes, None, None]:
    """Record the export in the audit log, then yield the bytes that `export_chunks` yields.

    All bytes come from one snapshot of the database. Until the iterator is finished or closed, the connection
    to the database cannot write.
    """
    record_export(study=study, what=what, form=form, now=now, actor=actor)
    with one_snapshot():
        if tally:
            tally.counts = counts_of(study, kinds)
        yield from export_chunks(study, what, form, with_excluded=with_excluded, kinds=kinds, tally=tally)


def manifest_of(study: Study, what: str, form: str, *, now: datetime, with_excluded: bool = False) -> bytes:
    """Return the manifest of an export, computed from the current data.

    This computes the whole export, but records nothing in the audit log. Raise ValueError as `export_chunks`
    does.
    """
    tally = Tally()
    with one_snapshot():
        tally.counts = counts_of(study)
        for _ in export_chunks(study, what, form, with_excluded=with_excluded, tally=tally):
            pass
    return manifest(study, what, form, tally, now=now)
