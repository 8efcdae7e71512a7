"""The pages of Understanding in a real Chromium, from the overview to a figure in full size."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from judging.models import Document, Report, ReportKind
from tests.support.browser import LOOKS, check_looks, fits, holds, open_place
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
    open_place(page, "Judgments")
    holds(page, f"Documents of {name}", LOOKS)
    page.get_by_role("link", name="401 Title of topic 401").first.click()
    holds(page, f"Documents of topic 401 of {name}", LOOKS)
    page.get_by_role("link", name="Spread", exact=True).click()
    page.wait_for_url("**sort=-spread**")
    page.get_by_role("link", name=f"collection-{LONG}-1").first.click()
    page.locator("main details:not(.menu) summary").first.click()
    holds(page, f"Document collection-{LONG}-1 of topic 401 ({study.slug})", LOOKS)
    open_place(page, "Judgments", "Grades and agreement")
    holds(page, f"Grades and agreement of {name}", LOOKS)
    open_place(page, "Results")
    measures = page.get_by_role("form", name="Choose measures").get_by_role("textbox")
    measures.fill("nDCG@10\nnDGC@10")
    page.get_by_role("button", name="Score the runs").click()
    holds(page, f"Error: Results of {name}", LOOKS)
    expect(measures).to_have_attribute("aria-invalid", "true")
    expect(measures).to_have_value("nDCG@10\nnDGC@10")
    measures.fill("nDCG@10\nAP(rel=1)")
    page.get_by_role("button", name="Score the runs").click()
    expect(page.locator("[data-verdict]").first).to_contain_text("nDCG@10")
    page.get_by_role("link", name="AP(rel=1)", exact=True).first.click()
    expect(page.locator("[data-verdict]").first).to_contain_text("AP(rel=1)")
    page.locator("[data-all-numbers] > summary").click()
    expect(page.get_by_role("heading", name="AP(rel=1) by trec")).to_be_visible()
    holds(page, f"Results of {name}", LOOKS)
    open_place(page, "Results", "Figures")
    holds(page, f"Figures of {name}", LOOKS)
    page.get_by_role("link", name="H ÷ N of the units").click()
    page.get_by_role("button", name="Compute now").click()
    figure = page.get_by_role("img", name="H ÷ N of the units")
    expect(figure).to_be_visible()
    page.locator("main details:not(.menu) summary").first.click()
    holds(page, f"H ÷ N of the units of {name}", LOOKS)
    check_figure(page)


def test_keys_lead_through_the_documents(open_console: Callable[..., Page]) -> None:
    study = judged()
    make(study, ReportKind.DOCUMENTS)
    page = open_console(f"/console/studies/{study.slug}/understanding/documents/?topic=401&sort=document")
    rows = page.locator(".document-list tbody th")
    first, second = rows.nth(0).inner_text(), rows.nth(1).inner_text()
    rows.nth(0).get_by_role("link").click()
    expect(page.get_by_role("checkbox", name="Use these keys")).to_be_visible()
    page.keyboard.press("k")  # there is no document before the first
    page.keyboard.press("j")
    expect(page.get_by_role("heading", level=1)).to_contain_text(second)
    search = page.get_by_role("searchbox")
    search.press("k")
    expect(search).to_have_value("k")
    search.blur()
    page.keyboard.press("Alt+k")
    keys = page.get_by_role("checkbox", name="Use these keys")
    keys.uncheck()
    page.keyboard.press("k")
    page.reload()
    expect(keys).not_to_be_checked()
    expect(page.get_by_role("heading", level=1)).to_contain_text(second)
    keys.check()
    page.keyboard.press("k")
    expect(page.get_by_role("heading", level=1)).to_contain_text(first)


def test_the_text_stands_beside_the_numbers_on_wide_screens(open_console: Callable[..., Page]) -> None:
    study = judged()
    make(study, ReportKind.DOCUMENTS)
    page = open_console(f"/console/studies/{study.slug}/understanding/document/?topic=401&id=D401-H")
    for width, beside in ((1280, True), (375, False)):
        page.set_viewport_size({"width": width, "height": 700})
        text, numbers = (page.locator(part).bounding_box() for part in (".reading-text", ".reading-numbers"))
        assert text is not None
        assert numbers is not None
        assert (text["x"] + text["width"] <= numbers["x"]) is beside
        assert (text["y"] + text["height"] <= numbers["y"]) is not beside
        assert fits(page)


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
