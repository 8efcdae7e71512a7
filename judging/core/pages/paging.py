"""Pages of a list. A page knows the positions of its rows in the list, but not the rows themselves."""

from typing import TYPE_CHECKING

from django.core.paginator import EmptyPage, Page, PageNotAnInteger, Paginator
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from judging.limits import ROWS_PER_PAGE

if TYPE_CHECKING:
    _Page = Page[int]
else:  # At run time Django's Page is not generic.
    _Page = Page

KEY = "page"
"""The name of the URL parameter for the main list's page number."""


class Pages(_Page):
    """A page of a list. `places` holds the positions of its rows in the list, counted from 0.

    `fault` is the error message if the requested page does not exist. `key` is the name of the URL parameter
    for the page number. `query` holds all URL parameters, so that links to other pages keep them.
    """

    def __init__(
        self, number: int, paginator: "Paginator[int]", *, key: str, query: QueryDict, fault: str = ""
    ) -> None:
        first = (number - 1) * paginator.per_page
        self.places = range(paginator.count)[first : first + paginator.per_page]
        super().__init__(self.places, number, paginator)
        self.key, self.query, self.fault = key, query, fault

    @property
    def status(self) -> int:
        """The HTTP status of the response. If a web page has several lists, use the largest status."""
        return 404 if self.fault else 200

    @property
    def before(self) -> str:
        return self._address(self.previous_page_number())

    @property
    def after(self) -> str:
        return self._address(self.next_page_number())

    @property
    def links(self) -> list[tuple[int | str, str]]:
        """The first, last and nearby pages with their addresses.

        The address is "" for the current page, and for gaps in the list of pages.
        """
        shown = self.paginator.get_elided_page_range(self.number, on_each_side=2, on_ends=1)
        return [
            (number, self._address(number) if isinstance(number, int) and number != self.number else "")
            for number in shown
        ]

    def _address(self, number: int) -> str:
        """Return the address of a page. Unless `key` is `KEY`, link to the heading whose id is `key`."""
        query = self.query.copy()
        query[self.key] = str(number)
        return f"?{query.urlencode()}{'' if self.key == KEY else f'#{self.key}'}"


def page_of(request: HttpRequest, count: int, *, per_page: int = ROWS_PER_PAGE, key: str = KEY) -> Pages:
    """Return the page that the address requests. `key` is the name of the URL parameter for the page number.

    If that page does not exist, return page 1, and set its `fault`. `count` is the number of rows. If a web
    page has several lists, each has its own `key`. For every list except the main one, `key` is also the id
    of the list's heading.
    """
    requested = request.GET.get(key, "1")
    paginator = Paginator(range(count), per_page)
    fault = ""
    try:
        number = paginator.validate_number(requested)
    except (EmptyPage, PageNotAnInteger):
        number = 1
        fault = _(
            "This list has no page “{page}”, so you see the first page. Number of pages: {pages}."
        ).format(page=requested[:20], pages=paginator.num_pages)
    return Pages(number, paginator, key=key, query=request.GET, fault=fault)
