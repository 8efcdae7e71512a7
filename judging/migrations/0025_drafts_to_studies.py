"""Every draft becomes a study in state draft, or, of a study that has been opened, a draft of changes to it.

A draft whose study file cannot be read becomes a study that says so in its title; the file is kept among its
uploaded files, where it can be downloaded.
"""

from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from typing import Any

from django.conf import settings
from django.db import migrations

from judging.core.intake.faults import StudyRefusedError
from judging.setup.description import Description, read_description

STUDY_FILE = "study.toml"
KEPT_AS = "unreadable-study.toml"
TOPIC_FIELDS = ("number", "title", "description", "narrative", "anchor_reason")


def convert(apps: Any, schema_editor: Any) -> None:
    home = Path(settings.DRAFTS_FOLDER)
    moves: list[tuple[Path, Path]] = []
    taken_in: list[Path] = []
    for draft in apps.get_model("judging", "Draft").objects.order_by("pk"):
        folder = home / str(draft.pk)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / STUDY_FILE).write_text(draft.text, encoding="utf-8", newline="")
        try:
            description = read_description(folder)
        except StudyRefusedError:
            description = None
        study = study_of(apps, draft, description)
        setup = apps.get_model("judging", "Setup").objects.create(
            study=study,
            pool_depth=description.pool_depth if description else None,
            version=draft.serial,
            changed_at=draft.changed_at,
        )
        files = apps.get_model("judging", "SetupFile").objects
        for file in description.files if description else ():
            files.create(setup=setup, **known(apps, vars(file), "SetupFile"))
        if description is None:
            (folder / KEPT_AS).write_bytes((folder / STUDY_FILE).read_bytes())
        taken_in += (folder / name for name in (STUDY_FILE, *(description.imported_files if description else ())))
        moves.append((folder, home / f"setup-{setup.pk}"))
    # Only now, as a draft that cannot be converted takes the rows of all back, but no file.
    for path in taken_in:
        path.unlink(missing_ok=True)
    for old, new in moves:
        rmtree(old / ".texts", ignore_errors=True)
        rmtree(new, ignore_errors=True)
        old.rename(new)


def study_of(apps: Any, draft: Any, description: Description | None) -> Any:
    """Return the study that a draft becomes, with the topics that it describes."""
    if description is None:
        of = f" of study {draft.study.slug}" if draft.study else ""
        return create(apps, draft, slug=f"set-up-{draft.pk}", title=f"Set-up {draft.pk}{of}: not readable")
    if draft.study is None:
        study = create(apps, draft, slug=description.slug or "study", **description.settings)
    elif is_untouched(apps, draft.study):
        study = draft.study
        for name, value in known(apps, description.settings).items():
            setattr(study, name, value)
        study.save()
        if has_same_topics(apps, study, description):
            for described in description.topics:
                study.topics.filter(number=described.number).update(**named(described))
            return study
        for model in ("Run", "GradeSet", "Document"):
            apps.get_model("judging", model).objects.filter(study=study).delete()
        apps.get_model("judging", "Topic").objects.filter(study=study).delete()
    else:
        changes = {"changes_to": draft.study, **known(apps, description.settings)}
        study = apps.get_model("judging", "Study").objects.create(
            slug=f"changes-{token_hex(16)}", created_at=draft.created_at, **changes
        )
    for place, described in enumerate(description.topics):
        texts = {name: getattr(described, name) for name in TOPIC_FIELDS} | named(described)
        topic = apps.get_model("judging", "Topic").objects.create(study=study, place=place, **texts)
        if described.question or any(described.options):
            apps.get_model("judging", "Question").objects.create(
                topic=topic,
                text=described.question,
                options=described.options,
                right_option=described.right_option,
            )
    return study


def named(described: Any) -> dict[str, str]:
    """The columns for the anchors that a topic names. At this point, a topic has one pair."""
    return {f"named_{anchor.lower()}": described.named.get(anchor, "") for anchor in ("H", "N")}


def is_untouched(apps: Any, study: Any) -> bool:
    """Whether nobody took part in the study, so that its topics can be written anew."""
    attempts = apps.get_model("judging", "Assignment").objects.filter(topic__study=study)
    return bool(study.state == "draft" and not attempts.exists())


def has_same_topics(apps: Any, study: Any, description: Description) -> bool:
    """Whether the study was made of these topics, so that its pools can stay until they are read again."""
    stored = [
        (
            *(getattr(topic, name) for name in TOPIC_FIELDS[:4]),
            *((topic.question.text, topic.question.right_option) if hasattr(topic, "question") else ("", None)),
        )
        for topic in study.topics.order_by("place")
    ]
    described = [
        (*(getattr(topic, name) for name in TOPIC_FIELDS[:4]), topic.question, topic.right_option)
        for topic in description.topics
    ]
    return stored == described


def create(apps: Any, draft: Any, *, slug: str, **fields: Any) -> Any:
    """Make a study that is its draft's owner's; without one, that of the admins of the site."""
    study = apps.get_model("judging", "Study").objects.create(
        slug=free_slug(apps, slug), created_at=draft.created_at, **known(apps, fields)
    )
    users = apps.get_model(settings.AUTH_USER_MODEL).objects.filter(is_active=True)
    owners = users.filter(pk=draft.owner_id) if draft.owner_id else users.filter(is_superuser=True)
    for user in owners:
        apps.get_model("judging", "Membership").objects.create(study=study, user=user, role="owner")
    return study


def known(apps: Any, fields: dict[str, Any], model: str = "Study") -> dict[str, Any]:
    """Return those of the fields that the model had at this migration."""
    names = {field.name for field in apps.get_model("judging", model)._meta.get_fields()}
    return {name: value for name, value in fields.items() if name in names}


def free_slug(apps: Any, wanted: str) -> str:
    taken = set(apps.get_model("judging", "Study").objects.values_list("slug", flat=True))
    names = (wanted if number == 1 else f"{wanted[:55]}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


class Migration(migrations.Migration):
    dependencies = [("judging", "0024_setups")]

    operations = [migrations.RunPython(convert, migrations.RunPython.noop)]
