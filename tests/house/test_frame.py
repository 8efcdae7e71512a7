"""Every page of a study is in its frame: it belongs to exactly one place, and the navigation marks it."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from judging.models import Study
from judging.site.places import PLACES, SETTINGS, Page, Place, places_of
from tests.house.test_console_pages import PAGES, ROUTES
from tests.house.walk import World
from tests.support.html import compact

EVERYWHERE: Final = (*PLACES, SETTINGS)
MOST_PLACES: Final = 7
OF_STUDY: Final = sorted(name for name in PAGES if ROUTES[name].startswith("console/studies/<slug:slug>/"))


def pages() -> Iterator[tuple[Place, Page]]:
    for place in EVERYWHERE:
        for page in place.pages:
            yield place, page


def navigation(text: str, name: str) -> list[tuple[str, str, str]]:
    """Return the address, the value of `aria-current` and the label of each link in a navigation."""
    bars = re.findall(rf'<nav class="{name}"[^>]*>(.*?)</nav>', compact(text), re.DOTALL)
    assert len(bars) < 2
    return [
        link
        for bar in bars
        for link in re.findall(r'<a href="([^"]*)"(?: aria-current="(\w+)")?>(.*?)</a>', bar)
    ]


def current(links: list[tuple[str, str, str]]) -> list[tuple[str, str]]:
    """Return the address and the mark of the links that are marked."""
    return [(address, mark) for address, mark, _ in links if mark]


def test_every_page_of_a_study_belongs_to_exactly_one_place() -> None:
    assert len(OF_STUDY) > 20
    for name in OF_STUDY:
        assert len([page for _, page in pages() if page.holds(name)]) == 1, name
        assert len([place for place in EVERYWHERE if place.holds(name)]) == 1, name


def test_places_have_pages_of_studies_and_no_others() -> None:
    assert len(PLACES) <= MOST_PLACES
    assert {name for _, page in pages() for name in (page.name, *page.also)} <= set(OF_STUDY)
    assert len({str(place.label) for place in EVERYWHERE}) == len(EVERYWHERE)


def test_the_navigation_marks_the_place_and_the_page(world: World) -> None:
    browser = world.browser("admin")
    for name in OF_STUDY:
        answer = browser.get(world.address(f"console:{name}", ROUTES[name]))
        assert answer.status_code == 200, name
        text = answer.content.decode()
        place, page = next((place, page) for place, page in pages() if page.holds(name))
        slug = answer.context["study"].slug
        first, here = (
            f"/{ROUTES[each.name]}".replace("<slug:slug>", slug) for each in (place.pages[0], page)
        )
        links = navigation(text, "places")
        assert len(links) == len(EVERYWHERE), name
        assert current(links) == [(first, "true")], name
        below = navigation(text, "subpages")
        assert len(below) == (len(place.pages) if len(place.pages) > 1 else 0), name
        mark = "page" if page.name == name else "true"
        assert current(below) == ([(here, mark)] if below else []), name


def test_every_link_of_the_frame_leads_to_a_page(world: World) -> None:
    browser = world.browser("viewer")
    for place, page in pages():
        address = world.address(f"console:{page.name}", ROUTES[page.name])
        assert browser.get(address).status_code == 200, (place, page)


@pytest.mark.parametrize(("who", "may"), [("owner", True), ("viewer", False)])
def test_actions_are_for_people_who_may_take_them(world: World, who: str, may: bool) -> None:
    text = world.browser(who).get("/console/studies/study/workers/").content.decode()
    head = text.split('class="frame-head"')[1].split('class="places"')[0]
    assert ('href="/console/studies/study/state/pause/"' in head) is may
    assert 'action="/console/studies/study/search/"' in head


def test_the_frame_shows_the_progress_on_every_page(world: World) -> None:
    for where in ("", "workers/", "understanding/"):
        text = world.browser("viewer").get(f"/console/studies/study/{where}").content.decode()
        bar = text.split('class="study-frame"')[1].split("<h1")[0]
        assert re.search(r'<progress\s+max="100"\s+value="50"', bar), where


def test_a_study_for_analysis_has_only_places_with_pages(world: World) -> None:
    Study.objects.filter(pk=world.study.pk).update(purpose="analysis", state="closed")
    places = [*places_of(Study.objects.get(pk=world.study.pk))]
    assert 0 < len(places) < len(EVERYWHERE)
    assert all(page.of_analysis for place in places for page in place.pages)
    browser = world.browser("viewer")
    links = navigation(browser.get("/console/studies/study/").content.decode(), "places")
    assert [label for _, _, label in links] == [str(place.label) for place in places]
    for address, _, _ in links:
        below = navigation(browser.get(address).content.decode(), "subpages")
        for page, _, _ in (*below, (address, "", "")):
            assert browser.get(page).status_code == 200, page
