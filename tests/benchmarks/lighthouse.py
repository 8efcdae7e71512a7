"""Measures every page of a worker's way, and the pages of a study in the console, with Lighthouse on a phone.

    npm install --prefix /tmp/lighthouse lighthouse
    LIGHTHOUSE=/tmp/lighthouse/node_modules/.bin/lighthouse .venv/bin/python -m tests.benchmarks.lighthouse

The demo serves the pages, with the static files that `collectstatic` compressed. One browser goes a worker's
way and logs in to the console; Lighthouse opens each page in another browser, with the cookies of the first.
Printed are the scores, the bytes of each page with its files, and the least of each score.
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
from tests.support.pictures import is_idle, log_in, new_page, press_next, right_option
from tests.support.ports import free_port
from tests.support.processes import ROOT, Program

CATEGORIES = ("performance", "accessibility", "best-practices")
CONSOLE = {
    "studies": "",
    "overview": "studies/sample/",
    "set-up": "studies/sample/set-up/",
    "workers": "studies/sample/workers/",
    "worker statistics": "studies/sample/worker-statistics/",
    "quality": "studies/sample/quality/",
    "judgments": "studies/sample/understanding/",
    "grades": "studies/sample/understanding/grades/",
    "scores": "studies/sample/understanding/results/",
    "systems": "studies/sample/understanding/systems/",
    "figures": "studies/sample/understanding/figures/",
    "data": "studies/sample/jobs/",
    "members": "studies/sample/members/",
    "help": "help/",
}
"""Maps the name of each page of the console to its address below the console's."""


def main() -> None:
    """Run the demo, measure each page and print a table."""
    with TemporaryDirectory(prefix="plumbline-lighthouse-") as folder:
        var, port = Path(folder), free_port()
        settings = {"PLUMBLINE_VAR": str(var), "DATABASE_URL": ""}
        run_command(["collectstatic", "--no-input", "--verbosity", "0"], **settings)
        program = Program(var / "log", "demo", "--port", str(port), **settings)
        try:
            program.wait_for(lambda: "Quit the server" in (var / "log").read_text(), seconds=300)
            program.wait_for(lambda: is_idle(var / "log"), seconds=300)
            site = f"http://127.0.0.1:{port}"
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
                report(walk(new_page(browser), f"{site}/s/try/"))
                password = (var / "demo-login").read_text().strip()
                report(walk_console(new_page(browser), site, password))
                browser.close()
        finally:
            program.stop()


def run_command(arguments: list[str], **settings: str) -> None:
    """Run a command of manage.py with further environment variables."""
    subprocess.run([sys.executable, "manage.py", *arguments], check=True, cwd=ROOT, env=os.environ | settings)


def report(measured: list[list[int]]) -> None:
    """Print the least of each score."""
    least = [min(scores[place] for scores in measured) for place in range(len(CATEGORIES))]
    sys.stdout.write(f"least: {' '.join(map(str, least))}\n")


def walk_console(page: Page, site: str, password: str) -> list[list[int]]:
    """Log in, and return the scores of each page of the console."""
    log_in(page, site, password)
    measured = []
    for name, address in CONSOLE.items():
        page.goto(f"{site}/console/{address}")
        measured.append(measure(page, name))
    return measured


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
    sys.stdout.write(f"{name:18} {' '.join(f'{score:4}' for score in scores)} {size:8,.0f} bytes\n")
    sys.stdout.flush()
    return scores


if __name__ == "__main__":
    main()
