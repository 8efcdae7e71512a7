"""Lists on a page. A list declares its columns, and this module prepares its headings, rows and pages.

`Table.at_hand` sorts rows that are in memory. `Table.stored` lets the database sort the rows. `Table.read`
gets sorted rows from a function. Both `stored` and `read` fetch only the rows of the current page. The tag
`{% table %}` shows every list with the template `core/_table.html`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from judging.core.pages.filtering import FilterForm
from judging.core.pages.paging import KEY, Pages, page_of
from judging.core.pages.sorting import Heading, Sorting, sorting_of
from judging.core.selectors.ordering import Sortable, by_columns
from judging.limits import ROWS_PER_PAGE

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Row = TypeVar("Row")
M = TypeVar("M", bound=Model)
Order = Sequence[Sortable | Callable[[], Sortable]]
UNKNOWN = "–"


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A column of a list.

    `cell` returns the text, number, time or safe HTML for a row, or None if the value is unknown.
    `name` is the column's name in the address. If it begins with -, the first click sorts in descending
    order. People cannot sort by a column without a name. Rows in memory are sorted by the value that `by`
    returns, or by the cell if `by` is None. The database sorts by `order`, which holds columns, expressions,
    or functions that return one of these.

    `above` is an upper heading, shared by several columns. In a `muted` column, zeros and empty cells are
    pale. `css` is the class of the cells.
    """

    name: str
    heading: "StrOrPromise"
    cell: Callable[[Row], object]
    by: Callable[[Row], object] | None = None
    above: "StrOrPromise" = ""
    muted: bool = False
    css: str = ""
    order: Order = ()


class Head(NamedTuple):
    """The heading of one or more columns. `link` is None if people cannot sort by this heading."""

    text: "StrOrPromise"
    link: Heading | None = None
    above: "StrOrPromise" = ""
    css: str = ""
    columns: int = 1
    rows: int = 1


class Cell(NamedTuple):
    """A cell. `heading` is the heading of its column, which phones show beside the value."""

    value: object
    css: str = ""
    heading: "StrOrPromise" = ""


@dataclass(frozen=True)
class ShownTable:
    """A list as the template shows it. `heading` is the id of the list's heading.

    `form` filters the list. `page` is None if the list is not divided into pages. `of` is the plural noun for
    the rows, such as "topics", and `note` is the caption. `total` is the last row, with the sums or medians
    of all rows. If the list has upper headings, `groups` holds the number of columns in each group. A group
    consists of adjacent columns that share an upper heading or have none.
    """

    heading: str
    of: "StrOrPromise"
    sorting: Sorting
    form: FilterForm | None = None
    shows_form: bool = False
    page: Pages | None = None
    css: str = ""
    note: "StrOrPromise" = ""
    groups: list[int] = field(default_factory=list)
    heads: list[list[Head]] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)
    total: list[Cell] = field(default_factory=list)

    @property
    def count(self) -> int:
        """The number of rows on all pages."""
        return len(self.rows) if self.page is None else self.page.paginator.count

    @property
    def is_text(self) -> bool:
        """Return whether the list has text rather than numbers. On phones, each row is then a card."""
        return "numbers" not in self.css.split()

    @property
    def faults(self) -> list[str]:
        return [part.fault for part in (self.sorting, self.page) if part is not None and part.fault]

    @property
    def status(self) -> int:
        """The HTTP status of the response. If a web page has several lists, use the largest status."""
        return max(part.status for part in (self.form, self.sorting, self.page) if part is not None)


class Table(Generic[Row]):
    """A list to show in response to a request. `heading` is the id of the list's heading.

    `sort` is the column that the list is sorted by at first; "" keeps the order of the rows. If a web page
    has several lists, `key` must be equal to `heading` in every list except the main one. If `per_page` is 0,
    the list is not divided into pages.

    People can sort by the upper headings in `above`. `above` maps the text of each such heading to its name
    in the address, and to the columns or expressions by which the database then sorts.
    """

    def __init__(
        self,
        request: HttpRequest,
        columns: Sequence[Column[Row]],
        *,
        heading: str,
        of: "StrOrPromise",
        sort: str = "",
        key: str = KEY,
        form: FilterForm | None = None,
        note: "StrOrPromise" = "",
        css: str = "numbers",
        per_page: int = ROWS_PER_PAGE,
        above: "Mapping[StrOrPromise, tuple[str, Order]] | None" = None,
    ) -> None:
        self.columns = columns
        self._request, self._key, self._per_page, self._above = request, key, per_page, above or {}
        self._form = form
        names = [column.name for column in columns if column.name]
        names += [name for name, _ in self._above.values()]
        self.sorting = sorting_of(request, *names, default=sort, key=key)
        self._shown = partial(
            ShownTable, heading=heading, of=of, sorting=self.sorting, form=form, note=note, css=css
        )

    def at_hand(self, rows: Sequence[Row], *, total: Sequence[object] = ()) -> ShownTable:
        """Return the list to show for rows in memory. `total`, if given, is the last row of every page."""
        if self._is_invalid:
            return self._show([], None)
        if self.sorting.key:
            by = {column.name: column.by or column.cell for column in self.columns if column.name}
            rows = self.sorting.rows(rows, by)
        page = self._page(len(rows))
        shown = rows if page is None else rows[page.places.start : page.places.stop]
        return self._show(shown, page, total)

    def read(
        self,
        count: Callable[[], int],
        rows: Callable[[Sorting, range], Sequence[Row]],
        *,
        total: Sequence[object] = (),
    ) -> ShownTable:
        """Return the list to show, and read only the rows of the current page.

        `count` returns the total number of rows. `rows` takes a sorting and a range of positions. It returns
        the rows at these positions in the sorted list.
        """
        if self._is_invalid:
            return self._show([], None)
        page = self._page(count())
        return self._show(rows(self.sorting, range(0) if page is None else page.places), page, total)

    def stored(
        self,
        objects: QuerySet[M],
        rows: Callable[[QuerySet[M]], Sequence[Row]],
        *,
        ties: Sequence[str],
        count: int | None = None,
        total: Sequence[object] = (),
    ) -> ShownTable:
        """Return the list to show for objects that the database sorts.

        `rows` turns the objects of a page into rows. `ties` holds the fields that decide the order of equal
        rows. `count` is the total number of rows, or None to count them.
        """

        def read(sorting: Sorting, places: range) -> Sequence[Row]:
            order = by_columns(self._order(), descending=sorting.descending)
            whole = objects.order_by(*order, *ties)
            return rows(whole[places.start : places.stop] if self._per_page else whole)

        return self.read(lambda: objects.count() if count is None else count, read, total=total)

    def _order(self) -> Sequence[Sortable]:
        orders = [(column.name, column.order) for column in self.columns] + [*self._above.values()]
        order = next(order for name, order in orders if name.removeprefix("-") == self.sorting.key)
        return [part() if callable(part) else part for part in order]

    @property
    def _is_invalid(self) -> bool:
        return self._form is not None and not self._form.is_valid()

    def _page(self, count: int) -> Pages | None:
        if not self._per_page:
            return None
        return page_of(self._request, count, per_page=self._per_page, key=self._key)

    def _show(self, rows: Sequence[Row], page: Pages | None, total: Sequence[object] = ()) -> ShownTable:
        groups = [
            (above, [*columns]) for above, columns in groupby(self.columns, lambda column: column.above)
        ]
        css = [
            f"first {column.css}".strip() if above and place == 0 else column.css
            for above, columns in groups
            for place, column in enumerate(columns)
        ]
        return self._shown(
            shows_form=self._form is not None
            and self._form.is_worth(len(rows) if page is None else page.paginator.count),
            page=page,
            groups=[len(columns) for _, columns in groups] if any(above for above, _ in groups) else [],
            heads=self._heads(css),
            rows=[
                [
                    _cell(column, column.cell(row), classes)
                    for column, classes in zip(self.columns, css, strict=True)
                ]
                for row in rows
            ],
            total=[
                _cell(column, value, classes)
                for column, value, classes in zip(self.columns, total, css, strict=False)
            ],
        )

    def _heads(self, css: Sequence[str]) -> list[list[Head]]:
        """Return one row of headings, or two rows if some columns have an upper heading."""
        if not any(column.above for column in self.columns):
            return [[self._head(column, classes) for column, classes in zip(self.columns, css, strict=True)]]
        upper, lower = [], []
        placed = zip(self.columns, css, strict=True)
        for above, columns in groupby(placed, lambda pair: pair[0].above):
            if not above:
                upper += [self._head(column, classes)._replace(rows=2) for column, classes in columns]
                continue
            below = [self._head(column, classes)._replace(above=above) for column, classes in columns]
            name = self._above.get(above, ("", ()))[0].removeprefix("-")
            upper.append(Head(above, self.sorting.columns.get(name), columns=len(below)))
            lower += below
        return [upper, lower]

    def _head(self, column: Column[Row], css: str) -> Head:
        link = self.sorting.columns.get(column.name.removeprefix("-"))
        # The heading of a column of ids is aligned like the heading of a text column, because the class `id`
        # is only for links and cells.
        classes = ["text" if name == "id" else name for name in css.split()]
        return Head(column.heading, link, css=" ".join(classes))


def _cell(column: Column[Row], value: object, css: str) -> Cell:
    if column.muted and not value:
        css = f"{css} none".strip()
    if value is None:
        value = UNKNOWN
    return Cell(moment(value) if isinstance(value, datetime) else value, css, column.heading)


def moment(value: datetime, form: str = "%Y-%m-%d %H:%M") -> SafeString:
    """Return a `<time>` element that shows a time, with the exact time in the attribute `datetime`."""
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), value.strftime(form))


def link(address: str, text: str) -> SafeString:
    """Return a link to the page about a row."""
    return format_html('<a class="id" href="{}">{}</a>', address, text)


def tagged(text: str, *tags: str) -> SafeString:
    """Return the text, followed by tags such as `retired`. Leave out empty tags."""
    spans = (format_html(' <span class="state">{}</span>', tag) for tag in tags if tag)
    return format_html("{}{}", text, SafeString("".join(spans)))


def digits(value: float | None, decimals: int) -> str | None:
    """Return a value with this many decimals, or None if the value is unknown."""
    return None if value is None else f"{value:.{decimals}f}"


def percent(share: float | None) -> str | None:
    """Return a share from 0 to 1 as a whole percentage, or None if the share is unknown."""
    return None if share is None else f"{100 * share:.0f} %"
