"""Measures every page of a worker's way with Lighthouse, on a phone, as the demo serves it.

    npm install --prefix /tmp/lighthouse lighthouse
    LIGHTHOUSE=/tmp/lighthouse/node_modules/.bin/lighthouse .venv/bin/python -m tests.benchmarks.lighthouse

It goes a worker's way in one browser and lets Lighthouse open each page in another, with the worker's cookie.
It prints the scores, the bytes of the page with its files, and the least of each score.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from deploy.suite import find_chromium
from tests.support.browser import FLAGS
from tests.support.pictures import new_page, press_next, right_option
from tests.support.ports import free_port
from tests.support.processes import Program

CATEGORIES = ("performance", "accessibility", "best-practices")


def main() -> None:
    """Run the demo, measure each page and print a table."""
    with TemporaryDirectory(prefix="plumbline-lighthouse-") as folder:
        var, port = Path(folder), free_port()
        program = Program(var / "log", "demo", "--port", str(port), PLUMBLINE_VAR=str(var), DATABASE_URL="")
        try:
            program.wait_for(lambda: "Quit the server" in (var / "log").read_text(), seconds=300)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
                measured = walk(new_page(browser), f"http://127.0.0.1:{port}/s/try/")
                browser.close()
        finally:
            program.stop()
    least = [min(scores[place] for scores in measured) for place in range(len(CATEGORIES))]
    sys.stdout.write(f"least: {' '.join(map(str, least))}\n")


def walk(page: Page, address: str) -> list[list[int]]:
    """Return the scores of each page from the information to the end."""
    page.goto(address)
    measured = [measure(page, "information")]
    page.locator("button[name=consent][value=yes]").click()
    measured.append(measure(page, "instructions"))
    press_next(page)
    measured.append(measure(page, "practice"))
    for _ in range(3):
        length = page.locator("svg line").evaluate("line => line.getBoundingClientRect().width")
        page.fill("#magnitude", f"{length / 10:.2f}")
        press_next(page)
    measured.append(measure(page, "task"))
    press_next(page)
    measured.append(measure(page, "topic"))
    right_option(page).click()
    press_next(page)
    measured.append(measure(page, "judge"))
    page.goto(f"{address}withdraw/")
    measured.append(measure(page, "withdraw"))
    page.locator("form button").first.click()
    page.wait_for_load_state()
    measured.append(measure(page, "end"))
    return measured


def measure(page: Page, name: str) -> list[int]:
    """Return the scores of the page that is open, in the order of `CATEGORIES`, and print them."""
    cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in page.context.cookies())
    command = [
        os.environ.get("LIGHTHOUSE", "lighthouse"),
        page.url,
        "--quiet",
        "--output=json",
        f"--only-categories={','.join(CATEGORIES)}",
        f"--extra-headers={json.dumps({'Cookie': cookie})}",
        f"--chrome-flags=--headless=new {' '.join(FLAGS)}",
    ]
    chrome = os.environ | {"CHROME_PATH": str(find_chromium())}
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=chrome)
    report = json.loads(run.stdout)
    scores = [round(100 * report["categories"][category]["score"]) for category in CATEGORIES]
    size = report["audits"]["total-byte-weight"]["numericValue"]
    sys.stdout.write(f"{name:14} {' '.join(f'{score:4}' for score in scores)} {size:8,.0f} bytes\n")
    sys.stdout.flush()
    return scores


if __name__ == "__main__":
    main()
