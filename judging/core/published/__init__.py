"""The published tables, each in a file of its own, which is all that one needs.

A table is found by its declaration; exports, the API with its document, and the data dictionary follow.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from judging.core.published.base import AnyPublished, Published


def _found() -> list[AnyPublished]:
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    tables = (value for module in modules for value in vars(module).values() if isinstance(value, Published))
    return sorted(tables, key=lambda table: table.place)


PUBLISHED: Final = {table.name: table for table in _found()}
"""Name → table, in the order in which tables are offered."""
