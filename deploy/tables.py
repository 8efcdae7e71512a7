"""The generated tables of the documentation. `python3 manage.py docs --tables` writes them into its pages.

The declarations in the code are the source of these tables. A pair of comments marks the place of a table:

    <!-- generated table: limits -->
    <!-- end of generated table -->

To add a table, add its name to `TABLES`, and put the two comments into a page.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from deploy.documents import DOCS
from evaluation import cli, shapes
from evaluation.conformance import reports
from evaluation.papers import catalogue as papers
from evaluation.report import catalogue as chapters
from judging import limits
from judging.api import schema
from judging.archive import catalogue
from judging.archive.bundles import layout
from judging.core import published
from judging.protocol import settings, text_fields

_END: Final = "<!-- end of generated table -->"
_MARKED: Final = re.compile(
    rf"^(<!-- generated table: ([^\n]+) -->)\n((?:(?!<!-- generated table).*\n)*?){_END}$", re.MULTILINE
)
"""A marked table: the comment before it, its name and its text."""
_MARKER: Final = re.compile(r"^<!-- (?:end of )?generated table", re.MULTILINE)


class MarkerError(Exception):
    """A page marks a table in a wrong way. The message is one line that names the page."""


def conformance_results() -> Iterator[str]:
    """Yield the stored results of several tools, after the versions of these tools."""
    stored = json.loads((DOCS / "reference" / "float-qrels-results.json").read_text(encoding="utf-8"))
    *tools, python = (" ".join(pair) for pair in stored["versions"].items())
    yield f"Computed with {', '.join(tools)} on {python}.\n\n"
    yield reports.markdown(reports.from_rows(stored["results"]))


TABLES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "addresses of the API": schema.markdown,
    "commands of the library": cli.markdown,
    "conformance results": conformance_results,
    "conformance rules": reports.rules_markdown,
    "exports": catalogue.markdown,
    "fields in texts": text_fields.markdown,
    "layout of the bundle": layout.markdown,
    "limits": limits.markdown,
    "names of columns": shapes.markdown,
    "presets": settings.presets_markdown,
    "settings of arms": settings.arms_markdown,
    "papers": papers.summary_markdown,
    "parts of the report": chapters.markdown,
    **{f"items of {key}": partial(papers.items_markdown, key) for key in papers.PAPERS},
    **{f"settings of {table or 'study'}": partial(settings.markdown, table) for table in settings.TABLES},
    **{f"columns of {name}": partial(published.markdown, name) for name in published.PUBLISHED},
}
"""Maps the name of each table to the function that yields its Markdown."""


def tables_in(page: Path) -> dict[str, str]:
    """Return the text of each marked table of a page, by its name. Raise MarkerError for wrong marks."""
    text = page.read_text(encoding="utf-8")
    marked = _MARKED.findall(text)
    if len(_MARKER.findall(text)) != 2 * len(marked):
        raise MarkerError(f"{page}: a generated table has only one of its two comments. Add the other one.")
    for _, name, _ in marked:
        if name not in TABLES:
            known = ", ".join(TABLES)
            raise MarkerError(f"{page}: there is no generated table “{name}”. Use one of: {known}.")
    return {name: table for _, name, table in marked}


def current(name: str) -> str:
    """Return the text that a table should have between its two comments."""
    table = "".join(TABLES[name]()).strip("\n")
    return f"\n{table}\n\n"


def rewrite(folder: Path) -> list[Path]:
    """Write the tables of all pages below a folder. Return the pages that have changed."""
    pages = [page for page in sorted(folder.rglob("*.md")) if tables_in(page)]  # all marks are right
    changed = []
    for page in pages:
        before = page.read_text(encoding="utf-8")
        after = _MARKED.sub(lambda match: f"{match[1]}\n{current(match[2])}{_END}", before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            changed.append(page)
    return changed
