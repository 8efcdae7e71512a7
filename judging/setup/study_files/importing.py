"""The one way in: read and check everything, then write it in one transaction."""

from datetime import datetime
from pathlib import Path

from django.db import IntegrityError, transaction

from judging.archive.bundles.importing import import_bundle
from judging.core.intake.assemble import assemble
from judging.core.intake.content import Progress, StudyContent, no_progress
from judging.core.intake.faults import Faults, StudyRefusedError
from judging.core.intake.imported import Imported, Written
from judging.core.intake.study_file import read_slug
from judging.core.intake.tables import Table, read_study_file
from judging.core.services.events import audit
from judging.models import Actor, Study
from judging.setup.study_files.updating import frozen_pools, update_study
from judging.setup.study_files.writing import Writer

FILE_NAME = "study.toml"


def import_study(
    path: str | Path,
    *,
    slug: str | None = None,
    update: bool = False,
    now: datetime,
    progress: Progress | None = None,
    written: Written = lambda imported: None,
    enclosed: bool = False,
    actor: Actor = None,
) -> Imported:
    """Read the study file at `path` (or `study.toml` in that folder), or the bundle, and write the study.

    `slug` takes the place of the file's; `update` changes the study of that name, as far as it may still
    change; `written` is told in the transaction; `enclosed` keeps it from reading files outside the folder;
    `actor` is the user who asked for it, None on the command line.
    Raises StudyRefusedError with a line for every fault, and then nothing has been written.
    """
    progress = progress or no_progress
    if Path(path).suffix.lower() == ".zip":
        if update:
            raise StudyRefusedError([f"{path}: a bundle is a whole study and updates none; use --slug NEW."])
        return import_bundle(Path(path), slug=slug, now=now, progress=progress, written=written, actor=actor)
    faults = Faults()
    file = _study_file(Path(path))
    top = read_study_file(file, faults)
    if top is None:
        faults.raise_if_any()
        raise AssertionError("a study file that cannot be read is a fault")
    name = read_slug(top, slug, file.parent)
    study = Study.objects.filter(slug=name).first()
    if update and study is None:
        there = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
        top.fault("slug", f"there is no study named {name} to update; there are: {there}")
    if update and study is not None and Study.with_hidden.filter(changes_to=study).exists():
        top.fault(
            "slug",
            f"changes to {name} are being set up in the console, and would undo this update; "
            "make or discard them there first",
        )
    if not update and study is not None:
        _taken(name, top)
    frozen = frozen_pools(study) if update and study else {}
    content = assemble(top, file.parent, frozen=frozen, progress=progress, enclosed=enclosed)
    faults.raise_if_any()
    if update and study is not None:
        with transaction.atomic():
            planned = update_study(study, content, faults, now=now, progress=progress, actor=actor)
            study.refresh_from_db()
            return _told(written, imported_of(study, content, planned))
    try:
        with transaction.atomic():
            return _told(written, imported_of(_create(name, content, now, progress, actor), content))
    except IntegrityError:
        if not Study.objects.filter(slug=name).exists():
            raise
        _taken(name, top)
        faults.raise_if_any()
        raise


def _study_file(path: Path) -> Path:
    try:
        return path / FILE_NAME if path.is_dir() else path
    except (OSError, ValueError):
        return path


def _taken(name: str, top: Table) -> None:
    top.fault(
        "slug",
        f"there is a study named {name} already; import this as another with --slug NEW, or --update it",
    )


def _told(written: Written, imported: Imported) -> Imported:
    written(imported)
    return imported


def _create(name: str, content: StudyContent, now: datetime, progress: Progress, actor: Actor) -> Study:
    study = Study.objects.create(slug=name, created_at=now, **content.fields)
    writer = Writer(study, content, progress)
    writer.write_topics(content.topics)
    writer.write_runs()
    audit("imported", study=study, actor=actor, now=now, topics=len(content.topics), runs=len(content.runs))
    return study


def imported_of(study: Study, content: StudyContent, planned: int = 0) -> Imported:
    """Return what was written of `content` into the study."""
    return Imported(
        study,
        content.notices,
        topics=len(content.topics),
        documents=len(content.documents),
        runs=len(content.runs),
        units_planned=planned,
    )
