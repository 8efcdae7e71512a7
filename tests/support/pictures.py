"""Takes the pictures of the documents anew, from the site that `python3 manage.py demo` serves.

    .venv/bin/python -m tests.support.pictures

It runs the demo with data of its own, goes a worker's way in a real Chromium, looks at the console and writes
`docs/pictures/*.png`. Which topic and which text a worker meets is drawn, so they differ from time to time.
"""

import sys
import tomllib
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from deploy.suite import find_chromium
from tests.support.browser import FLAGS
from tests.support.ports import free_port
from tests.support.processes import ROOT, Program

PICTURES = ROOT / "docs" / "pictures"
MOST_BYTES = 150_000
COLOURS = 64
"""The pages have few; a picture with a palette is half as large."""
WIDTH = 1120
HEIGHTS = {"practice": 520, "judging": 1180, "overview": 1830, "results": 820}
"""Each picture's height, so that it ends below what it is about."""
REASON = "It is about the topic, but says little about what to do."
CONSOLE = {
    "overview": ("", "header"),
    "results": ("understanding/results/", "h1"),
}
"""Of each picture of the console the address below the study's, and what stands at its top."""


def main() -> None:
    """Run the demo, take the pictures and end the demo."""
    with TemporaryDirectory(prefix="plumbline-pictures-") as folder:
        var, port = Path(folder), free_port()
        program = Program(var / "log", "demo", "--port", str(port), PLUMBLINE_VAR=str(var), DATABASE_URL="")
        try:
            program.wait_for(lambda: "Quit the server" in (var / "log").read_text(), seconds=300)
            program.wait_for(lambda: is_idle(var / "log"), seconds=300)
            take_pictures(f"http://127.0.0.1:{port}", (var / "demo-login").read_text().strip())
        finally:
            program.stop()


def is_idle(log: Path) -> bool:
    """Whether every report that the demo computes for the console is there."""
    text = log.read_text()
    return 0 < text.count("job requested") == text.count("outcome=done")


def take_pictures(site: str, password: str) -> None:
    """Write all pictures of a demo that is served at this address."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        judge(new_page(browser), site)
        look_around(new_page(browser), site, password)
        browser.close()


def new_page(browser: Browser) -> Page:
    """Open a page of the pictures' size in the light palette."""
    return browser.new_page(viewport={"width": WIDTH, "height": 800}, color_scheme="light")


def judge(page: Page, site: str) -> None:
    """Go a worker's way to the first document, with pictures of the practice and of the judging."""
    page.goto(f"{site}/s/try/")
    page.locator("button[name=consent][value=yes]").click()
    press_next(page)
    for line in range(3):
        length = page.locator("svg line").evaluate("line => line.getBoundingClientRect().width")
        page.fill("#magnitude", f"{length / 10:.0f}")
        if line == 1:
            picture(page, "practice")
        press_next(page)
    press_next(page)
    right_option(page).click()
    press_next(page)
    page.fill("#magnitude", "12")
    page.fill("#justification", REASON)
    picture(page, "judging")


def right_option(page: Page) -> Locator:
    """Return the option that answers the question of the page."""
    answers = {topic["answer"] for topic in sample()["topic"]}
    return next(
        option for option in page.locator("label.option").all() if option.inner_text().strip() in answers
    )


def sample() -> dict[str, list[dict[str, str]]]:
    """Return the study file of the sample collection."""
    return tomllib.loads((ROOT / "judging" / "sample" / "study.toml").read_text())


def press_next(page: Page) -> None:
    """Send the form of the page."""
    page.locator("form:not(.give-back form) button[name=action][value=next]").click()


def look_around(page: Page, site: str, password: str) -> None:
    """Log in to the console and take pictures of the simulated study."""
    log_in(page, site, password)
    for name, (address, top) in CONSOLE.items():
        page.goto(f"{site}/console/studies/sample/{address}")
        picture(page, name, top)


def log_in(page: Page, site: str, password: str) -> None:
    """Log in to the console as the demo's user."""
    page.goto(f"{site}/console/")
    page.fill("input[name=username]", "demo")
    page.fill("input[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/console/")


def picture(page: Page, name: str, top: str = "header") -> None:
    """Write what the page shows from an element down; end with an error where the file is too large."""
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")  # Filling in a form scrolls, and what sticks to the window moves along.
    path = PICTURES / f"{name}.png"
    above = page.locator(top).first.evaluate("element => element.getBoundingClientRect().top + scrollY")
    first = max(above - 16, 0)
    clip = {"x": 0, "y": first, "width": WIDTH, "height": HEIGHTS[name]}
    shot = Image.open(BytesIO(page.screenshot(full_page=True, clip=clip)))
    shot.convert("RGB").quantize(COLOURS).save(path, optimize=True)
    size = path.stat().st_size
    sys.stdout.write(f"{path.relative_to(ROOT)}: {size:,} bytes\n")
    if size > MOST_BYTES:
        sys.exit(f"{path.relative_to(ROOT)} has more than {MOST_BYTES:,} bytes; make the picture smaller.")


if __name__ == "__main__":
    main()
