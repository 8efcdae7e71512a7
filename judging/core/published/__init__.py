"""The published tables. Each module declares a table as a `Published`.

The table is then part of the exports, the API and the data dictionary.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from judging.core.published.base import AnyPublished, Published


def _declared_tables() -> list[AnyPublished]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    tables = (value for module in modules for value in vars(module).values() if isinstance(value, Published))
    return sorted(tables, key=lambda table: table.place)


PUBLISHED: Final = {table.name: table for table in _declared_tables()}
"""Maps the name of each table to the table, sorted by `place`."""
