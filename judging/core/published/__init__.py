"""The published tables. Each module declares a table as a `Published`.

The table is then part of the exports, the API and the data dictionary. A package of your own can announce a
`Published` by an entry point in the group `plumbline.exports`.
"""

from collections.abc import Iterator
from typing import Final

from judging.core.published.table import Published
from judging.protocol.declared import by_name, declared, installed

_TABLES: Final = by_name(
    [*declared(__name__, __path__, Published), *installed("exports", Published)], lambda table: table.name
)
PUBLISHED: Final = dict(sorted(_TABLES.items(), key=lambda item: item[1].place))
"""Maps the name of each table to the table, sorted by `place`."""


def markdown(name: str) -> Iterator[str]:
    """Yield the lines of Markdown that document the columns of a table."""
    yield "| column | type | unit | meaning |\n|---|---|---|---|\n"
    for column in PUBLISHED[name].columns():
        title = f"`{column.name}`" if column.name else "*name of a grade set*"
        yield f"| {title} | {column.kind} | {column.unit} | {column.meaning} |\n"
