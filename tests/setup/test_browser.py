"""The whole set-up in a real Chromium: from an empty site to an open study and a finished dry run."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.intake.drafting import change_draft, values_of
from judging.models import Assignment, Draft, Participation, Study
from tests.factories import NOW
from tests.setup.conftest import SAMPLE
from tests.support.browser import axe, fits
from tests.support.people import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)

FILE = tomllib.loads((SAMPLE / "study.toml").read_text())
NARROW, WIDE = 375, 1440


class Researcher:
    """Somebody at the console who looks at each page on a telephone and on a wide screen, light and dark."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    def look(self) -> None:
        for width, scheme in ((NARROW, "dark"), (WIDE, "light")):
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.emulate_media(color_scheme=scheme)
            axe(self.page)
            assert fits(self.page), f"{self.page.url} is too wide for {width}"

    def log_in(self) -> None:
        self.page.goto(f"{self.address}/console/")
        self.page.get_by_label("Username").fill("ada")
        self.page.get_by_label("Password").fill(PASSWORD)
        self.press("Log in")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def step(self, name: str) -> None:
        self.page.get_by_role("navigation", name="Steps of the set-up").get_by_role(
            "link", name=name, exact=False
        ).click()

    def fill(self, **fields: str) -> None:
        for name, value in fields.items():
            self.page.locator(f'[name="{name}"]').fill(value)

    def upload(self, kind: str, *files: Path) -> None:
        section = self.page.locator(f"section[aria-labelledby={kind}]")
        if not section.locator("input[type=file]").is_visible():
            section.locator("summary").first.click()
        section.locator("input[type=file]").set_input_files([str(file) for file in files])
        section.get_by_role("button", name="Upload").click()

    def add_topic(self, topic: dict[str, object]) -> None:
        self.step("Topics and questions")
        self.fill(number=str(topic["number"]), title=str(topic["title"]))
        self.press("Add the topic")
        self.fill(**{key: str(topic[key]) for key in ("description", "narrative", "question")})
        options = topic["options"]
        assert isinstance(options, list)
        self.fill(**{f"option-{place}": str(option) for place, option in enumerate(options)})
        self.page.locator("[name=right]").nth(options.index(topic["answer"])).check()


@pytest.fixture
def ada(live_server: LiveServer, researcher: AbstractBaseUser, new_page: Callable[..., Page]) -> Researcher:
    found = Researcher(new_page(javascript=True, width=WIDE), live_server.url)
    found.page.set_default_timeout(30_000)
    found.log_in()
    return found


def test_from_an_empty_site_to_an_open_study_and_a_finished_dry_run(ada: Researcher) -> None:
    page = ada.page
    assert "There is no study yet" in page.inner_text("main")
    page.get_by_role("link", name="Set up a study").click()
    ada.look()
    page.get_by_label("Title").fill("Bread")
    ada.press("Begin")
    ada.look()
    ada.step("The study")
    ada.fill(**{key: str(FILE[key]) for key in ("title", "slug", "requester", "contact")}, seed="many")
    ada.press("Save")
    expect(page.locator("[id='seed-fault']")).to_contain_text("a whole number is meant")
    ada.look()
    ada.fill(seed=str(FILE["seed"]))
    ada.press("Save")
    expect(page.locator("[id='seed-fault']")).to_have_count(0)
    ada.step("Texts")
    page.locator("#information").fill("**Typed** just now")
    expect(page.locator("[data-previewed]").first.locator("strong")).to_have_text("Typed")
    ada.fill(information=FILE["information"], consent=FILE["consent"])
    ada.press("Save")
    ada.look()
    ada.step("Files and pool")
    ada.look()
    ada.upload("documents", SAMPLE / "documents.jsonl")
    for topic in FILE["topic"]:
        ada.add_topic(topic)
        ada.press("Save")
    ada.look()
    expect(page.locator("[data-advice]")).not_to_contain_text("Not yet")
    page.locator("[name=option-0]").fill("all of these")
    expect(page.locator("[data-advice]")).to_contain_text("Not yet")
    ada.step("Topics and questions")
    ada.look()
    ada.step("Files and pool")
    ada.upload("grades", SAMPLE / "qrels.txt")
    ada.look()
    page.get_by_label("TREC: a higher number").check()
    ada.press("Use these grades")
    page.locator("section[aria-labelledby=grades]").get_by_label("Pooled documents").select_option("N")
    ada.press("Save the settings of qrels.txt")
    ada.upload("run", *(SAMPLE / run["path"] for run in FILE["run"]))
    ada.look()
    assert "10 chosen" in page.get_by_role("region", name="Depths").inner_text().replace("\n", " ")
    cost = page.locator("[data-estimate]")
    before = cost.inner_text()
    page.get_by_label("Depth", exact=True).fill("5")
    expect(cost).not_to_have_text(before, use_inner_text=True)
    page.get_by_label("Depth", exact=True).fill("10")
    expect(cost).to_have_text(before, use_inner_text=True)
    ada.step("Units, checks, pay")
    page.get_by_label("Pay for a unit").fill("0.20")
    expect(cost).not_to_have_text(before, use_inner_text=True)
    ada.press("Save")
    ada.look()
    ada.step("Anchors")
    ada.look()
    page.get_by_role("link", name="1 Dense sourdough loaves").click()
    page.get_by_label("H", exact=True).select_option(FILE["anchor"][0]["H"])
    page.get_by_label("N", exact=True).select_option(FILE["anchor"][0]["N"])
    ada.press("Look at these two")
    assert f"H: {FILE['anchor'][0]['H']}" in page.inner_text("main")
    ada.look()
    ada.press("Take these two")
    expect(page.get_by_role("row", name="1 Dense sourdough loaves")).to_contain_text("chosen")
    ada.step("Overview")
    assert "No fault was found: 4 topics" in page.inner_text("main")
    ada.look()
    with page.expect_download() as started:
        page.get_by_role("link", name="study.toml with its files").click()
    assert started.value.suggested_filename.endswith(".zip")
    ada.press("Make the study")
    page.get_by_role("link", name="sample", exact=True).click()
    ada.look()
    ada.press("Dry run with a simulated crowd")
    expect(page.get_by_text("made-up workers judged")).to_be_visible(timeout=120_000)
    ada.look()
    page.locator("nav.back").get_by_role("link", name="(dry run)").click()
    expect(page.locator("main")).to_contain_text("simulated crowd")
    expect(page.locator(".bar b").first).to_have_text("100 %")
    page.goto(f"{ada.address}/console/studies/sample/")
    page.get_by_role("link", name="Open the study …", exact=True).click()
    expect(page.locator("main")).to_contain_text("units are planned, of 8 documents each")
    ada.look()
    ada.press("Open the study")
    expect(page.get_by_role("status").first).to_have_text("The study is open.")
    assert Study.objects.get(slug="sample").state == "open"
    assert Draft.objects.get().study == Study.objects.get(slug="sample")


def test_looking_as_a_worker(ada: Researcher) -> None:
    page = ada.page
    page.goto(f"{ada.address}/console/setup/")
    page.locator("input[type=file]").set_input_files(
        [{"name": "study.zip", "mimeType": "application/zip", "buffer": sample_zip()}]
    )
    ada.press("Take it over")
    ada.press("Make the study")
    page.get_by_role("link", name="sample", exact=True).click()
    page.get_by_role("link", name="Look at it as a worker").click()
    ada.look()
    ada.press("I agree and want to begin")
    ada.look()
    ada.press("Practise with three lines")
    ada.look()
    for _ in range(3):
        page.fill("#magnitude", "3")
        ada.press("Next")
    ada.look()
    ada.press("Show me a topic")
    ada.look()
    page.get_by_role("radio").nth(2).check()
    ada.press("Next")
    ada.look()
    for place in range(8):
        page.fill("#magnitude", "1/3")
        page.fill("#justification", "so")
        ada.press("Next" if place < 7 else "Finish")
    expect(page.locator("main")).to_contain_text("That was a unit")
    ada.look()
    assert page.evaluate("localStorage.length") == 0
    assert not Participation.objects.exists()
    assert not Assignment.objects.exists()


def sample_zip() -> bytes:
    from tests.setup.driving import zipped

    return zipped(SAMPLE)


def test_two_windows_at_one_form(ada: Researcher) -> None:
    page = ada.page
    page.goto(f"{ada.address}/console/setup/")
    page.get_by_label("Title").fill("Mine")
    ada.press("Begin")
    ada.step("The study")
    change_draft(draft=Draft.objects.get(), change=lambda values: values.update(contact="theirs"), now=NOW)
    ada.fill(contact="mine", requester="A university")
    ada.press("Save")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was saved yet")
    expect(page.get_by_role("row", name="Contact")).to_contain_text("theirs")
    expect(page.locator("[name=contact]")).to_have_value("mine")
    ada.look()
    page.set_viewport_size({"width": 375, "height": 800})
    ada.look()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ada.press("Save")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert values_of(Draft.objects.get())["contact"] == "mine"


def test_anchors_are_taken_as_they_are_selected(ada: Researcher) -> None:
    page = ada.page
    page.goto(f"{ada.address}/console/setup/")
    page.locator("input[type=file]").set_input_files(
        [{"name": "study.zip", "mimeType": "application/zip", "buffer": sample_zip()}]
    )
    ada.press("Take it over")
    ada.step("Anchors")
    page.get_by_role("link", name="2 ").first.click()
    other = page.locator("#H optgroup[label='Graded H'] option:not([selected])").first.get_attribute("value")
    assert other
    page.locator("#H").select_option(other)
    ada.look()
    ada.press("Take these two")
    expect(page.get_by_role("heading", name=f"H: {other}")).to_be_visible()
    expect(page.locator("#H")).to_have_value(other)
