"""Plumbline computes reports on request; pages show their age to everyone who can see the study."""

import os
import re
import subprocess
import sys
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from judging.core.clock import now
from judging.core.services.members import set_role
from judging.models import AuditEntry, Document, Job, NoticeAbout, Report, ReportKind, Role, Study
from judging.understanding.selectors.reports import report_key
from judging.watching.selectors.notices import due_notices
from judging.watching.services.curation import exclude_unit
from tests.archive.exports.conftest import scaled
from tests.benchmarks.large_study import LargeStudy
from tests.factories import judge_unit, later, make_study, make_worker
from tests.support.html import compact
from tests.understanding.conftest import judged
from tests.understanding.reading import base, csv_of, make, tables_in, text_of

PAGES = (
    "",
    "documents/?topic=401",
    "document/?topic=401&id=D401-000",
    "grades/",
    "results/",
    "systems/",
    "figures/",
    "figures/systems/",
)
WRONG_MEASURES = [
    ("nDCG@10\nnDGC@5", ("Line 2", "nDGC")),
    ("nDCG@10\nERR@10", ("Line 2", "ERR@10", "gmax")),
    ("P(depth=3)@10", ("Line 1", "'depth'")),
    (" \n ", ()),
    ("\n".join(f"P@{n}" for n in range(1, 22)), ("20",)),
]
ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db(transaction=True)


def test_what_is_not_there_is_told_and_made_on_request(console: Client) -> None:
    study = judged()
    for page in ("", "grades/", "results/", "figures/systems/"):
        address = f"{base(study)}{page}"
        before = text_of(console, address)
        assert states_in(before) == ["none"]
        assert re.search(f'<form method="post"[^>]* action="{address}"', before)
        answer = console.post(address, {"measures": "nDCG@10\nAP(rel=1)"}, follow=True)
        assert answer.status_code == 200
        assert states_in(compact(answer.content.decode())) == ["made 32 0 0"]
        assert Job.objects.latest("pk").state == "done"
    assert Job.objects.count() == 4
    assert states_in(text_of(console, f"{base(study)}documents/?topic=401")) == ["made 32 0 0"]


def states_in(page: str) -> list[str]:
    """Return the state of each report on a page: whether it exists, its judgments, and changes since."""
    matches = re.findall(
        r'data-report="(\w+)"(?: data-judgments="(\d+)" data-came="(\d+)" data-gone="(\d+)")?', page
    )
    return [" ".join(filter(None, state)) for state in matches]


def test_what_came_and_what_went_is_counted(console: Client) -> None:
    study = judged()
    make(study, ReportKind.GRADES)
    worker = make_worker(study)
    judge_unit(worker, now=later(hours=5), magnitude=scaled(1.0))
    address = f"{base(study)}grades/"
    assert states_in(text_of(console, address)) == ["made 32 8 0"]
    unit = study.topics.get(number="401").units.filter(state="done").order_by("number")[0]
    exclude_unit(unit=unit, reason="careless", now=later(hours=6))
    assert states_in(text_of(console, address)) == ["made 32 8 1"]
    console.post(address)
    assert states_in(text_of(console, address)) == ["made 32 0 0"]


def test_the_age_is_told(console: Client) -> None:
    study = judged()
    make(study, ReportKind.GRADES)
    made_at = Report.objects.get().made_at - timedelta(days=2, hours=3)
    Report.objects.update(made_at=made_at)
    shown = f'<time datetime="{made_at.isoformat()}">2\xa0days, 3\xa0hours</time>'
    assert shown in text_of(console, f"{base(study)}grades/")


def test_a_document_shows_what_the_report_has_not_seen_without_its_normalised_magnitude(
    console: Client,
) -> None:
    study = judged()
    address = f"{base(study)}document/?topic=401&id=D401-H"

    def normalised() -> list[Any]:
        return [row[2] for row in tables_in(text_of(console, address))[0]]

    assert normalised() == ["–"] * 2
    make(study, ReportKind.DOCUMENTS)
    assert [type(value) for value in normalised()] == [float] * 2
    judge_unit(make_worker(study), now=later(hours=5), magnitude=scaled(1.0))
    judge_unit(make_worker(study), now=later(hours=6), magnitude=scaled(1.0))
    assert sorted(type(value).__name__ for value in normalised()) == ["float", "float", "str"]


def test_made_anew_it_takes_the_place_of_the_old_one() -> None:
    study = judged()
    for _ in range(2):
        make(study, ReportKind.DOCUMENTS)
        make(study, ReportKind.SCORES, measures=["nDCG@10"])
    make(study, ReportKind.SCORES, measures=["AP(rel=1)"])
    kinds = list(Report.objects.order_by("kind").values_list("kind", flat=True))
    assert kinds == ["documents"] * 3 + ["normalised"] * 2 + ["scores"] * 2


def test_one_job_at_a_time_makes_a_report(console: Client) -> None:
    study = judged()
    waiting = Job.objects.create(
        kind="report",
        study=study,
        parameters={
            "report": "grades",
            "parameters": {},
            "key": report_key(ReportKind.GRADES, {}),
            "title": "grades and agreement",
        },
        created_at=later(),
        heartbeat_at=later(),
    )
    address = f"{base(study)}grades/"
    text = text_of(console, address)
    assert f'<p class="notice" role="status" data-job="{waiting.pk}">' in text
    assert f'<form method="post" action="{address}"' not in text
    answer = console.post(address)
    assert answer.url == f"/console/studies/study/jobs/{waiting.pk}/"
    assert Job.objects.count() == 1
    assert console.get(answer.url).status_code == 200


def test_a_failure_is_told_where_the_report_would_be(console: Client) -> None:
    study = make_study()
    text = console.post(f"{base(study)}grades/", follow=True).content.decode()
    job = Job.objects.get(study=study)
    assert job.state == "failed"
    assert "data-failure" in text
    assert job.error in unescape(text)


def test_parts_that_need_runs_are_named_as_missing(console: Client) -> None:
    study = judged(runs=False)
    text = console.post(f"{base(study)}results/", {"measures": "nDCG@10"}, follow=True).content.decode()
    assert Job.objects.get(study=study).state == "done"
    content = Report.objects.get(study=study).content
    assert (content["tables"], len(content["missing"])) == ([], 2)
    assert "data-failure" not in text


def test_a_measure_that_is_none_is_told_beside_the_field(console: Client) -> None:
    study = judged()
    for page in ("results/", "figures/systems/"):
        for typed, faulty in WRONG_MEASURES:
            answer = console.post(f"{base(study)}{page}", {"measures": typed})
            text = compact(answer.content.decode())
            assert answer.status_code == 400, typed
            assert 'aria-invalid="true"' in text
            (faults,) = re.findall(r'<div id="measures_error">(.*?)</div>', text)
            assert all(part in unescape(faults) for part in faulty), typed
            assert typed.split("\n")[0] in text, "what was typed is not lost"
    assert not Job.objects.exists()


def test_measures_are_the_same_however_they_are_written(console: Client) -> None:
    study = judged()
    for typed in ("ERR( gmax = topic )@10", 'ERR(gmax="topic")@10\n\nERR(gmax="topic")@10'):
        answer = console.post(f"{base(study)}results/", {"measures": typed})
        assert answer.url.endswith("?measures=ERR%28gmax%3D%22topic%22%29%4010")
    assert Report.objects.get().parameters == {"measures": ['ERR(gmax="topic")@10']}


def test_documents_are_sorted_and_a_wrong_key_is_told(console: Client) -> None:
    study = judged()
    make(study, ReportKind.DOCUMENTS)
    address = f"{base(study)}documents/?topic=401"
    report = Report.objects.get(kind="documents", parameters__topic="401")
    rows = {row["document"]: row for row in report.content["documents"]}

    def order(sort: str) -> list[str]:
        (rows,) = tables_in(text_of(console, f"{address}&sort={sort}"))
        return [row[0] for row in rows]

    assert order("document") == sorted(rows)
    assert order("-gain") == sorted(rows, key=lambda name: (-rows[name]["gain"], name))
    assert order("-spread") == sorted(rows, key=lambda name: (-rows[name]["spread"], name))
    assert [rows[name]["grade"] for name in order("-grade")] == ["H", "H", "R", "M", "N", "N", "N", ""]
    answer = console.get(f"{address}&sort=luck")
    assert answer.status_code == 400
    assert "luck" in answer.content.decode()


def test_documents_that_nobody_judged_stand_last() -> None:
    study = make_study(topics=1, documents=12, judgments_per_document=1)
    judge_unit(make_worker(study), magnitude=scaled(1.0))
    make(study, ReportKind.DOCUMENTS)
    report = Report.objects.get(kind="documents", parameters__topic="401")
    judgments = [row["judgments"] for row in report.content["documents"]]
    assert sorted(judgments) == [0] * 6 + [1] * 8
    assert {row["gain"] for row in report.content["documents"] if not row["judgments"]} == {None}


def test_documents_as_a_file(console: Client) -> None:
    study = judged()
    make(study, ReportKind.DOCUMENTS)
    report = Report.objects.get(kind="documents", parameters__topic="401")
    rows = csv_of(console, f"{base(study)}reports/{report.pk}/table.csv")
    assert rows[0][:5] == ["document", "grade", "anchor", "judgments", "gain"]
    assert [row[4] for row in rows[1:]] == [repr(row["gain"]) for row in report.content["documents"]]
    assert console.get(f"{base(study)}reports/{report.pk}.svg").status_code == 404


def test_a_table_for_spreadsheets(console: Client) -> None:
    study = judged()
    Document.objects.filter(document_id="D401-000").update(document_id="=1+1")
    make(study, ReportKind.DOCUMENTS)
    report = Report.objects.get(kind="documents", parameters__topic="401")
    address = f"{base(study)}reports/{report.pk}/table.csv"
    exact = csv_of(console, address)
    assert "=1+1" in [row[0] for row in exact]
    safe = csv_of(console, f"{address}?for=spreadsheet")
    safe[0][0] = safe[0][0].removeprefix("\ufeff")
    assert safe == [["'=1+1" if cell == "=1+1" else cell for cell in row] for row in exact]
    answer = console.get(f"{address}?for=spreadsheet")
    assert 'filename="study-documents-401.spreadsheet.csv"' in answer["Content-Disposition"]
    assert AuditEntry.objects.filter(verb="exported", detail__format="spreadsheet").exists()


def test_what_is_not_there_is_not_found(console: Client) -> None:
    study = judged()
    make(study, ReportKind.GRADES)
    other = make_study(slug="other", opened=False)
    report = Report.objects.get()
    for address in (
        f"{base(study)}documents/",
        f"{base(study)}documents/?topic=999",
        f"{base(study)}documents/?topic=%00",
        f"{base(study)}document/?topic=401&id=nothing",
        f"{base(study)}reports/{report.pk}/table.csv?table=nothing",
        f"{base(other)}reports/{report.pk}/table.csv?table=boxes",
        f"{base(study)}grades/?table1=99",
    ):
        assert console.get(address).status_code == 404, address


def test_nothing_that_workers_wrote_stands_in_a_report() -> None:
    study = judged()
    words = set(study.participations.values_list("pseudonym", flat=True))
    make(study, ReportKind.DOCUMENTS)
    make(study, ReportKind.SCORES, measures=["nDCG@10"])
    kept = "".join(str(report.content) for report in Report.objects.all())
    assert not any(word in kept for word in words)
    assert "justification" not in kept.lower()


# --- who may -----------------------------------------------------------------------------------------------


def test_every_member_may_have_reports_made(client: Client) -> None:
    study = judged()
    for role in Role:
        user = get_user_model().objects.create_user(role.value, is_staff=True)
        set_role(study=study, user=user, role=role, now=later())
        client.force_login(user)
        assert client.post(f"{base(study)}grades/").status_code == 302
        assert Job.objects.latest("pk").requested_by == user
    assert Report.objects.count() == 1


def test_strangers_find_nothing(console: Client) -> None:
    study = judged()
    owner = get_user_model().objects.create_user("olga", is_staff=True)
    set_role(study=study, user=owner, role=Role.OWNER, now=later())
    outsider = Client()
    outsider.force_login(get_user_model().objects.create_user("eve"))
    for page in PAGES:
        address = f"{base(study)}{page}"
        assert Client().get(address).status_code == 302, page
        assert outsider.get(address).status_code == 403, page
        assert console.get(address).status_code == 404, page
    assert console.post(f"{base(study)}grades/").status_code == 404
    assert not Job.objects.exists()


def test_a_form_from_elsewhere_is_refused(console: Client) -> None:
    study = judged()
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(get_user_model().objects.get())
    assert strict.post(f"{base(study)}grades/").status_code == 403
    assert not Job.objects.exists()


# --- what a page costs -------------------------------------------------------------------------------------


def queries_of(console: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert console.get(address).status_code == 200, address
    return len(captured)


@pytest.mark.slow
def test_queries_do_not_grow_with_a_study(console: Client) -> None:
    counts: dict[str, list[int]] = {}
    for slug, judgments, topics in (("small", 32, 1), ("large", 640, 8)):
        study: Study = LargeStudy(slug=slug, judgments=judgments, topics=topics).study
        make(study, ReportKind.DOCUMENTS)
        make(study, ReportKind.GRADES)
        for page in ("", "documents/?topic=401", "document/?topic=401&id=D401-H", "grades/", "figures/"):
            counts.setdefault(page, []).append(queries_of(console, f"{base(study)}{page}"))
    assert all(small == large <= 18 for small, large in counts.values()), counts


@pytest.mark.slow
def test_no_page_imports_what_draws_or_tests() -> None:
    """Web requests never load matplotlib and the analyses, which are for jobs, and start without SciPy."""
    code = (
        "import django, sys; django.setup(); import deploy.urls, django.urls;"
        "django.urls.get_resolver().url_patterns; import judging.site.urls;"
        "print([name for name in ('matplotlib', 'scipy.stats', 'evaluation.figures', 'evaluation.analyses')"
        " if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"


def test_who_asked_for_what_failed_is_told() -> None:
    job = make(make_study(), ReportKind.GRADES)
    assert job.state == "failed"
    assert due_notices(now=now()) == [], "nobody requested it"
    ada = get_user_model().objects.create_user("ada-who-asked")
    Job.objects.filter(pk=job.pk).update(requested_by=ada)
    (due,) = due_notices(now=now())
    assert (due.about, due.facts, due.actor) == (NoticeAbout.FAILED, {"job": job.pk}, ada)
