"""A set-up whose jobs real workers do: its page waits and tells, and both databases give the same study."""

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from judging.intake import import_study
from judging.models import Draft, Job, Study
from tests.factories import NOW
from tests.intake.folder import StudyFolder
from tests.jobs.conftest import broker as broker
from tests.jobs.workers import is_over, working
from tests.setup.conftest import SAMPLE
from tests.setup.driving import SETUPS, Driver, zipped
from tests.setup.equal import described
from tests.support.databases import ON_SQLITE


@pytest.mark.slow
@ON_SQLITE
def test_check_making_and_dry_run_are_done_by_a_worker(
    database: str, folder: StudyFolder, tmp_path: Path, broker: str
) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user("ada", is_staff=True))
    driver = Driver(client)
    draft = driver.upload_study("small.zip", zipped(folder.path))
    assert draft is not None
    home = f"{SETUPS}{draft.pk}/"
    assert driver.check == "checking"
    assert 'data-job="live"' in driver.text
    driver.post(home, action="make")
    assert driver.refused == [""]
    assert not Job.objects.filter(kind="import").exists()
    with working(tmp_path, broker) as worker:
        worker.wait_for(lambda: is_over(Draft.objects.get().job))
        driver.get(home)
        assert driver.check == "sound"
        driver.post(home, action="make")
        worker.wait_for(lambda: is_over(Job.objects.get(kind="import")))
        study = Study.objects.get()
        driver.post(f"/console/studies/{study.slug}/rehearse/")
        worker.wait_for(lambda: is_over(Job.objects.get(kind="rehearse")))
    job = Job.objects.get(kind="rehearse")
    assert (job.state, job.result["done"]) == ("done", job.result["wanted"]), job.error
    direct = folder.imported(slug="direct").study
    assert described(study) == described(direct)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_drafts_are_listed_and_copied_on_postgresql(database: str) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user("ada", is_staff=True))
    driver = Driver(client)
    import_study(SAMPLE, now=NOW)
    driver.post("/console/studies/sample/copy/")
    assert driver.check == "sound"
    driver.post("/console/studies/sample/setup/")
    listed = driver.get(SETUPS)
    assert all(name in listed for name in ("sample-copy", ">sample<"))
