"""Pages of a list: its places from 0 are cut into pages, and a selector reads the rows of one of them."""

from typing import TYPE_CHECKING

from django.core.paginator import EmptyPage, Page, PageNotAnInteger, Paginator
from django.http import HttpRequest, QueryDict

from judging.limits import ROWS_PER_PAGE

if TYPE_CHECKING:
    _Page = Page[int]
else:  # Django's own is not generic where it runs
    _Page = Page

KEY = "page"
"""The parameter of the list that an address is all about."""


class Pages(_Page):
    """One page of a list: `places` are those of its rows.

    `fault` says what was wrong with the page asked for. `key` is the parameter of the address that asks for
    it, and `asked` are all of them: links to other pages keep the others.
    """

    def __init__(
        self, number: int, paginator: "Paginator[int]", *, key: str, asked: QueryDict, fault: str = ""
    ) -> None:
        first = (number - 1) * paginator.per_page
        self.places = range(paginator.count)[first : first + paginator.per_page]
        super().__init__(self.places, number, paginator)
        self.key, self.asked, self.fault = key, asked, fault

    @property
    def status(self) -> int:
        """The HTTP status to answer with; of several lists on one page the greatest."""
        return 404 if self.fault else 200

    @property
    def before(self) -> str:
        return self._address(self.previous_page_number())

    @property
    def after(self) -> str:
        return self._address(self.next_page_number())

    @property
    def links(self) -> list[tuple[int | str, str]]:
        """The pages at both ends and around this one, each with its address; "" for this one and for gaps."""
        shown = self.paginator.get_elided_page_range(self.number, on_each_side=2, on_ends=1)
        return [
            (number, self._address(number) if isinstance(number, int) and number != self.number else "")
            for number in shown
        ]

    def _address(self, number: int) -> str:
        """Where a page is: a list with a parameter of its own stands where its heading has that id."""
        query = self.asked.copy()
        query[self.key] = str(number)
        return f"?{query.urlencode()}{'' if self.key == KEY else f'#{self.key}'}"


def page_of(request: HttpRequest, count: int, *, per_page: int = ROWS_PER_PAGE, key: str = KEY) -> Pages:
    """The page that the address asks for by its parameter `key`, of a list of `count` rows; else the first.

    Of several lists on one page each has a `key` of its own, which is the id of its heading too.
    """
    asked = request.GET.get(key, "1")
    paginator = Paginator(range(count), per_page)
    fault = ""
    try:
        number = paginator.validate_number(asked)
    except (EmptyPage, PageNotAnInteger):
        number = 1
        fault = f"There is no page {asked[:20]} of this list: this is the first of {paginator.num_pages}."
    return Pages(number, paginator, key=key, asked=request.GET, fault=fault)
