"""The reading age of the pages that workers see: words, and the Flesch-Kincaid grade of their sentences.

    python -m tests.benchmarks.reading_age

Walks through every page of a worker on a temporary SQLite database, and prints a line per page: the words in
its main part, the grade of its whole sentences (years at school in the United States; add five for the age),
and the length of its longest sentence in words. Headings, buttons and labels count as words but not as
sentences. The study has the sample's information and consent and the shipped instructions. Documents, topics
and questions do not count. `--sentences` prints the sentences of each page. Exits with 1 if the grade of all
sentences is above the limit.
"""

import argparse
import logging
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tests.support.visitor import Reply

MOST_GRADE: Final = 7
SAMPLE: Final = Path(__file__).parents[2] / "judging" / "sample"
INLINE: Final = frozenset({"a", "abbr", "b", "bdi", "code", "em", "i", "small", "span", "strong"})
EMPTY: Final = frozenset({"br", "col", "hr", "img", "input", "line", "link", "meta"})
SENTENCE: Final = re.compile(r"[^.?!]+(?:[.?!](?=\S)[^.?!]*)*[.?!:]")


class Page(NamedTuple):
    """What a page says: the number of its words, and its whole sentences."""

    words: int
    sentences: list[str]


class _Reader(HTMLParser):
    """Gather the blocks of text in the main part of a page, without the texts of the study's documents."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.blocks = [""]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE:
            self.blocks.append("")
        names = dict(attrs)
        is_own_text = tag in {"article", "textarea", "script"} or (
            "lang" in names and tag not in {"div", "html"}
        )
        is_own_text |= "typed" in (names.get("class") or "")
        if tag not in EMPTY:
            self.open.append((tag, is_own_text))

    def handle_endtag(self, tag: str) -> None:
        if tag not in INLINE:
            self.blocks.append("")
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self.open]
        if "main" in tags and not any(is_own_text for _, is_own_text in self.open):
            self.blocks[-1] += data


def read_page(html: str) -> Page:
    """Return the words and the sentences of a page."""
    reader = _Reader()
    reader.feed(html)
    blocks = [" ".join(block.split()) for block in reader.blocks]
    sentences = [sentence.strip() for block in blocks for sentence in SENTENCE.findall(block)]
    return Page(sum(len(block.split()) for block in blocks), sentences)


def name_of(reply: "Reply") -> str:
    """Return a name for a page: the last part of its address, and the state it says it is in."""
    html = reply.body.decode()
    parts = [part for part in reply.url.split("?")[0].split("/") if part]
    state = re.search(r'data-told="([a-z_]*)"', html)
    return " ".join(filter(None, [parts[-1] if len(parts) > 2 else "information", state[1] if state else ""]))


def worked_pages() -> Iterator[tuple[str, Page]]:
    """Walk a new study as its workers do; yield each different page once, with its name."""
    import pytest

    from judging.setup.intake.study_file import SHIPPED
    from tests.worker.pages.conftest import Clock
    from tests.worker.pages.tour import tour, tour_study

    sample = tomllib.loads((SAMPLE / "study.toml").read_text())
    texts = {key: sample[key] for key in ("information", "consent")}
    for key in ("instructions_magnitude", "instructions_task"):
        texts[key] = (SHIPPED / "en" / f"{key}.md").read_text()
    seen = set()
    with pytest.MonkeyPatch.context() as patch:
        for reply in tour(tour_study(**texts), Clock(patch)):
            if b"<html" not in reply.body or "/s/" not in reply.url:
                continue
            page = read_page(reply.body.decode())
            key = tuple(page.sentences)
            if key not in seen:
                seen.add(key)
                yield name_of(reply), page


def longest(sentences: list[str]) -> int:
    """Return the words of the longest sentence."""
    return max((len(sentence.split()) for sentence in sentences), default=0)


def report(*, with_sentences: bool) -> bool:
    """Print a line per page and one for all; return whether the grade of all stays within the limit."""
    import textstat

    every: dict[str, None] = {}
    print(f"{'page':40} {'words':>6} {'grade':>6} {'longest':>8}")
    pages = sorted(worked_pages())
    for name, page in pages:
        every |= dict.fromkeys(page.sentences)
        grade = textstat.flesch_kincaid_grade(" ".join(page.sentences))
        print(f"{name:40} {page.words:6} {grade:6.1f} {longest(page.sentences):8}")
        if with_sentences:
            print(*(f"    {sentence}" for sentence in page.sentences), sep="\n")
    grade = textstat.flesch_kincaid_grade(" ".join(every))
    mean = sum(page.words for _, page in pages) / len(pages)
    print(f"{'all different sentences':40} {mean:6.0f} {grade:6.1f} {longest(list(every)):8}")
    return grade <= MOST_GRADE


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", action="store_true", help="print the sentences of each page")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder, 'pages.sqlite3')}"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        settings.ALLOWED_HOSTS = ["*"]
        call_command("migrate", verbosity=0)
        logging.disable()  # a line per request
        is_within_limit = report(with_sentences=options.sentences)
    sys.exit(0 if is_within_limit else 1)


if __name__ == "__main__":
    main()
