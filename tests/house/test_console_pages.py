"""No page of the console without a title, one heading of the first level, and a way back.

`PAGES` names where the way back leads. On the pages of a study it is in the frame, whose other links are
tested in `test_frame`. The addresses come from the resolver: a page that is added and not named fails here.
"""

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from django.test import Client

from tests.house.walk import World, addresses
from tests.support.html import compact

ALL, FRONT, LOGIN = "/console/", "/", "/console/login/"
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
    "help": [ALL],
    "import": [ALL],
    "study": [ALL],
    "search": [ALL],
    "set_up": [ALL],
    "plan": [ALL],
    "members": [ALL],
    "way_in": [ALL],
    "audit": [ALL],
    "payments": [ALL],
    "table1": [ALL],
    "events": [ALL],
    "workers": [ALL],
    "worker": [ALL],
    "jobs": [ALL],
    "job": [ALL],
    "quality": [ALL],
    "mend_topic": [ALL],
    "worker_statistics": [ALL],
    "worker_pair": [ALL],
    "thresholds": [ALL],
    "state": [ALL],
    "understanding": [ALL],
    "documents": [ALL],
    "document": [ALL],
    "grades": [ALL],
    "arms": [ALL],
    "judges": [ALL],
    "judge": [ALL, "/console/studies/study/understanding/judges/"],
    "labels": [ALL, "/console/studies/study/understanding/judges/"],
    "results": [ALL],
    "systems": [ALL],
    "figures": [ALL],
    "papers": [ALL],
    "figure": [ALL],
    "setup": [ALL],
    "setup_overview": [ALL],
    "setup_settings": [ALL],
    "setup_files": [ALL],
    "setup_columns": [ALL],
    "setup_import_topics": [ALL],
    "setup_replace": [ALL],
    "setup_grades": [ALL],
    "setup_topics": [ALL],
    "setup_delete_topics": [ALL],
    "setup_topic": [ALL],
    "setup_anchors": [ALL],
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
    "picture",
    "whole_report",
    "study_archive",
    "setup_archive",
    "setup_file",
    "setup_estimate",  # part of a page, as are the next three
    "setup_preview",
    "setup_topic_preview",
    "setup_advice",
    "copy",  # forms on the page of the study
    "setup_change",
    "setup_download",
    "rehearse",
    "decide",
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
        ("owner", "/console/studies/study/audit/?actor=eve", 400, ["/console/"]),
        ("owner", "/console/studies/study/workers/?page=99", 404, ["/console/"]),
        ("owner", "/console/studies/study/workers/?state=lost", 400, ["/console/"]),
        ("owner", "/console/studies/study/jobs/?sort=luck", 400, ["/console/"]),
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
