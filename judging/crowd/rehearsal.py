"""A dry run: copy a study, and let simulated workers judge the whole copy."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from django.utils.translation import gettext as _

from judging.core.clock import now
from judging.core.selectors.arms import arm_keys, arms_of
from judging.core.selectors.readiness import readiness
from judging.core.selectors.simulated import has_random_relevance
from judging.core.services import jobs
from judging.core.services.errors import RefusedError
from judging.core.study_imports import Imported
from judging.crowd.finishing import finish_study
from judging.crowd.names import DEFAULT, crowd_named
from judging.crowd.rounds import judge_further_rounds, judge_round, most_units_of, rounds_of
from judging.crowd.simulation import Crowd, prepare, progress_of, start_of
from judging.models import Job, Membership, Participation, Study
from judging.setup.jobs.importing import Steps
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder

_LONGEST_TITLE: Final = 200
_LONGEST_SLUG: Final = 60


def rehearse(job: Job, progress: jobs.Progress) -> dict[str, Any]:
    """Copy a study, let simulated workers judge the copy, and return a summary of the results.

    A restarted job continues with the same copy. The copy has the members of the study, but not its dates,
    because simulated workers have their own clock. If the job's parameters have no seed, the job's primary
    key is the seed, so that two dry runs differ. The same seed gives the same judgments. After the copy has
    been judged, request its reports and the statistics of its workers.

    The workers of an adaptive study judge until a decision stops the study. The result then has the number of
    rounds and the reason for the last decision.

    Raise RefusedError if the study was deleted or cannot open, or if no crowd has the requested name.
    """
    model = crowd_named(job.parameters.get("crowd", DEFAULT))
    seed = job.parameters.get("seed", job.pk)
    copy = job.study or _copy_study(job, progress)
    prepare(copy, start_of(copy))
    copy.refresh_from_db()
    crowd = Crowd(workers=0, seed=seed, model=model, draws_levels=True)
    units_done = _progress_of_units(most_units_of(copy), progress)
    judge_round(copy, crowd, progress=units_done)
    judge_further_rounds(copy, crowd, progress=units_done)
    after, rounds = progress_of(copy), rounds_of(copy)
    finish_study(copy, now=now())
    return {
        "study": copy.slug,
        "seed": seed,
        "is_random": has_random_relevance(copy),
        "done": after.done,
        "wanted": after.wanted,
        "judgments": after.judgments,
        "workers": Participation.objects.filter(study__in=arm_keys(copy)).count(),
        **(rounds._asdict() if rounds else {}),
    }


def _progress_of_units(wanted: int, progress: jobs.Progress) -> Callable[[int], None]:
    return lambda done: progress(done, wanted)


def _copy_study(job: Job, progress: jobs.Progress) -> Study:
    slug = job.parameters["of"]
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        raise RefusedError(_("The study {study} was deleted. Choose another study.").format(study=slug))
    if faults := readiness(study, now=None).faults:
        raise RefusedError(
            _("The dry run did not start, because study {study} cannot open yet. {faults}").format(
                study=study.slug, faults=" ".join(faults)
            )
        )

    def written(imported: Imported) -> None:
        members = Membership.objects.filter(study=study.entrance)
        rows = [
            Membership(study=imported.study, user_id=member.user_id, role=member.role) for member in members
        ]
        Membership.objects.bulk_create(rows)
        jobs.store_study(job=job, study=imported.study, result={"study": imported.study.slug})

    with TemporaryDirectory() as folder:
        title = f"{study.title[: _LONGEST_TITLE - 10]} (dry run)"
        changes = {"title": title, "opens_at": None, "closes_at": None}
        file = write_study_folder(study, Path(folder), slug=_unused_slug(study), changes=changes)
        return import_study(
            file, now=now(), written=written, progress=Steps(progress), actor=job.requested_by
        ).study


def _unused_slug(study: Study) -> str:
    """Return a free slug for a copy of the study. It leaves room for the names of the arms."""
    slug = study.entrance.slug
    longest = _LONGEST_SLUG - max(len(arm.arm) + 1 if arm.has_arms else 0 for arm in arms_of(study))
    used = set(Study.objects.values_list("slug", flat=True))
    number = 1
    while (name := f"{slug[: longest - 14]}-dry-run-{number}") in used:
        number += 1
    return name
