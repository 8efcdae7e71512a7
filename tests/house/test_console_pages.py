"""No page of the console without a title, one heading of the first level, and a way back.

`PAGES` names where the way back leads. The addresses come from the resolver: a page that is added and
not named fails here.
"""

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from django.test import Client

from tests.house.walk import World, addresses
from tests.support.html import compact

ALL, STUDY, FRONT, LOGIN = "/console/", "/console/studies/study/", "/", "/console/login/"
UNDERSTANDING, SETUP = f"{STUDY}understanding/", f"{STUDY}setup/"
PAGES: Final = {
    "studies": [],  # the front page of the console
    "login": [FRONT],
    "password_change": [ALL],
    "password_ask": [LOGIN],
    "password_asked": [LOGIN],
    "password_set": [LOGIN],
    "invitation": [FRONT],
    "people": [ALL],
    "site_audit": [ALL],
    "code": [ALL],
    "import": [ALL],
    "study": [ALL],
    "members": [ALL, STUDY],
    "way_in": [ALL, STUDY],
    "audit": [ALL, STUDY],
    "payments": [ALL, STUDY],
    "table1": [ALL, STUDY],
    "events": [ALL, STUDY],
    "workers": [ALL, STUDY],
    "worker": [ALL, STUDY, f"{STUDY}workers/"],
    "jobs": [ALL, STUDY],
    "job": [ALL, STUDY, f"{STUDY}jobs/"],
    "watch": [ALL, STUDY],
    "quality": [ALL, STUDY],
    "mend_topic": [ALL, STUDY, f"{STUDY}quality/"],
    "worker_statistics": [ALL, STUDY],
    "thresholds": [ALL, STUDY],
    "state": [ALL, STUDY],
    "understanding": [ALL, STUDY],
    "documents": [ALL, STUDY, UNDERSTANDING],
    "document": [ALL, STUDY, UNDERSTANDING, f"{UNDERSTANDING}documents/?topic=401"],
    "grades": [ALL, STUDY, UNDERSTANDING],
    "scores": [ALL, STUDY, UNDERSTANDING],
    "figures": [ALL, STUDY, UNDERSTANDING],
    "figure": [ALL, STUDY, UNDERSTANDING, f"{UNDERSTANDING}figures/"],
    "setup": [ALL],
    "setup_overview": [ALL, STUDY],
    "setup_settings": [ALL, STUDY],
    "setup_files": [ALL, STUDY],
    "setup_columns": [ALL, STUDY, SETUP, f"{SETUP}files/"],
    "setup_grades": [ALL, STUDY, SETUP, f"{SETUP}files/"],
    "setup_topics": [ALL, STUDY],
    "setup_topic": [ALL, STUDY, SETUP, f"{SETUP}topics/"],
    "setup_anchors": [ALL, STUDY],
}
NO_PAGES: Final = {
    "logout",
    "download_payments",
    "job_file",
    "job_manifest",
    "export",
    "export_manifest",
    "figure_file",
    "report_table",
    "study_archive",
    "setup_archive",
    "setup_file",
    "setup_estimate",  # part of a page, as are the next two
    "setup_preview",
    "setup_advice",
    "copy",  # forms on the page of the study
    "setup_change",
    "setup_download",
    "rehearse",
    "as_worker",
}
ROUTES: Final = {name.partition(":")[2]: route for name, route in addresses() if name.startswith("console:")}


class Seen(HTMLParser):
    """The title of a page, its headings of the first level, and where its way back leads, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.title, self.headings, self.back = "", list[str](), list[str]()
        self._inside: list[tuple[str, bool]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag in {"title", "h1", "p", "nav"}:
            self._inside.append((tag, "back" in (given.get("class") or "").split()))
        if tag == "h1":
            self.headings.append("")
        if tag == "a" and any(back for _, back in self._inside):
            self.back.append(given.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1][0] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if self._inside and self._inside[-1][0] == "title":
            self.title += data
        if self._inside and self._inside[-1][0] == "h1":
            self.headings[-1] += data.strip()


def seen(answer: Any) -> Seen:
    return Seen(compact(answer.content.decode()))


def look(world: World, name: str) -> Seen:
    anonymous = name in {"login", "password_ask", "password_asked", "password_set", "invitation"}
    browser = Client() if anonymous else world.browser("admin")
    answer = browser.get(world.address(f"console:{name}", ROUTES[name]), follow=True)
    assert answer.status_code == 200, name
    assert answer["Content-Type"].startswith("text/html"), name
    return seen(answer)


def test_every_address_of_the_console_is_named() -> None:
    assert set(ROUTES) == {*PAGES, *NO_PAGES}


def test_each_page_has_a_title_a_heading_and_a_way_back(world: World) -> None:
    titles = {}
    for name, back in PAGES.items():
        page = look(world, name)
        assert re.fullmatch(r"\S.* – Plumbline console", unescape(page.title)), name
        assert len(page.headings) == 1, name
        assert page.headings[0], name
        assert page.back == back, name
        titles[page.title] = name
    assert len(titles) == len(PAGES), "two pages of one title"


def test_the_way_back_can_be_gone(world: World) -> None:
    browser = world.browser("admin")
    for address in {address for back in PAGES.values() for address in back}:
        assert browser.get(address).status_code == 200, address


@pytest.mark.parametrize(
    ("who", "address", "status", "back"),
    [
        ("viewer", "/console/people/", 403, ["/console/"]),
        ("viewer", "/console/studies/study/payments.csv", 403, ["/console/"]),
        ("owner", "/admin/login/", 403, ["/console/"]),
        ("owner", "/console/studies/none/", 404, ["/"]),
        ("anonymous", "/console/invitations/none/", 404, ["/"]),
        ("owner", "/console/studies/study/audit/?actor=eve", 400, ["/console/", STUDY]),
        ("owner", "/console/studies/study/workers/?page=99", 404, ["/console/", STUDY]),
        ("owner", "/console/studies/study/workers/?state=lost", 400, ["/console/", STUDY]),
        ("owner", "/console/studies/study/jobs/?sort=luck", 400, ["/console/", STUDY]),
        ("owner", "/console/?state=lost", 400, []),
    ],
)
def test_a_page_that_says_no_has_them_too(
    world: World, who: str, address: str, status: int, back: list[str]
) -> None:
    answer = world.browser(who).get(address)
    assert answer.status_code == status
    page = seen(answer)
    assert page.title.strip()
    assert len(page.headings) == 1
    assert page.back == back
