"""A set-up whose jobs real workers do: its page waits and tells, and both databases give the same study."""

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from judging.core.services.studies import open_study
from judging.models import Job, Setup, Study
from tests.factories import NOW
from tests.jobs.conftest import broker as broker
from tests.jobs.workers import is_over, working
from tests.setup.driving import Driver, at, zipped
from tests.setup.equal import described
from tests.setup.intake.folder import StudyFolder
from tests.support.databases import ON_SQLITE


@pytest.mark.slow
@ON_SQLITE
def test_check_changes_and_dry_run_are_done_by_a_worker(
    database: str, folder: StudyFolder, tmp_path: Path, broker: str
) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user("ada", is_staff=True))
    driver = Driver(client)
    setup = driver.upload_study("small.zip", zipped(folder.path))
    assert setup is not None
    assert driver.check == "checking"
    assert 'data-job="live"' in driver.text
    with working(tmp_path, broker) as worker:
        worker.wait_for(lambda: is_over(Setup.objects.get().job))
        driver.get(at(setup))
        assert driver.check == "sound"
        study = Study.objects.get()
        driver.post(f"/console/studies/{study.slug}/rehearse/")
        worker.wait_for(lambda: is_over(Job.objects.get(kind="rehearse")))
        open_study(study=study, now=NOW)
        changes = driver.change(study)
        worker.wait_for(lambda: is_over(Setup.objects.get(pk=changes.pk).job))
        driver.post(at(changes), action="make")
        worker.wait_for(lambda: is_over(Job.objects.get(kind="import")))
    job = Job.objects.get(kind="rehearse")
    assert (job.state, job.result["done"]) == ("done", job.result["wanted"]), job.error
    assert Job.objects.get(kind="import").state == "done"
    direct = folder.imported(slug="direct").study
    assert described(study) == described(direct)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_study_is_set_up_copied_and_changed_on_postgresql(database: str, folder: StudyFolder) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user("ada", is_staff=True))
    driver = Driver(client)
    setup = driver.upload_study("small.zip", zipped(folder.path))
    assert setup is not None
    assert driver.check == "sound"
    direct = folder.imported(slug="direct").study
    study = Study.objects.get(setup=setup)
    assert described(study) == described(direct)
    driver.post("/console/studies/small/copy/")
    assert driver.check == "sound"
    open_study(study=study, now=NOW)
    changes = driver.change(study)
    driver.post(at(changes, "study/"), title="Changed")
    driver.post(at(changes), action="make")
    assert Study.objects.get(slug="small").title == "Changed"
    driver.post(at(Setup.objects.latest("pk")), action="delete", sure="on")
