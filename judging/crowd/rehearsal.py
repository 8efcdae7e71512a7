"""A dry run: a study copied under another name, and the copy judged whole by a simulated crowd."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from judging.core.clock import now
from judging.core.intake.imported import Imported
from judging.core.selectors.readiness import readiness
from judging.core.services import jobs
from judging.core.services.errors import RefusedError
from judging.crowd.simulation import Crowd, prepare, progress_of, simulate, start_of
from judging.models import Job, Membership, Participation, Study
from judging.setup.jobs.importing import Steps
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder

SEED: Final = 1
_LONGEST_TITLE: Final = 200
_LONGEST_SLUG: Final = 60
_SPARE: Final = 1.3
"""Workers that come for each that is needed at the least: some are careless, some leave."""
_MOST_ROUNDS: Final = 10


def rehearse(job: Job, progress: jobs.Progress) -> dict[str, Any]:
    """Do a job that rehearses the study named in it; a job begun again goes on with the copy it has made.

    Its members are those of the study; dates are left out, as the crowd comes on days of its own. Raises
    RefusedError where the study is gone or could not be opened.
    """
    copy = job.study or _copied(job, progress)
    start = start_of(copy)
    prepare(copy, start)
    for _ in range(_MOST_ROUNDS):
        copy.refresh_from_db()
        before = progress_of(copy)
        if before.open == 0:
            break
        topics = max(1, copy.topics.count())
        crowd = Crowd(workers=round(_SPARE * before.open / topics) + 2, seed=SEED)
        simulate(copy, crowd, start, progress=_towards(before.wanted, progress))
        start = start_of(copy)
        if progress_of(copy).done == before.done:
            break
    after = progress_of(copy)
    return {
        "study": copy.slug,
        "done": after.done,
        "wanted": after.wanted,
        "judgments": after.judgments,
        "workers": Participation.objects.filter(study=copy).count(),
    }


def _towards(wanted: int, progress: jobs.Progress) -> Callable[[int], None]:
    """Return what tells how many of the wanted units are done."""
    return lambda done: progress(done, wanted)


def _copied(job: Job, progress: jobs.Progress) -> Study:
    study = Study.objects.filter(slug=job.parameters["of"]).first()
    if study is None:
        raise RefusedError(f"There is no study {job.parameters['of']} any more.")
    if faults := readiness(study, now=None).faults:
        raise RefusedError(f"Study {study.slug} could not be opened, so it was not tried: {' '.join(faults)}")

    def written(imported: Imported) -> None:
        members = Membership.objects.filter(study=study)
        rows = [Membership(study=imported.study, user_id=one.user_id, role=one.role) for one in members]
        Membership.objects.bulk_create(rows)
        jobs.keep(job=job, study=imported.study, result={"study": imported.study.slug})

    slug = _free(study.slug)
    with TemporaryDirectory() as place:
        title = f"{study.title[: _LONGEST_TITLE - 10]} (dry run)"
        changes = {"title": title, "opens_at": None, "closes_at": None}
        file = write_study_folder(study, Path(place), slug=slug, changes=changes)
        return import_study(
            file, now=now(), written=written, progress=Steps(progress), actor=job.requested_by
        ).study


def _free(slug: str) -> str:
    taken = set(Study.objects.values_list("slug", flat=True))
    number = 1
    while (name := f"{slug[: _LONGEST_SLUG - 14]}-dry-run-{number}") in taken:
        number += 1
    return name
