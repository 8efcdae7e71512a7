"""Import or update a study: read and check everything, then write it in one transaction."""

from dataclasses import replace as replace_fields
from datetime import datetime
from pathlib import Path
from random import SystemRandom

from django.db import IntegrityError, transaction

from judging.archive.bundles.importing import import_bundle
from judging.core.faults import Faults, StudyRefusedError
from judging.core.services.deleting import clear_contents
from judging.core.services.events import audit
from judging.core.study_imports import Imported, Progress, Written, no_progress
from judging.models import Actor, Study, Topic
from judging.protocol.arm_names import arm_slug
from judging.protocol.states import StudyState
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.arms import ArmContent, assemble_arms
from judging.setup.intake.content import StudyContent
from judging.setup.intake.study_file import read_slug
from judging.setup.intake.toml_file import read_study_file
from judging.setup.intake.toml_table import Table
from judging.setup.judgments.importing import write_judgments
from judging.setup.services.imported import delete_imported
from judging.setup.study_files.arms import check_arm_slugs, refuse_update_of_arms, slugs_of
from judging.setup.study_files.updating import frozen_pools, update_study
from judging.setup.study_files.writing import Writer

FILE_NAME = "study.toml"


def import_study(
    path: str | Path,
    *,
    slug: str | None = None,
    update: bool = False,
    replace: bool = False,
    now: datetime,
    progress: Progress | None = None,
    written: Written = lambda imported: None,
    enclosed: bool = False,
    actor: Actor = None,
) -> Imported:
    """Import the study file or bundle at `path`. If `path` is a folder, import its `study.toml`.

    `slug` replaces the slug in the file. With `update`, change the existing study with this slug instead, if
    the changes are allowed. With `replace`, do the same, but also replace a study for analysis, with all its
    judgments. `written` is called with the result, inside the transaction. With `enclosed`,
    files outside the study file's folder are refused. `actor` is the user who requested the import, or None
    on the command line. If there are problems, write nothing, and raise StudyRefusedError with a line for
    each problem.
    """
    progress = progress or no_progress
    update = update or replace
    if Path(path).suffix.lower() == ".zip":
        if update:
            raise StudyRefusedError(
                [f"{path}: A bundle cannot update a study. Import it as a new study with --slug NEW."]
            )
        return import_bundle(Path(path), slug=slug, now=now, progress=progress, written=written, actor=actor)
    faults = Faults()
    file = _study_file(Path(path))
    top = read_study_file(file, faults)
    if top is None:
        faults.raise_if_any()
        raise AssertionError("An unreadable study file must add a fault.")
    name = read_slug(top, slug, file.parent)
    study = Study.objects.filter(slug=name).first()
    if update and study is None:
        _add_unknown_study(name, top)
    if update and study is not None and Study.with_hidden.filter(changes_to=study).exists():
        text = _(
            "Unapplied changes to {slug} in the console would undo this update. Apply or discard them"
            " in the console first."
        )
        top.fault("slug", text, slug=name)
    if not update and study is not None:
        _add_used_slug(name, top)
    if update and study is not None and study.is_for_analysis and not replace:
        text = _(
            "A study for analysis cannot be updated. Replace it with --replace, or import the file as another"
            " study with --slug NEW."
        )
        top.fault("slug", text)
    frozen = frozen_pools(study) if update and study else {}
    refuse_update_of_arms(study if update else None, top)
    arms = assemble_arms(top, file.parent, frozen=frozen, progress=progress, enclosed=enclosed)
    content = arms[0].content
    if not update:
        check_arm_slugs(name, arms, top)
    if replace and study is not None and study.is_for_analysis != (content.judgments is not None):
        text = _(
            "The study {slug} has another purpose, and a purpose cannot change. Import the file as another"
            " study with --slug NEW."
        )
        top.fault("purpose", text, slug=name)
    faults.raise_if_any()
    if update and study is not None and content.judgments is not None:
        with transaction.atomic():
            _replace_judged(study, content, now, progress, actor)
            study.refresh_from_db()
            return _report(written, summarize_import(study, content))
    if update and study is not None:
        with transaction.atomic():
            planned = update_study(study, content, faults, now=now, progress=progress, actor=actor)
            study.refresh_from_db()
            return _report(written, summarize_import(study, content, planned))
    try:
        with transaction.atomic():
            front = _create(name, arms[0], None, now, progress, actor)
            others = [_create(arm_slug(name, arm.name), arm, front, now, progress, actor) for arm in arms[1:]]
            return _report(written, _summarize_arms([front, *others], arms))
    except IntegrityError:
        if not Study.with_hidden.filter(slug__in=slugs_of(name, arms)).exists():
            raise
        _add_used_slug(name, top)
        faults.raise_if_any()
        raise


def _study_file(path: Path) -> Path:
    try:
        return path / FILE_NAME if path.is_dir() else path
    except (OSError, ValueError):
        return path


def _add_used_slug(name: str, top: Table) -> None:
    text = _(
        "There is already a study named {slug}."
        " Import the file as another study with --slug NEW, or update the study with --update."
    )
    top.fault("slug", text, slug=name)


def _add_unknown_study(name: str, top: Table) -> None:
    if studies := ", ".join(Study.objects.values_list("slug", flat=True)):
        text = _("There is no study named {slug} to update. The studies are: {studies}.")
        top.fault("slug", text, slug=name, studies=studies)
    else:
        text = _("There is no study named {slug} to update. To create the study, leave out --update.")
        top.fault("slug", text, slug=name)


def _report(written: Written, imported: Imported) -> Imported:
    written(imported)
    return imported


def _create(
    slug: str, arm: ArmContent, front: Study | None, now: datetime, progress: Progress, actor: Actor
) -> Study:
    content = arm.content
    state = StudyState.DRAFT if content.judgments is None else StudyState.CLOSED
    study = Study.objects.create(
        slug=slug, arm=arm.name, front=front, created_at=now, state=state, **content.fields
    )
    writer = Writer(study, content, progress, now=now)
    writer.write_topics(content.topics)
    writer.write_runs()
    audit("imported", study=study, actor=actor, now=now, topics=len(content.topics), runs=len(content.runs))
    if content.judgments is not None:
        write_judgments(study, content.judgments, now=now, rng=SystemRandom(), actor=actor)
    return study


def _replace_judged(
    study: Study,
    content: StudyContent,
    now: datetime,
    progress: Progress,
    actor: Actor,
) -> None:
    """Replace everything in a study for analysis except its slug, its members and the audit log.

    Call this function in a transaction. Raise StudyRefusedError if the new judgments have problems.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    replaced = delete_imported(study)
    clear_contents(study)
    Topic.objects.filter(study=study).delete()
    for key, value in {**content.fields, "simulated": False}.items():
        setattr(study, key, value)
    study.save()
    writer = Writer(study, content, progress, now=now)
    writer.write_topics(content.topics)
    writer.write_runs()
    assert content.judgments is not None
    write_judgments(study, content.judgments, now=now, rng=SystemRandom(), actor=actor, replaced=replaced)


def _summarize_arms(studies: list[Study], arms: list[ArmContent]) -> Imported:
    """Return the counts of the front, the judgments of all arms, and the notices, each once."""
    imported = [summarize_import(study, arm.content) for study, arm in zip(studies, arms, strict=True)]
    return replace_fields(
        imported[0],
        notices=list({str(notice): notice for arm in imported for notice in arm.notices}.values()),
        judgments=sum(arm.judgments for arm in imported),
        arms=len(arms) if arms[0].name else 0,
    )


def summarize_import(study: Study, content: StudyContent, planned: int = 0) -> Imported:
    """Return the counts and notices of an import."""
    judgments = 0 if content.judgments is None else len(content.judgments.rows)
    return Imported(
        study,
        content.notices,
        topics=len(content.topics),
        documents=len(content.documents),
        runs=len(content.runs),
        units_planned=planned,
        judgments=judgments,
    )
