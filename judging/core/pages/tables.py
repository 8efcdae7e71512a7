"""A list on a page: its columns are declared, and sorting, filter, pages and markup follow from them.

Rows are at hand, and are sorted and cut here; or the database sorts them, and those of one page are read.
The template `core/_table.html` shows every list, by the tag `{% table %}`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from judging.core.pages.filtering import FilterForm
from judging.core.pages.paging import KEY, Pages, page_of
from judging.core.pages.sorting import Heading, Sorting, sorting_of
from judging.core.selectors.ordering import Sortable, by_columns
from judging.limits import ROWS_PER_PAGE

Row = TypeVar("Row")
M = TypeVar("M", bound=Model)
Order = Sequence[Sortable | Callable[[], Sortable]]
UNKNOWN = "–"


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A column. `cell` gives its text, number, time or safe HTML for a row; None for what is not known.

    `name` is the column in the address, with a leading - if the largest come first when first asked for;
    empty: nobody sorts by it. `by` is what rows at hand are sorted by, if not by the cell, and `order` what
    the database sorts by: columns and expressions, or functions that make one when it is needed. `above`
    stands above several columns. `muted`: its zeros are pale. `css` is a class of its cells.
    """

    name: str
    heading: str
    cell: Callable[[Row], object]
    by: Callable[[Row], object] | None = None
    above: str = ""
    muted: bool = False
    css: str = ""
    order: Order = ()


class Head(NamedTuple):
    """The heading of a column, or of several; without a `link` nobody sorts by it."""

    words: str
    link: Heading | None = None
    above: str = ""
    css: str = ""
    columns: int = 1
    rows: int = 1


class Cell(NamedTuple):
    value: object
    css: str = ""


@dataclass(frozen=True)
class ShownTable:
    """A list as the template shows it. `heading` is the id of the heading that names it.

    `form` narrows it, `page` is None for a list in one piece, `of` says what is listed, `note` what the
    caption says. `groups` are the columns below each of the upper headings; `total` is a last row for all.
    """

    heading: str
    of: str
    sorting: Sorting
    form: FilterForm | None = None
    shows_form: bool = False
    page: Pages | None = None
    css: str = ""
    note: str = ""
    groups: list[int] = field(default_factory=list)
    heads: list[list[Head]] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)
    total: list[Cell] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many rows there are on all pages."""
        return len(self.rows) if self.page is None else self.page.paginator.count

    @property
    def faults(self) -> list[str]:
        return [one.fault for one in (self.sorting, self.page) if one is not None and one.fault]

    @property
    def status(self) -> int:
        """The HTTP status to answer with; of several lists on one page the greatest."""
        return max(one.status for one in (self.form, self.sorting, self.page) if one is not None)


class Table(Generic[Row]):
    """A list on a page that was asked for. `heading` is the id of the heading that names it.

    `sort` is the column that it is sorted by at first, empty: the rows stay as they come. Of several lists on
    one page each but one has its heading as `key` in the address. `above` are words above several columns by
    which a list is sorted: their name in the address, and what the database sorts by. `per_page` 0: it is not
    cut into pages.
    """

    def __init__(
        self,
        request: HttpRequest,
        columns: Sequence[Column[Row]],
        *,
        heading: str,
        of: str,
        sort: str = "",
        key: str = KEY,
        form: FilterForm | None = None,
        note: str = "",
        css: str = "numbers",
        per_page: int = ROWS_PER_PAGE,
        above: Mapping[str, tuple[str, Order]] | None = None,
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

    def at_hand(
        self, rows: Sequence[Row], *, always: Sequence[Row] = (), total: Sequence[object] = ()
    ) -> ShownTable:
        """Show rows that are all there, below those that are `always` shown; `total` is a last row."""
        if self._refused:
            return self._show([], None)
        if self.sorting.key:
            by = {column.name: column.by or column.cell for column in self.columns if column.name}
            rows = self.sorting.rows(rows, by)
        page = self._page(len(rows))
        shown = rows if page is None else rows[page.places.start : page.places.stop]
        return self._show([*always, *shown], page, total)

    def read(
        self,
        count: Callable[[], int],
        rows: Callable[[Sorting, range], Sequence[Row]],
        *,
        total: Sequence[object] = (),
    ) -> ShownTable:
        """Show the page of a list that `rows` reads: those at some places, in the order asked for."""
        if self._refused:
            return self._show([], None)
        page = self._page(count())
        return self._show(rows(self.sorting, range(0) if page is None else page.places), page, total)

    def stored(
        self,
        found: QuerySet[M],
        rows: Callable[[QuerySet[M]], Sequence[Row]],
        *,
        ties: Sequence[str],
        count: int | None = None,
        total: Sequence[object] = (),
    ) -> ShownTable:
        """Show the page of a list that the database sorts: `rows` reads it.

        `ties` is the order of equal rows, `count` the number of all rows, if it is known.
        """

        def read(sorting: Sorting, places: range) -> Sequence[Row]:
            order = by_columns(self._order(), descending=sorting.descending)
            whole = found.order_by(*order, *ties)
            return rows(whole[places.start : places.stop] if self._per_page else whole)

        return self.read(lambda: found.count() if count is None else count, read, total=total)

    def _order(self) -> Sequence[Sortable]:
        orders = [(column.name, column.order) for column in self.columns] + [*self._above.values()]
        order = next(order for name, order in orders if name.removeprefix("-") == self.sorting.key)
        return [one() if callable(one) else one for one in order]

    @property
    def _refused(self) -> bool:
        return self._form is not None and not self._form.is_valid()

    def _page(self, count: int) -> Pages | None:
        if not self._per_page:
            return None
        return page_of(self._request, count, per_page=self._per_page, key=self._key)

    def _show(self, rows: Sequence[Row], page: Pages | None, total: Sequence[object] = ()) -> ShownTable:
        groups = [(above, [*columns]) for above, columns in groupby(self.columns, lambda one: one.above)]
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
                    _cell(column, column.cell(row), words)
                    for column, words in zip(self.columns, css, strict=True)
                ]
                for row in rows
            ],
            total=[
                _cell(column, value, words)
                for column, value, words in zip(self.columns, total, css, strict=False)
            ],
        )

    def _heads(self, css: Sequence[str]) -> list[list[Head]]:
        """Return one row of headings, or two where words stand above some."""
        if not any(column.above for column in self.columns):
            return [[self._head(column, words) for column, words in zip(self.columns, css, strict=True)]]
        upper, lower = [], []
        placed = zip(self.columns, css, strict=True)
        for above, columns in groupby(placed, lambda pair: pair[0].above):
            if not above:
                upper += [self._head(column, words)._replace(rows=2) for column, words in columns]
                continue
            below = [self._head(column, words)._replace(above=above) for column, words in columns]
            name = self._above.get(above, ("", ()))[0].removeprefix("-")
            upper.append(Head(above, self.sorting.columns.get(name), columns=len(below)))
            lower += below
        return [upper, lower]

    def _head(self, column: Column[Row], css: str) -> Head:
        link = self.sorting.columns.get(column.name.removeprefix("-"))
        # The class `id` is for links and cells; a heading above ids stands on the left, as above texts.
        return Head(column.heading, link, css=" ".join("text" if one == "id" else one for one in css.split()))


def _cell(column: Column[Row], value: object, css: str) -> Cell:
    if column.muted and not value:
        css = f"{css} none".strip()
    if value is None:
        return Cell(UNKNOWN, css)
    return Cell(moment(value) if isinstance(value, datetime) else value, css)


def moment(value: datetime, form: str = "%Y-%m-%d %H:%M") -> SafeString:
    """Return a time for people, in an element that holds it in full."""
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), value.strftime(form))


def link(address: str, words: str) -> SafeString:
    """Return a link, as names in lists are."""
    return format_html('<a class="id" href="{}">{}</a>', address, words)


def tagged(words: str, *tags: str) -> SafeString:
    """Return words followed by tags, such as `retired`."""
    spans = (format_html(' <span class="state">{}</span>', tag) for tag in tags if tag)
    return format_html("{}{}", words, SafeString("".join(spans)))


def digits(value: float | None, decimals: int) -> str | None:
    """Return a number with so many decimals, None for one that is not known."""
    return None if value is None else f"{value:.{decimals}f}"


def percent(share: float | None) -> str | None:
    """Return a share from 0 to 1 in whole percent, None for one that is not known."""
    return None if share is None else f"{100 * share:.0f} %"
