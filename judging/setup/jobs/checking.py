"""`check`: a set-up read whole, with every file that it names."""

from typing import Any

from judging.core.services import jobs
from judging.core.services.errors import RefusedError
from judging.models import Job, Setup
from judging.setup.jobs.importing import Steps
from judging.setup.reading import read_setup


def check_setup(job: Job, progress: jobs.Progress) -> dict[str, Any]:
    """Read the set-up of a check job; return what was found, see `judging.setup.reading`.

    Raise RefusedError if the set-up is gone.
    """
    setup = Setup.objects.select_related("study__changes_to").filter(pk=job.parameters["setup"]).first()
    if setup is None:
        raise RefusedError("The set-up was deleted.")
    return dict(read_setup(setup, progress=Steps(progress)))
