"""The pages of understanding in a real Chromium, and a report made by a real worker."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.analysis.reports.catalogue import FIGURES
from judging.models import Document, Report, ReportKind, Study
from judging.selectors.reports import study_facts
from tests.jobs.conftest import broker as broker
from tests.jobs.workers import working
from tests.support.browser import axe, fits, holds
from tests.support.people import PASSWORD
from tests.understanding.conftest import judged
from tests.understanding.reading import make

WAIT = 60_000
LONG = "Pneumonoultramicroscopicsilicovolcanoconiosis"


@pytest.mark.parametrize(
    ("width", "scheme"), [(375, "light"), (375, "dark"), (1440, "light"), (1440, "dark")]
)
def test_every_page_is_accessible_and_leads_on(
    open_console: Callable[..., Page], width: int, scheme: str
) -> None:
    study = judged()
    document = Document.objects.get(study=study, document_id="D401-000")
    Document.objects.filter(pk=document.pk).update(document_id=f"collection-{LONG}-1", title=LONG)
    make(study, ReportKind.DOCUMENTS)
    make(study, ReportKind.GRADES)
    name = f"{study.title} ({study.slug})"
    page = open_console(f"/console/studies/{study.slug}/", width=width, color_scheme=scheme)
    page.get_by_role("link", name="Understanding", exact=True).click()
    holds(page, f"Understanding {name}")
    page.get_by_role("link", name="401 Title of topic 401").click()
    holds(page, f"Documents of topic 401 of {name}")
    page.get_by_role("link", name="Spread", exact=True).click()
    page.wait_for_url("**sort=-spread**")
    page.get_by_role("link", name=f"collection-{LONG}-1").click()
    page.get_by_text("Its text").click()
    holds(page, f"Document collection-{LONG}-1 of topic 401 ({study.slug})")
    page.get_by_role("link", name="Understanding", exact=True).click()
    page.get_by_role("link", name="Grades and agreement").click()
    holds(page, f"Grades and agreement of {name}")
    page.get_by_role("link", name="Understanding", exact=True).click()
    page.get_by_role("link", name="Scores of the runs").click()
    holds(page, f"Scores of the runs of {name}")
    page.get_by_label("Measures, one a line").fill("nDCG@10\nnDGC@10")
    page.get_by_role("button", name="Score the runs").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 2: no measure is named")
    holds(page, f"Error: Scores of the runs of {name}")
    assert page.get_by_label("Measures, one a line").input_value() == "nDCG@10\nnDGC@10"
    page.get_by_label("Measures, one a line").fill("nDCG@10\nAP(rel=1)")
    page.get_by_role("button", name="Score the runs").click()
    expect(page.get_by_role("heading", name="nDCG@10 by magnitudes")).to_be_visible()
    page.get_by_role("link", name="AP(rel=1)", exact=True).first.click()
    expect(page.get_by_role("heading", name="AP(rel=1) by trec")).to_be_visible()
    holds(page, f"Scores of the runs of {name}")
    page.get_by_role("link", name="Understanding", exact=True).click()
    page.get_by_role("link", name="Figures", exact=True).click()
    holds(page, f"Figures of {name}")
    page.get_by_role("link", name="Systems by magnitudes and by grades").click()
    page.get_by_role("button", name="Make this report").click()
    figure = page.get_by_role("img", name="Systems by magnitudes and by grades. Kendall’s τ")
    expect(figure).to_be_visible()
    page.wait_for_load_state()
    assert figure.evaluate("image => image.complete && image.naturalWidth > 100")
    page.get_by_text("Its numbers").click()
    expect(page.get_by_role("columnheader", name="Known value")).to_be_visible()
    holds(page, f"Systems by magnitudes and by grades of {name}")
    with page.expect_download() as started:
        page.get_by_role("link", name="Systems by magnitudes and by grades as pdf").click()
    assert started.value.suggested_filename == "study-systems.pdf"


@pytest.mark.parametrize("width", [375, 1440])
def test_a_figure_can_be_read_and_opened_in_full_size(open_console: Callable[..., Page], width: int) -> None:
    study = judged()
    make(study, ReportKind.FIGURE, figure="anchor-ratios")
    page = open_console(f"/console/studies/{study.slug}/understanding/figures/anchor-ratios/", width=width)
    image = page.get_by_role("img", name="H ÷ N of the units")
    expect(image).to_be_visible()
    box = image.bounding_box()
    assert box is not None
    assert box["width"] >= 600, "its smallest letters are those of the page"
    assert fits(page), "the figure scrolls, and not the page"
    axe(page)
    page.get_by_text("Open it in full size").click()
    page.wait_for_url(f"**/reports/{Report.objects.get().pk}.svg")
    assert page.evaluate("document.documentElement.localName") == "svg"


def test_a_figure_that_the_study_cannot_have_says_why(open_console: Callable[..., Page]) -> None:
    study = judged(runs=False, grades=False)
    page = open_console(f"/console/studies/{study.slug}/understanding/figures/")
    axe(page)
    facts = study_facts(study)
    lacking = [figure for figure in FIGURES.values() if figure.missing(facts)]
    assert page.get_by_text("Not for this study.").count() == len(lacking) == 7
    page.get_by_role("link", name="Stability").click()
    expect(page.get_by_text("It needs two runs or more: the study names none.")).to_be_visible()
    axe(page)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("javascript", [True, False])
def test_a_worker_draws_a_figure_and_the_page_leads_to_it(
    database: str,
    tmp_path: Path,
    broker: str,
    live_server: LiveServer,
    new_page: Callable[..., Page],
    javascript: bool,
) -> None:
    study: Study = judged()
    get_user_model().objects.create_user("ada", password=PASSWORD, is_staff=True)
    page = new_page(javascript=javascript, width=375)
    page.goto(f"{live_server.url}/console/studies/{study.slug}/understanding/figures/anchor-ratios/")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="Make this report").click()
    expect(page.get_by_role("status")).to_contain_text("queued")
    with working(tmp_path, broker):
        page.get_by_role("link", name="See the report").click(timeout=WAIT)
    expect(page.get_by_role("img", name="H ÷ N of the units")).to_be_visible()
    axe(page)
    assert Report.objects.get().kind == "figure"
