"""The whole set-up in a real Chromium: from an empty site to an open study."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Dialog, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.models import Participation, Question, SetupFile, Study, Topic
from judging.setup.topics import add_topic
from tests.factories import live_assignment, right_place
from tests.setup.conftest import SAMPLE
from tests.setup.driving import zipped
from tests.setup.intake.published import write_beir
from tests.support.browser import LOOKS, check_looks

pytestmark = pytest.mark.django_db(transaction=True)

FILE = tomllib.loads((SAMPLE / "study.toml").read_text())


class Researcher:
    """Somebody at the console who looks at each page on a telephone and on a wide screen, dark and light."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    def look(self) -> None:
        check_looks(self.page, LOOKS)

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
        section.wait_for()
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
def ada(live_server: LiveServer, open_console: Callable[..., Page]) -> Researcher:
    result = Researcher(open_console(width=LOOKS[-1][0]), live_server.url)
    result.page.set_default_timeout(30_000)
    return result


def test_from_an_empty_site_to_an_open_study(ada: Researcher) -> None:
    page = ada.page
    page.get_by_role("link", name="Set up a study").click()
    ada.look()
    page.get_by_label("Title").fill("Bread")
    ada.press("Start")
    ada.step("The study")
    ada.fill(**{key: FILE[key] for key in ("title", "requester", "contact")}, slug="two words")
    ada.press("Save")
    expect(page.locator("[id='slug_error']")).to_be_visible()
    ada.look()
    ada.fill(slug=FILE["slug"])
    ada.press("Save")
    expect(page.locator("[id='slug_error']")).to_have_count(0)
    ada.step("Texts")
    page.locator("#information").fill("**Typed** just now")
    expect(page.locator("[data-previewed]").first.locator("strong")).to_have_text("Typed")
    ada.fill(information=FILE["information"], consent=FILE["consent"])
    ada.press("Save")
    ada.look()
    ada.step("Files and pool")
    ada.upload("documents", SAMPLE / "documents.jsonl")
    first, *others = FILE["topic"]
    ada.add_topic(first)
    ada.press("Save")
    ada.look()
    expect(page.locator("[data-advice] .holds").first).to_be_visible()
    expect(page.locator("[data-advice] .fails")).to_have_count(0)
    page.locator("[name=option-0]").fill("all of these")
    expect(page.locator("[data-advice] .fails").first).to_be_visible()
    for topic in others:
        added = add_topic(Study.objects.get(), number=topic["number"], title=topic["title"])
        right = topic["options"].index(topic["answer"])
        Question.objects.create(
            topic=added, text=topic["question"], options=topic["options"], right_option=right
        )
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
    expect(page.locator("tr.chosen th")).to_contain_text("10")
    cost = page.locator("[data-estimate]")
    before = cost.inner_text()
    page.get_by_label("Depth", exact=True).fill("5")
    expect(cost).not_to_have_text(before, use_inner_text=True)
    page.get_by_label("Depth", exact=True).fill("10")
    expect(cost).to_have_text(before, use_inner_text=True)
    ada.step("Units, checks and pay")
    page.get_by_label("Seed", exact=True).fill(str(FILE["seed"]))
    page.get_by_label("Pay per unit").fill("0.20")
    page.get_by_label("Days until payment").fill("7")
    expect(cost).not_to_have_text(before, use_inner_text=True)
    ada.press("Save")
    ada.look()
    ada.step("Anchors")
    ada.look()
    page.get_by_role("link", name="1 Dense sourdough loaves").click()
    page.get_by_label("H", exact=True).select_option(FILE["anchor"][0]["H"])
    page.get_by_label("N", exact=True).select_option(FILE["anchor"][0]["N"])
    ada.press("View these two documents")
    expect(page.get_by_role("heading", name=FILE["anchor"][0]["H"])).to_be_visible()
    ada.look()
    ada.press("Use these two")
    ada.step("Overview")
    ada.look()
    with page.expect_download() as started:
        page.get_by_role("link", name="study.toml with its files").click()
    assert started.value.suggested_filename.endswith(".zip")
    page.locator("details.menu summary").click()
    page.get_by_role("link", name="Open the study …", exact=True).click()
    ada.press("Open the study")
    expect(page.get_by_role("status").first).to_be_visible()
    assert Study.objects.get(slug="sample").state == "open"


def test_cost_and_the_topic_are_in_view_on_a_telephone(ada: Researcher) -> None:
    page = ada.page
    page.goto(f"{ada.address}/console/setup/")
    page.locator("input[type=file]").set_input_files(
        [{"name": "study.zip", "mimeType": "application/zip", "buffer": zipped(SAMPLE)}]
    )
    ada.press("Import")
    ada.step("Topics and questions")
    page.get_by_role("link", name="1 Dense sourdough loaves").click()
    page.set_viewport_size({"width": 375, "height": 700})
    line = page.locator(".estimate-line")
    for place in (0, 400, 1200):
        page.evaluate("place => scrollTo(0, place)", place)
        expect(line).to_be_in_viewport(ratio=1)
    seen = page.locator("[data-seen]")
    page.locator("[name=title]").fill("Typed just now")
    expect(seen).to_contain_text("Typed just now")
    for name in ("question", *(f"option-{place}" for place in range(4))):
        page.locator(f"[name={name}]").fill("")
    ada.press("Draft a question")
    expect(page.locator("[data-drafted]")).to_be_visible()
    expect(page.locator("[name=option-3]")).not_to_have_value("")
    expect(page.locator("[name=title]")).to_have_value("Typed just now")
    ada.look()
    ada.step("Files and pool")
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(line).to_be_hidden()
    expect(page.locator("#overlap svg")).to_be_visible()
    ada.look()


def test_the_proposals_of_all_topics_are_confirmed_on_one_page(ada: Researcher, tmp_path: Path) -> None:
    copytree(SAMPLE, tmp_path / "study")
    file = tmp_path / "study" / "study.toml"
    text = file.read_text()
    grades = text[text.index("[[grades]]") : text.index("\n[[run]]")]
    text = text[: text.index("[[anchor]]")].replace(grades, "").replace("depth = 10 ", "depth = 5 ")
    file.write_text(text)
    page = ada.page
    page.goto(f"{ada.address}/console/setup/")
    page.locator("input[type=file]").set_input_files(
        [{"name": "study.zip", "mimeType": "application/zip", "buffer": zipped(tmp_path / "study")}]
    )
    ada.press("Import")
    ada.step("Anchors")
    ada.look()
    topics = Topic.objects.count()
    for grade in "HN":
        offered = page.locator(f"[data-offered={grade}]:first-of-type input")
        for place in range(offered.count()):
            offered.nth(place).check()
    ada.press("Save the selected anchors")
    expect(page.locator('[data-chosen="yes"]')).to_have_count(topics)
    page.get_by_role("link", name="1 Dense sourdough loaves").click()
    ada.look()


def test_looking_as_a_worker(ada: Researcher) -> None:
    page = ada.page
    page.goto(f"{ada.address}/console/setup/")
    page.locator("input[type=file]").set_input_files(
        [{"name": "study.zip", "mimeType": "application/zip", "buffer": zipped(SAMPLE)}]
    )
    ada.press("Import")
    ada.press("Preview as a worker")
    ada.look()
    ada.press("I agree and want to start")
    ada.press("Practise with three lines")
    line = page.locator(".frame line")
    for _ in range(3):
        page.fill("#magnitude", str(float(line.get_attribute("x2")) - float(line.get_attribute("x1"))))
        ada.press("Next")
    ada.press("Show me a topic")
    worker = Participation.objects.get()
    page.get_by_role("radio").nth(right_place(live_assignment(worker))).check()
    ada.press("Next")
    ada.look()
    page.fill("#magnitude", "1/3")
    page.fill("#justification", "so")
    ada.press("Next")
    expect(page.locator("#magnitude")).to_have_value("")
    page.locator(".looking summary").click()
    ada.press("After a set")
    expect(page.locator(".code").first).to_be_visible()
    ada.look()
    page.locator(".looking summary").click()
    ada.press("End the preview")
    expect(page).to_have_url(f"{ada.address}/console/studies/sample/setup/")
    assert not Study.with_hidden.exclude(preview_of=None).exists()


def test_leaving_a_form_that_is_not_saved_asks_first(ada: Researcher) -> None:
    page = ada.page
    page.goto(f"{ada.address}/console/setup/")
    page.get_by_label("Title").fill("Mine")
    ada.press("Start")
    ada.step("The study")
    asked = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    contact = page.locator("[name=contact]")
    contact.click()
    contact.press_sequentially("mine")
    page.get_by_role("link", name="Overview", exact=True).first.click(no_wait_after=True)
    expect(contact).to_have_value("mine")
    ada.press("Save and continue")
    expect(page.locator("#information")).to_be_visible()
    page.get_by_role("link", name="Fill in the empty texts").click()
    expect(page.locator("[data-template]")).to_be_visible()
    ada.look()
    page.locator("#consent").click()
    ada.step("Files and pool")
    expect(page.locator("#consent")).to_be_visible()
    ada.press("Save and continue")
    page.locator("input[type=file]").first.set_input_files(SAMPLE / "documents.jsonl")
    page.get_by_label("Depth", exact=True).click()
    ada.press("Pool to this depth")
    ada.press("Upload the chosen files")
    expect(page.locator("section[aria-labelledby=documents]")).to_contain_text("documents.jsonl")
    ada.step("Overview")
    expect(page.locator("#check")).to_be_visible()
    assert asked == ["beforeunload"] * 3


def test_two_windows_at_one_form(ada: Researcher) -> None:
    page = ada.page
    page.goto(f"{ada.address}/console/setup/")
    page.get_by_label("Title").fill("Mine")
    ada.press("Start")
    ada.step("The study")
    Study.objects.update(contact="theirs")
    ada.fill(contact="mine", requester="A university")
    ada.press("Save")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("row", name="Contact")).to_contain_text("theirs")
    expect(page.locator("[name=contact]")).to_have_value("mine")
    ada.look()
    ada.press("Save")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert Study.objects.get().contact == "mine"


def test_selected_anchors_are_saved(ada: Researcher) -> None:
    page = ada.page
    page.goto(f"{ada.address}/console/setup/")
    page.locator("input[type=file]").set_input_files(
        [{"name": "study.zip", "mimeType": "application/zip", "buffer": zipped(SAMPLE)}]
    )
    ada.press("Import")
    ada.step("Anchors")
    page.get_by_role("link", name="2 ").first.click()
    other = page.locator("#H optgroup[label='Graded H'] option:not([selected])").first.get_attribute("value")
    assert other
    page.locator("#H").select_option(other)
    ada.press("Use these two")
    expect(page.get_by_role("heading", name=f"H: {other}")).to_be_visible()
    expect(page.locator("#H")).to_have_value(other)


def test_the_columns_of_a_published_file(ada: Researcher, tmp_path: Path) -> None:
    page = ada.page
    write_beir(tmp_path)
    page.get_by_role("link", name="Set up a study").click()
    page.get_by_label("Title").fill("Published")
    ada.press("Start")
    ada.step("Files and pool")
    ada.upload("documents", tmp_path / "corpus.jsonl")
    expect(page.get_by_label("Document id")).to_have_value("_id")
    ada.look()
    page.get_by_label("Text", exact=True).select_option("")
    ada.press("Use these columns")
    assert not SetupFile.objects.exists()
    page.get_by_label("Text", exact=True).select_option("text")
    ada.press("Use these columns")
    expect(page.get_by_role("link", name="Change the columns of corpus.jsonl")).to_be_visible()
    ada.look()
    assert SetupFile.objects.get().columns == {"id": "_id", "title": "title", "text": "text"}


def test_topics_are_deleted_without_scripts_on_a_telephone(
    open_console: Callable[..., Page], live_server: LiveServer
) -> None:
    page = open_console(javascript=False, width=375)
    page.goto(f"{live_server.url}/console/setup/")
    page.get_by_label("Title").fill("Bread")
    page.locator("form:has([value=begin]) button").click()
    study = Study.objects.get()
    for number in ("1", "2", "3"):
        add_topic(study, number=number, title=f"Topic {number} of bread")
    page.goto(f"{live_server.url}/console/studies/{study.slug}/setup/topics/")
    check_looks(page, LOOKS)
    page.get_by_label("Select topic 2").check()
    page.get_by_role("button", name="Show these topics").click()
    expect(page.get_by_role("heading", name="Delete 1 topic?")).to_be_visible()
    check_looks(page, LOOKS)
    page.get_by_role("button", name="Delete 1 topic").click()
    expect(page.get_by_label("Select topic 2")).to_have_count(0)
    page.get_by_label("Keep only the topics below").check()
    page.get_by_role("button", name="Show these topics").click()
    check_looks(page, LOOKS)
    page.get_by_label("Only these topics").fill("3")
    page.get_by_role("button", name="Show these topics").click()
    page.get_by_role("button", name="Delete 1 topic").click()
    expect(page.get_by_role("link", name="3 Topic 3 of bread")).to_be_visible()
    assert list(Topic.objects.values_list("number", flat=True)) == ["3"]


def test_the_question_about_an_earlier_file_on_a_telephone(ada: Researcher, tmp_path: Path) -> None:
    page = ada.page
    page.goto(f"{ada.address}/console/setup/")
    page.locator("input[type=file]").set_input_files(
        [{"name": "study.zip", "mimeType": "application/zip", "buffer": zipped(SAMPLE)}]
    )
    ada.press("Import")
    ada.step("Files and pool")
    run = tmp_path / "manual.run"
    run.write_bytes((SAMPLE / "runs" / "manual.run").read_bytes() + b"1 Q0 nowhere 99 0\n")
    ada.upload("run", run)
    expect(page.get_by_role("heading", name="runs/manual.run is here already")).to_be_visible()
    ada.look()
    ada.press("Replace runs/manual.run")
    expect(page.get_by_role("alert").first).to_contain_text("runs/manual.run was not replaced")
    ada.look()
    ada.press("Keep both")
    expect(page.get_by_text("Uploaded: manual.run.")).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False])
def test_a_folded_group_is_filled_in_with_and_without_scripts(
    open_console: Callable[..., Page], live_server: LiveServer, javascript: bool
) -> None:
    """Going back keeps what was typed in a group, and with scripts, the group is open again."""
    page = open_console(javascript=javascript, width=375)
    page.goto(f"{live_server.url}/console/setup/")
    page.get_by_label("Title").fill("Bread")
    page.locator("form:has([value=begin]) button").click()
    terms = f"{live_server.url}/console/studies/{Study.objects.get().slug}/setup/terms/"
    page.goto(terms)
    check_looks(page, LOOKS)
    field = page.locator("[name='units.lapse_minutes']")
    group = page.locator("details.group", has=field)
    expect(field).to_be_hidden()
    group.locator("summary").click()
    field.fill("0")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("link", name="Texts").first.click()
    page.go_back()
    expect(page).to_have_url(terms)
    expect(field).to_have_value("0")
    if javascript:
        expect(field).to_be_visible()
    elif not field.is_visible():
        group.locator("summary").click()
    page.locator("form[data-estimated] [name=continue]").click()
    expect(field).to_be_visible()
    expect(field).to_have_value("0")
    check_looks(page, LOOKS)
