"""Delete a study's previews, its set-up, or the contents that an import will read again."""

from functools import partial
from pathlib import Path
from shutil import rmtree

from django.db import transaction
from django.db.models import QuerySet

from judging.models import (
    Assignment,
    Document,
    GradeSet,
    Participation,
    Picture,
    Run,
    SampleDraw,
    Setup,
    Study,
    Unit,
    UnitDocument,
)


@transaction.atomic
def end_previews(previews: QuerySet[Study]) -> None:
    """Delete previews with all their data. Ignore studies that are not previews."""
    ended = list(previews.exclude(preview_of=None).values_list("pk", flat=True))
    if not ended:
        return
    # First delete the rows that prevent the deletion of other rows.
    Assignment.objects.filter(participation__study__in=ended).delete()
    Participation.objects.filter(study__in=ended).delete()
    UnitDocument.objects.filter(unit__topic__study__in=ended).delete()
    Study.with_hidden.filter(pk__in=ended).delete()


@transaction.atomic
def forget_setup(*, study: Study) -> None:
    """Delete a study's set-up with all its files, but not the study itself."""
    for setup in Setup.objects.filter(study=study):
        folder = setup.folder
        setup.delete()
        transaction.on_commit(partial(_remove, folder))


def _remove(folder: Path) -> None:
    rmtree(folder, ignore_errors=True)


def clear_contents(study: Study) -> None:
    """Delete a study's documents, pictures, pools, sample, runs, grades and units, to read its files again.

    The study must not have any workers.
    """
    for rows in (
        Unit.objects.filter(topic__study=study),
        Run.objects.filter(study=study),
        GradeSet.objects.filter(study=study),
        Document.objects.filter(study=study),
        Picture.objects.filter(study=study),
        SampleDraw.objects.filter(study=study),
    ):
        rows.delete()
