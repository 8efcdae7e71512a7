"""The worked examples of all pages, run as they are printed.

An example is a ```python block of a page with `>>>` lines and what they print; the blocks of one page share
their names, from top to bottom.
"""

import doctest
import inspect
import re
from pathlib import Path

import pytest

from evaluation.magnitudes import intervals
from evaluation.measures import DEFINITIONS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "reference"
WITH_EXAMPLES = {
    *(page for page in DOCS.glob("measures/*.md") if page.name != "index.md"),
    *DOCS.glob("compare/*.md"),
    *(
        DOCS / name
        for name in ("front-door.md", "magnitudes.md", "files.md", "figures.md", "command-line.md")
    ),
}
"""Pages that need a worked example."""
PAGES = sorted(WITH_EXAMPLES | {page for page in ROOT.glob("docs/**/*.md") if ">>> " in page.read_text()})
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def examples_of(page: Path) -> list[doctest.Example]:
    """The examples of the page's Python blocks, each with its line in the page."""
    text = page.read_text()
    results = []
    for block in BLOCK.finditer(text):
        above = text.count("\n", 0, block.start(1))
        for example in doctest.DocTestParser().get_examples(block[1], str(page)):
            example.lineno += above
            results.append(example)
    return results


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page(page, tmp_path, monkeypatch, installed):
    monkeypatch.chdir(tmp_path)  # where an example may write its files
    examples = examples_of(page)
    assert examples, f"{page.name} has no worked example: a ```python block with >>> lines"
    test = doctest.DocTest(examples, {}, page.name, str(page), 0, None)
    message: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=message.append)
    assert not message, "".join(message)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_shown_prompt_is_run(page):
    """A `>>>` outside a ```python block would be printed and never tried."""
    text = page.read_text()
    prompts = len(re.findall(r"^\s*>>> ", text, re.MULTILINE))
    assert len(examples_of(page)) == prompts


def test_the_index_names_every_measure_and_every_family():
    folder = DOCS / "measures"
    index = (folder / "index.md").read_text()
    assert {f"`{name}`" for name in DEFINITIONS} <= set(re.findall(r"`[^`]+`", index))
    linked = set(re.findall(r"\]\(([\w./-]+\.md)\)", index))
    assert {page.name for page in folder.glob("*.md")} - {"index.md"} <= linked
    assert all((folder / name).is_file() for name in linked)


def test_the_page_names_the_resamples_and_the_level_that_intervals_use() -> None:
    defaults = inspect.signature(intervals).parameters
    page = (DOCS / "magnitudes.md").read_text()
    for name in ("resamples", "level"):
        assert f"`{name}={defaults[name].default}" in page
