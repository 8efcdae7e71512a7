"""Pages of a list: its places from 0 are cut into pages, and a selector reads the rows of one of them."""

from django.core.paginator import EmptyPage, Page, PageNotAnInteger, Paginator
from django.http import HttpRequest

PER_PAGE = 50


class Pages(Page):
    """One page of a list, `object_list` being the range of its places.

    `fault` says what was wrong with the page asked for.
    """

    fault: str = ""

    @property
    def places(self) -> range:
        return self.object_list

    @property
    def status(self) -> int:
        """The HTTP status to answer with."""
        return 404 if self.fault else 200

    @property
    def numbers(self) -> list[int | str]:
        """The pages to link: those at both ends and those around this one, with a sign for each gap."""
        return list(self.paginator.get_elided_page_range(self.number, on_each_side=2, on_ends=1))


class _Paginator(Paginator):
    def _get_page(self, *args: object, **kwargs: object) -> Pages:
        return Pages(*args, **kwargs)


def page_of(request: HttpRequest, count: int, *, per_page: int = PER_PAGE) -> Pages:
    """The page that the address asks for by `?page`, of a list of `count` rows; else the first."""
    asked = request.GET.get("page", "1")
    paginator = _Paginator(range(count), per_page)
    try:
        return paginator.page(asked)
    except (EmptyPage, PageNotAnInteger):
        page = paginator.page(1)
        page.fault = (
            f"There is no page {asked[:20]} of this list: this is the first of {paginator.num_pages}."
        )
        return page
