"""Import a bundle as a study that has the same data but is closed to workers."""

import json
from datetime import datetime
from pathlib import Path
from random import Random, SystemRandom
from typing import IO
from zipfile import ZipFile

from django.db import transaction

from judging.archive.bundles import layout
from judging.archive.bundles.archive import LONGEST_MANIFEST, Archive
from judging.archive.bundles.gains import check_gains
from judging.archive.bundles.labels import write_labels
from judging.archive.bundles.machines import MachineWriter
from judging.archive.bundles.values import rows
from judging.archive.bundles.work import WorkWriter
from judging.archive.bundles.writing import (
    NOT_STUDY,
    DefinitionWriter,
    Lined,
    MemberWriter,
    Values,
    insert,
    own,
)
from judging.core.formats.packing import UNREADABLE
from judging.core.services.events import audit
from judging.core.study_imports import Imported, Progress, Written, slug_fault
from judging.core.zip_limit import too_many_entries
from judging.models import Actor, AllocationDecision, Study
from judging.protocol.states import StudyState
from judging.protocol.words import gettext_noop as _


def import_bundle(
    path: Path,
    *,
    slug: str | None,
    now: datetime,
    progress: Progress,
    written: Written,
    rng: Random | None = None,
    actor: Actor = None,
) -> Imported:
    """Read a bundle and write its study, in one transaction. `slug` replaces the bundle's own slug.

    The study is always closed, because its workers belong to another site and must not mix with new workers.
    If the bundle has faults, write nothing and raise StudyRefusedError with a line for each fault.
    """
    with Archive(path) as archive:
        (values, *_) = [row.values for row in rows(archive, layout.STUDY)] or [{}]
        archive.faults.raise_if_any()
        name = _free_name(archive, values, slug)
        with transaction.atomic():
            fields = own(layout.STUDY, values)
            settings = {field: value for field, value in fields.items() if field not in NOT_STUDY}
            study = Study(slug=name, state=StudyState.CLOSED, **settings)
            writer = MemberWriter(archive, study, progress)
            insert(archive, layout.STUDY, Study, [(1, study)])
            insert(archive, layout.STUDY, AllocationDecision, _decisions(archive, study, values))
            defined = DefinitionWriter(writer, values)
            defined.write()
            labels = write_labels(writer, defined.topics)
            chance = rng or SystemRandom()
            work = WorkWriter(writer, defined, layout.COUNTED_WORK, now=now, rng=chance)
            work.write()
            machine_work = WorkWriter(writer, defined, layout.MACHINE_WORK, now=now, rng=chance)
            machine_work.write()
            MachineWriter(writer, defined, machine_work, labels=labels).write()
            audit(
                "imported",
                study=study,
                actor=actor,
                now=now,
                bundle=path.name,
                was=values["slug"],
                state=values["state"],
                topics=len(defined.topics),
                runs=len(values["runs"]),
                judgments=work.judgments,
            )
            imported = Imported(
                study,
                [],
                topics=len(defined.topics),
                documents=len(defined.documents),
                runs=len(values["runs"]),
                judgments=work.judgments,
            )
            check_gains(path, study)
            written(imported)
            return imported


def name_in_bundle(file: IO[bytes]) -> str | None:
    """Return the slug of the study in a bundle, or None if the file is not a bundle. Check nothing else."""
    if too_many_entries(file):
        return None
    try:
        with ZipFile(file) as opened, opened.open(layout.MANIFEST) as member:
            manifest = json.loads(member.read(LONGEST_MANIFEST))
    except UNREADABLE:
        return None
    finally:
        file.seek(0)
    is_bundle = isinstance(manifest, dict) and "bundle" in manifest
    return str(manifest.get("study", "")) if is_bundle else None


def _decisions(archive: Archive, study: Study, values: Values) -> list[Lined]:
    """Return the decisions of an adaptive study. Raise StudyRefusedError if one of them is incomplete."""
    decisions: list[Lined] = []
    for text in values["decisions"]:
        try:
            row = json.loads(text)
            moment = datetime.fromisoformat(row["at"])
            if moment.tzinfo is None or not isinstance(row["record"]["evidence"], dict):
                raise ValueError
            fields = {name: row[name] for name in ("number", "reason", "unit_numbers", "record")}
        except (ValueError, KeyError, TypeError, AttributeError):
            fault = _("A decision is incomplete. Export the bundle again.")
            archive.faults.add(archive.where(layout.STUDY.name, 1), "decisions", fault)
            continue
        decisions.append((1, AllocationDecision(study=study, at=moment, **fields)))
    archive.faults.raise_if_any()
    return decisions


def _free_name(archive: Archive, values: Values, slug: str | None) -> str:
    name = values["slug"] if slug is None else slug
    where = archive.where(layout.STUDY.name, 1)
    if fault := slug_fault(name):
        archive.faults.add(where, "slug", fault)
    elif Study.objects.filter(slug=name).exists():
        used = _("There is already a study named {slug}. Choose another name (--slug on the command line).")
        archive.faults.add(where, "slug", used, slug=name)
    archive.faults.raise_if_any()
    return str(name)
