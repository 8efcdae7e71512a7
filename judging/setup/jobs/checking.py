"""The job `check`: read a set-up with all its files."""

from typing import Any

from judging.core.services import jobs
from judging.core.services.errors import RefusedError
from judging.models import Job, Setup
from judging.protocol.words import gettext_noop as _
from judging.setup.jobs.importing import Steps
from judging.setup.reading import read_setup


def check_setup(job: Job, progress: jobs.Progress) -> dict[str, Any]:
    """Check the set-up of a job, and return the result: see `judging.setup.reading`.

    Raise RefusedError if the set-up was deleted.
    """
    setup = Setup.objects.select_related("study__changes_to").filter(pk=job.parameters["setup"]).first()
    if setup is None:
        raise RefusedError(_("This set-up was deleted, so there is nothing to check."))
    return dict(read_setup(setup, progress=Steps(progress)))
