"""The page of the papers: every item with its state, and the zip that a paper's items are downloaded in."""

import io
import re
import zipfile

import pytest
from django.test import Client

from evaluation.papers.catalogue import PAPERS
from judging.models import Job, Report, ReportKind
from tests.factories import make_study
from tests.understanding.conftest import judged
from tests.understanding.reading import base, text_of

pytestmark = pytest.mark.django_db(transaction=True)
PAPER = "ZY10"


def test_every_item_is_listed_with_its_state(console: Client) -> None:
    study = judged(grades=False)
    page = text_of(console, f"{base(study)}papers/")
    for key, paper in PAPERS.items():
        part = page[page.index(f'data-paper="{key}"') :]
        part = part[: part.index("</section>")]
        states = dict(re.findall(r'data-item="([^"]+)" data-state="([^"]+)"', part))
        assert list(states) == [item.key for item in paper.items]
        assert {item.key: item.state for item in paper.items if not item.needs}.items() <= states.items()
    assert 'data-state="missing"' in page, "the study has no known grades"
    assert text_of(console, f"{base(make_study(slug='empty'))}papers/").count("<form") == page.count(
        "<form"
    ) - len(PAPERS)


def test_a_paper_is_computed_and_downloaded(console: Client) -> None:
    study = judged()
    address = f"{base(study)}papers/"
    assert console.post(address, {"paper": "X99"}).status_code == 404
    assert console.get(f"{base(study)}report.zip?paper={PAPER}").status_code == 404
    answer = console.post(address, {"paper": PAPER}, follow=True)
    assert answer.status_code == 200
    job = Job.objects.get()
    assert (job.state, job.error) == ("done", "")
    assert answer.redirect_chain == [(address, 302)]
    report = Report.objects.get(study=study, kind=ReportKind.WHOLE)
    assert report.parameters == {"paper": PAPER}
    sent = console.get(f"{base(study)}report.zip?paper={PAPER}")
    names = zipfile.ZipFile(io.BytesIO(b"".join(sent.streaming_content))).namelist()
    assert {"report/index.html", "report/report.pdf"} <= {*names}
    assert console.get(f"{base(study)}report.zip").status_code == 404, "that is the whole report"
