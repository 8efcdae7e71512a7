"""`check`: a draft read whole, with everything that it names, and nothing written."""

from typing import Any

from judging.intake.drafting import lay_out, values_of
from judging.intake.estimating import depth_of
from judging.intake.reading import read_draft
from judging.models import Draft, Job, Study
from judging.selectors.clock import now
from judging.services import jobs
from judging.services.errors import RefusedError
from judging.tasks.importing import Steps


def check_draft(job: Job, progress: jobs.Progress) -> dict[str, Any]:
    """Read the draft of a check job; returns the reading, see `judging.intake.reading`.

    Raises RefusedError where the draft is gone.
    """
    draft = Draft.objects.filter(pk=job.parameters["draft"]).first()
    if draft is None:
        raise RefusedError("The set-up was deleted.")
    slug = str(values_of(draft).get("slug"))
    taken = Study.objects.filter(slug=slug).exclude(pk=draft.study_id).exists()
    folder = lay_out(draft).parent
    reading = read_draft(folder, taken=taken, now=now(), progress=Steps(progress))
    return {**reading, "serial": draft.serial, "depth": depth_of(values_of(draft))}
