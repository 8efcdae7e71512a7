"""The pages of Understanding in a real Chromium, from the overview to a figure in full size."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from judging.models import Document, Report, ReportKind
from tests.support.browser import LOOKS, check_looks, fits, holds
from tests.understanding.conftest import judged
from tests.understanding.reading import make

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "Pneumonoultramicroscopicsilicovolcanoconiosis"


def test_every_page_is_accessible_and_leads_on(open_console: Callable[..., Page]) -> None:
    study = judged()
    document = Document.objects.get(study=study, document_id="D401-000")
    Document.objects.filter(pk=document.pk).update(document_id=f"collection-{LONG}-1", title=LONG)
    make(study, ReportKind.DOCUMENTS)
    make(study, ReportKind.GRADES)
    name = f"{study.title} ({study.slug})"
    page = open_console(f"/console/studies/{study.slug}/")
    page.get_by_role("link", name="Understanding", exact=True).click()
    holds(page, f"Understanding {name}", LOOKS)
    page.get_by_role("link", name="401 Title of topic 401").click()
    holds(page, f"Documents of topic 401 of {name}", LOOKS)
    page.get_by_role("link", name="Spread", exact=True).click()
    page.wait_for_url("**sort=-spread**")
    page.get_by_role("link", name=f"collection-{LONG}-1").click()
    page.locator("main details summary").first.click()
    holds(page, f"Document collection-{LONG}-1 of topic 401 ({study.slug})", LOOKS)
    page.get_by_role("link", name="Understanding", exact=True).click()
    page.get_by_role("link", name="Grades and agreement").click()
    holds(page, f"Grades and agreement of {name}", LOOKS)
    page.get_by_role("link", name="Understanding", exact=True).click()
    page.get_by_role("link", name="Scores of the runs").click()
    measures = page.get_by_role("form", name="Choose measures").get_by_role("textbox")
    measures.fill("nDCG@10\nnDGC@10")
    page.get_by_role("button", name="Score the runs").click()
    holds(page, f"Error: Scores of the runs of {name}", LOOKS)
    expect(measures).to_have_attribute("aria-invalid", "true")
    expect(measures).to_have_value("nDCG@10\nnDGC@10")
    measures.fill("nDCG@10\nAP(rel=1)")
    page.get_by_role("button", name="Score the runs").click()
    expect(page.get_by_role("heading", name="nDCG@10 by magnitudes")).to_be_visible()
    page.get_by_role("link", name="AP(rel=1)", exact=True).first.click()
    expect(page.get_by_role("heading", name="AP(rel=1) by trec")).to_be_visible()
    holds(page, f"Scores of the runs of {name}", LOOKS)
    page.get_by_role("link", name="Understanding", exact=True).click()
    page.get_by_role("link", name="Figures", exact=True).click()
    holds(page, f"Figures of {name}", LOOKS)
    page.get_by_role("link", name="H ÷ N of the units").click()
    page.get_by_role("button", name="Compute now").click()
    figure = page.get_by_role("img", name="H ÷ N of the units")
    expect(figure).to_be_visible()
    page.locator("main details summary").first.click()
    holds(page, f"H ÷ N of the units of {name}", LOOKS)
    check_figure(page)


def check_figure(page: Page) -> None:
    """The figure is readable on a phone, has downloads, and opens in full size."""
    page.set_viewport_size({"width": 375, "height": 800})
    figure = page.get_by_role("img", name="H ÷ N of the units")
    assert figure.evaluate("image => image.complete && image.naturalWidth > 100")
    box = figure.bounding_box()
    assert box is not None
    assert box["width"] >= 600, "its smallest letters are as large as those of the page"
    assert fits(page), "the figure scrolls, and not the page"
    with page.expect_download() as started:
        page.get_by_role("link", name="H ÷ N of the units as pdf").click()
    assert started.value.suggested_filename == "study-anchor-ratios.pdf"
    page.locator("figure a .wide").click()
    page.wait_for_url(f"**/reports/{Report.objects.get(kind='figure').pk}.svg")
    assert page.evaluate("document.documentElement.localName") == "svg"


def test_figures_that_the_study_cannot_have(open_console: Callable[..., Page]) -> None:
    study = judged(runs=False, grades=False)
    page = open_console(f"/console/studies/{study.slug}/understanding/figures/")
    check_looks(page)
    page.get_by_role("link", name="Stability").click()
    expect(page.locator("[data-missing]")).to_be_visible()
    check_looks(page)
