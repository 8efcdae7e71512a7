"""Create a set-up: from scratch, from a study file, or from a stored study."""

from datetime import datetime
from pathlib import Path
from secrets import randbelow, token_hex
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from judging.core.faults import Faults, Where
from judging.core.selectors.attempts import has_begun
from judging.core.services.deleting import clear_contents, forget_setup
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.members import set_role
from judging.models import Actor, PoolDocument, Question, Role, Setup, SetupFile, Study, Topic
from judging.models.topic import named_field
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.states import StudyState
from judging.setup.description import DescribedTopic, Description, describe, read_description
from judging.setup.intake.toml_table import Table
from judging.setup.study_files.importing import FILE_NAME
from judging.setup.study_files.study_folder import write_setup_folder, write_study_folder

_MOST_SEEDS: Final = 10_000
_STEM: Final = 55
"""The maximum length of the part before the number in a numbered slug. It keeps the slug short enough."""


def begin_setup(*, title: str, owner: Actor, now: datetime) -> Setup:
    """Create a draft with a title, a random seed, and the defaults for all other settings."""
    values = {"title": title, "seed": 1 + randbelow(_MOST_SEEDS)}
    defaults = describe(Table(values, lambda path: Where(""), Faults()), Path())
    return _create_draft(defaults, slug=free_slug(slugify(title)[:50]), owner=owner, now=now)


def setup_from_folder(
    *, folder: Path, owner: Actor, slug: str | None = None, now: datetime
) -> tuple[Setup, Description]:
    """Create a draft from a folder with a `study.toml`. The files of the folder are moved to the draft.

    Raise StudyRefusedError if the study file has problems.
    """
    description = read_description(folder)
    wanted = slug or description.slug or slugify(description.settings["title"])[:50]
    setup = _create_draft(description, slug=free_slug(wanted), owner=owner, now=now, folder=folder)
    return setup, description


def copy_study(*, study: Study, slug: str, owner: Actor, now: datetime) -> Setup:
    """Create a draft with the set-up of a study, but without its judgments.

    Raise RefusedError if the study has arms, or cannot be written to a study file.
    """
    refuse_arms(study)
    folder = _write_to_new_folder(study)
    try:
        return setup_from_folder(folder=folder, owner=owner, slug=slug, now=now)[0]
    finally:
        rmtree(folder, ignore_errors=True)


def setup_of(study: Study) -> Setup | None:
    """Return the set-up that users edit on the pages of a study, or None if there is none.

    Until the study has been opened, this is the study's own set-up. After that, it is the set-up of the draft
    of changes.
    """
    if is_draft(study):
        return Setup.objects.select_related("study", "job").filter(study=study).first()
    return Setup.objects.select_related("study", "job").filter(study__changes_to=study).first()


def is_draft(study: Study) -> bool:
    """Return whether the study has never been opened and has no imported judgments."""
    return study.state == StudyState.DRAFT and not has_begun(study)


def lock_setup(setup: Setup) -> Setup | None:
    """Lock a set-up and its study, and return the set-up with its current values.

    Call this function in a transaction. Return None if nobody can edit the set-up any longer: the study was
    opened, or the changes were applied or discarded.
    """
    study = Study.with_hidden.select_for_update(no_key=True).filter(pk=setup.study_id).first()
    stored = Setup.objects.select_for_update(no_key=True).filter(pk=setup.pk, study=setup.study_id).first()
    if study is None or stored is None or not is_draft(study):
        return None
    stored.study = study
    return stored


@transaction.atomic
def get_or_create_setup(*, study: Study, now: datetime) -> Setup:
    """Return the set-up of a study. If there is none, create it from the stored study.

    Once a study has been opened, its set-up belongs to a draft of changes. The changes do not affect the
    study until they are applied. Raise RefusedError if the study has arms, or cannot be written to a study
    file.
    """
    refuse_arms(study)
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if setup := setup_of(study):
        return setup
    folder = _write_to_new_folder(study)
    try:
        description = read_description(folder)
        if is_draft(study):
            return _set_up_in_place(study, description, folder, now)
        changes = _create_draft(
            description, slug=f"changes-{token_hex(16)}", owner=None, now=now, folder=folder, changes_to=study
        )
        if earlier := Setup.objects.filter(study=study).first():
            changes.topic_files = earlier.topic_files
            changes.save(update_fields=["topic_files"])
        return changes
    finally:
        rmtree(folder, ignore_errors=True)


@transaction.atomic
def adopt_setup(*, study: Study, setup: Setup) -> None:
    """Replace the study's set-up with that of a draft whose changes were applied, and delete the draft."""
    draft = setup.study
    forget_setup(study=study)
    clear_contents(draft)
    for topic in Topic.objects.filter(study=draft):
        fields = {named_field(anchor): topic.named.get(anchor, "") for anchor in Anchor}
        Topic.objects.filter(study=study, number=topic.number).update(**fields)
    Setup.objects.filter(pk=setup.pk).update(study=study, read_version=setup.version)
    draft.delete()


def refuse_arms(study: Study) -> None:
    """Raise RefusedError if the study has arms. A set-up has only the settings of one study."""
    if study.has_arms:
        raise RefusedError(
            _(
                "Study {slug} has arms, which must keep the same units, so it has no set-up in the console."
                " Download its study file, change the file, and import it as a new study."
            ).format(slug=study.entrance.slug)
        )


def free_slug(wanted: str) -> str:
    """Return a slug that no study has: `wanted` if no study has it, else `wanted` with a number."""
    wanted = wanted.strip("-") or "study"
    similar = Study.with_hidden.filter(slug__startswith=wanted[:_STEM])
    used = set(similar.values_list("slug", flat=True))
    numbered = (f"{wanted[:_STEM]}-{number}" if number > 1 else wanted for number in range(1, len(used) + 2))
    return next(name for name in numbered if name not in used)


def new_folder() -> Path:
    """Create an empty folder next to the folders of the set-ups, and return it."""
    return Path(mkdtemp(dir=drafts_folder(), prefix=".new-"))


def drafts_folder() -> Path:
    """Return the folder of all set-ups. Create the folder if it does not exist."""
    home = Path(settings.DRAFTS_FOLDER)
    home.mkdir(parents=True, exist_ok=True)
    return home


def _write_to_new_folder(study: Study) -> Path:
    """Write a study to a new folder, and return the folder.

    If the study has a set-up, write the set-up with its uploaded files.
    """
    folder = new_folder()
    setup = Setup.objects.filter(study=study).first()
    try:
        if setup is not None:
            write_setup_folder(setup, folder)
        else:
            write_study_folder(study, folder)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    return folder


@transaction.atomic
def _create_draft(
    description: Description,
    *,
    slug: str,
    owner: Actor,
    now: datetime,
    folder: Path | None = None,
    changes_to: Study | None = None,
) -> Setup:
    study = Study.with_hidden.create(slug=slug, created_at=now, changes_to=changes_to, **description.settings)
    for place, topic in enumerate(description.topics):
        _create_topic(study, place, topic)
    if owner is not None:
        audit("created", study=study, actor=owner, now=now)
        set_role(study=study, user=owner, role=Role.OWNER, now=now, actor=owner)
    return _create_setup(study, description, folder, now)


def _create_topic(study: Study, place: int, described: DescribedTopic) -> None:
    topic = Topic.objects.create(
        study=study,
        place=place,
        number=described.number,
        title=described.title,
        description=described.description,
        narrative=described.narrative,
        anchor_reason=described.anchor_reason,
        **{named_field(anchor): document for anchor, document in described.named.items()},
    )
    if described.question or any(described.options):
        Question.objects.create(
            topic=topic,
            text=described.question,
            options=described.options,
            right_option=described.right_option,
        )


def _set_up_in_place(study: Study, description: Description, folder: Path, now: datetime) -> Setup:
    """Create the set-up of an imported draft.

    Anchors that were drawn at random are stored as chosen anchors, so that they stay the same.
    """
    pooled = PoolDocument.objects.filter(topic__study=study).exclude(anchor="").select_related("topic")
    for row in pooled.select_related("document"):
        field = named_field(Anchor(row.anchor))
        Topic.objects.filter(pk=row.topic_id).update(**{field: row.document.document_id})
    return _create_setup(study, description, folder, now)


def _create_setup(study: Study, description: Description, folder: Path | None, now: datetime) -> Setup:
    """Create the set-up of a study, and move the folder of its files into place."""
    setup = Setup.objects.create(study=study, pool_depth=description.pool_depth, changed_at=now)
    SetupFile.objects.bulk_create([SetupFile(setup=setup, **vars(file)) for file in description.files])
    place = setup.folder
    rmtree(place, ignore_errors=True)  # left behind by a deleted set-up with the same key
    if folder is None:
        place.mkdir(parents=True)
        return setup
    drafts_folder()
    for name in (FILE_NAME, *description.imported_files):
        (folder / name).unlink(missing_ok=True)
    folder.rename(place)
    return setup
