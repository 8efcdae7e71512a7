"""A dry run: the study is copied, and the copy judged whole by a made-up crowd, as a real one would be."""

from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.management import call_command
from django.test import Client

from judging.core.services import jobs
from judging.core.services.members import set_role
from judging.crowd.world import World
from judging.jobs import TASKS
from judging.models import (
    GradeSet,
    Job,
    JobKind,
    Judgment,
    KnownGrade,
    Participation,
    PoolDocument,
    Role,
    Study,
)
from judging.understanding.services.wanted import wanted_reports
from tests.factories import NOW, make_study
from tests.setup.driving import Driver
from tests.setup.equal import described
from tests.setup.intake.folder import StudyFolder

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study(folder: StudyFolder, researcher: AbstractBaseUser) -> Study:
    folder.replace("study.toml", "seed = 7", "seed = 7\nopens_at = 2031-01-01T00:00:00Z")
    made = folder.imported().study
    set_role(study=made, user=researcher, role=Role.OWNER, now=NOW)
    return made


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave reports and statistics to a worker that never comes."""
    carrier = jobs._carrier

    def carry(job: Job, **options: object) -> None:
        if job.kind not in (JobKind.REPORT, JobKind.STATISTICS):
            carrier(job, **options)

    monkeypatch.setattr(jobs, "_carrier", carry)


def magnitudes(study: Study) -> list[float]:
    judgments = Judgment.objects.filter(assignment__participation__study=study)
    return sorted(judgments.filter(number__isnull=False).values_list("number", flat=True))


def test_every_dry_run_differs_and_a_seed_repeats_it(study: Study) -> None:
    out = StringIO()
    for seed in ((), (), ("--seed", "5"), ("--seed", "5")):
        call_command("dry_run", study.slug, *seed, stdout=out)
    done = list(Job.objects.filter(kind="rehearse").order_by("pk"))
    seeds = [job.result["seed"] for job in done]
    assert seeds[2:] == [5, 5]
    assert len({*seeds}) == 3
    assert all(f"Seed: {seed}." in out.getvalue() for seed in seeds)
    first, second, third, again = (magnitudes(job.study) for job in done)
    assert third == again
    assert len({tuple(first), tuple(second), tuple(third)}) == 3
    worlds = [World(job.study, seed=job.result["seed"]) for job in done]
    topic = study.topics.order_by("place")[0].number
    levels = [
        [text.level for text in world.topic(job.study.topics.get(number=topic).pk).documents.values()]
        for job, world in zip(done, worlds, strict=True)
    ]
    assert levels[2] == levels[3]
    assert levels[0] != levels[1], "the relevance is drawn anew"


def test_all_reports_are_requested_at_its_end(study: Study) -> None:
    call_command("dry_run", study.slug, stdout=StringIO())
    copy = Job.objects.get(kind="rehearse").study
    requested = Job.objects.filter(study=copy, kind="report").order_by("pk")
    wanted = [*wanted_reports(copy)]
    asked = requested.values_list("parameters__report", "parameters__parameters")
    assert list(asked) == wanted
    assert Job.objects.filter(study=copy, kind="figures").count() == 1


@pytest.mark.parametrize("graded", [True, False])
def test_random_numbers_are_announced(console: Client, study: Study, graded: bool) -> None:
    if not graded:
        PoolDocument.objects.filter(topic__study=study, anchor="").update(grade="")
        KnownGrade.objects.all().delete()
        GradeSet.objects.all().delete()
    page = Driver(console).post(f"/console/studies/{study.slug}/rehearse/")
    job = Job.objects.get(kind="rehearse")
    assert job.state == "done", job.error
    assert (job.result["is_random"], "data-random" in page) == (not graded, not graded)


def test_one_click_ends_in_the_pages_of_a_real_study(console: Client, study: Study) -> None:
    driver = Driver(console)
    page = driver.post(f"/console/studies/{study.slug}/rehearse/")
    copy = Study.objects.get(slug="small-dry-run-1")
    result = Job.objects.get(kind="rehearse").result
    assert (result["done"], result["wanted"], result["judgments"]) == (6, 6, 48)
    assert f'href="/console/studies/{copy.slug}/"' in page
    assert (copy.simulated, copy.state) == (True, "open")
    assert copy.title.startswith(study.title)
    assert copy.title != study.title
    assert copy.memberships.get().role == "owner"
    assert Participation.objects.exclude(kind="simulated").count() == 0
    for address in ("", "table1/", "workers/", "events/", "jobs/", "export/judgments.csv"):
        assert console.get(f"/console/studies/{copy.slug}/{address}").status_code == 200
    left_out = ("title", "opens_at")
    assert described(copy, but=left_out) == described(study, but=left_out)
    study.refresh_from_db()
    assert (study.state, study.simulated) == ("draft", False)
    assert not Judgment.objects.exclude(assignment__participation__study=copy).exists()
    driver.post(f"/console/studies/{study.slug}/rehearse/")
    assert Study.objects.filter(slug="small-dry-run-2").exists()


def test_what_cannot_open_is_not_tried(console: Client, study: Study) -> None:
    Study.objects.update(consent="")
    page = Driver(console).post(f"/console/studies/{study.slug}/rehearse/")
    job = Job.objects.get()
    assert (job.state, "consent" in job.error) == ("failed", True)
    assert f'<p class="notice error">{job.error}</p>' in page
    assert Study.objects.count() == 1


def test_the_crowd_of_a_dry_run_is_chosen(console: Client, study: Study) -> None:
    assert (
        '<option value="typical" selected>' in console.get("/console/studies/small/set-up/").content.decode()
    )
    Driver(console).post("/console/studies/small/rehearse/", crowd="careful")
    job = Job.objects.get(kind="rehearse")
    assert (job.state, job.parameters["crowd"]) == ("done", "careful")
    assert not Participation.objects.filter(behaviour="spammer").exists()


def test_an_unknown_crowd_is_refused(console: Client, study: Study) -> None:
    Driver(console).post("/console/studies/small/rehearse/", crowd="clever")
    job = Job.objects.get()
    assert (job.state, "clever" in job.error) == ("failed", True)
    assert Study.objects.count() == 1


def test_a_dry_run_that_is_begun_again_goes_on_with_its_copy(study: Study) -> None:
    job = Job.objects.create(kind="rehearse", parameters={"of": "small"}, created_at=NOW, heartbeat_at=NOW)
    TASKS[JobKind.REHEARSE](job.pk)
    Job.objects.update(state="queued", finished_at=None)
    TASKS[JobKind.REHEARSE](job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.study.slug) == ("done", 2, "small-dry-run-1")
    assert Study.objects.count() == 2
    assert job.kind == JobKind.REHEARSE


def test_those_who_may_not_manage_may_not_try(client: Client, study: Study) -> None:
    viewer = get_user_model().objects.create_user("vic", is_staff=True)
    set_role(study=study, user=viewer, role=Role.VIEWER, now=NOW)
    client.force_login(viewer)
    assert client.post("/console/studies/small/rehearse/").status_code == 403
    assert client.get("/console/studies/small/study.zip").status_code == 403
    assert "small/rehearse/" not in client.get("/console/studies/small/").content.decode()
    make_study(slug="other")
    assert client.get("/console/studies/small/rehearse/").status_code == 405
