"""Use parts of the report as items of a paper."""

from collections.abc import Collection
from dataclasses import replace

from ..report.content import Content, suffix


def as_item(key: str, content: Content, tables: Collection[str] | None = None) -> Content:
    """Return the content of a part of the report, with tables and figures named after an item.

    The first table and the first figure get the key of the item, and further ones get it with a number.
    `tables` are the keys of the tables to keep, or None for all.
    """
    kept = [numbers for numbers in content.tables if tables is None or numbers.key in tables]
    return Content(
        content.sentences,
        [replace(numbers, key=f"{key}{suffix(place)}") for place, numbers in enumerate(kept)],
        [replace(drawn, key=f"{key}{suffix(place)}") for place, drawn in enumerate(content.figures)],
        content.missing,
    )
