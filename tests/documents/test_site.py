"""The site of the documents: links lead somewhere, pages can be found, nothing comes from elsewhere."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.documents.conftest import build
from tests.support.tree import ROOT, tree

DOCS = ROOT / "docs"
CONFIGURATION = (ROOT / "mkdocs.yml").read_text()
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))
LOADING = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
"""Elements of which a browser loads something, each with the attribute that names it."""
LINK = re.compile(r"\]\(([^)\s]+)\)")


class Loaded(HTMLParser):
    """Collects what a browser loads to show a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the address that an element loads."""
        given = dict(attrs)
        if tag == "link" and given.get("rel") in {"canonical", "next", "prev"}:
            return
        if address := given.get(LOADING.get(tag, "")):
            self.addresses.append(address)


def test_every_page_is_in_the_navigation_once() -> None:
    """The strict build would notice a page that is missing, and not one that is there twice."""
    named = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", CONFIGURATION, re.MULTILINE)
    assert sorted(named) == PAGES


def test_every_page_is_built(site: Path) -> None:
    built = {str(path.relative_to(site)) for path in site.rglob("*.html")}
    assert built - {"404.html"} == {page.removesuffix(".md") + ".html" for page in PAGES}


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    results = []
    for page in site.rglob("*.html"):
        loaded = Loaded()
        loaded.feed(page.read_text())
        results += [f"{page.relative_to(site)}: {name}" for name in loaded.addresses if urlsplit(name).netloc]
    for sheet in site.rglob("*.css"):
        addresses = re.findall(r"url\(([^)]*)\)|@import\s+(\S+)", sheet.read_text())
        results += [
            f"{sheet.relative_to(site)}: {name}" for pair in addresses for name in pair if "//" in name
        ]
    assert not [name for name in results if "data:" not in name]


def test_lists_and_code_are_not_shown_as_text(site: Path) -> None:
    """Python-Markdown needs a blank line before a list, and four spaces before code in it."""
    paragraph = re.compile(r"<p>(?:(?!</p>).)*(?:\n(?:[-*]|\d{1,2}\.) |```)(?:(?!</p>).)*</p>", re.DOTALL)
    results = [
        f"{page.relative_to(site)}: {match[0][:200]}"
        for page in site.rglob("*.html")
        for match in paragraph.finditer(page.read_text())
    ]
    assert not results, "\n".join(results)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("A [link](nowhere.md).", "nowhere.md"),
        ("A [link](other.md#nothing).", "#nothing"),
        ("A [link](/other.md).", "absolute link"),
        ("::: plumbline_ir.nothing", "plumbline_ir.nothing"),
    ],
)
def test_a_fault_ends_the_build(fault: str, told: str, tmp_path: Path) -> None:
    configuration = small_site(tmp_path, ["index.md", "other.md"])
    (tmp_path / "docs" / "index.md").write_text(f"# A page\n\n{fault}\n")
    done = build(tmp_path / "built", configuration)
    assert done.returncode != 0
    assert told in done.stdout + done.stderr


@pytest.mark.slow
def test_a_page_outside_the_navigation_ends_the_build(tmp_path: Path) -> None:
    done = build(tmp_path / "built", small_site(tmp_path, ["index.md"]))
    assert done.returncode != 0
    assert "other.md" in done.stdout + done.stderr


def small_site(folder: Path, pages: list[str]) -> Path:
    """Write a site of two pages, with these in its navigation. Return its configuration."""
    (folder / "docs").mkdir()
    shutil.copytree(DOCS / "stylesheets", folder / "docs" / "stylesheets")
    (folder / "docs" / "index.md").write_text("# A page\n")
    (folder / "docs" / "other.md").write_text("# Another page\n")
    navigation = "nav:\n" + "".join(f"  - {page}\n" for page in pages)
    text = re.sub(r"^nav:\n(?: .*\n)+", navigation, CONFIGURATION, flags=re.MULTILINE)
    path = folder / "mkdocs.yml"
    path.write_text(text.replace("paths: [.]", f"paths: [{ROOT}]"))
    return path


def files_with_links() -> list[Path]:
    """The Markdown files outside of the site, which its build does not look at."""
    return [path for path in tree() if path.suffix == ".md" and DOCS not in path.parents]


@pytest.mark.parametrize("path", files_with_links(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_of_other_files_lead_somewhere(path: Path) -> None:
    for link in LINK.findall(path.read_text()):
        target, _, anchor = link.partition("#")
        if urlsplit(link).scheme:
            continue
        file = path.parent / target if target else path
        assert file.exists(), f"{path.name}: {link}"
        if anchor:
            assert anchor in anchors(file), f"{path.name}: {link}"


def anchors(path: Path) -> set[str]:
    """The anchors that GitHub makes of a file's headings."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_paths_of_documents_that_code_names_are_there() -> None:
    """Messages, comments and tests name documents by their path from the root of the checkout."""
    results = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in tree()
        if path.suffix in {".py", ".html", ".sh", ".yaml", ".env", ".conf", ".target", ".md", ".toml"}
        if path.name not in {"test_reach.py"}
        for name in re.findall(r"(?<![\w/.])docs/[\w/-]+\.md", path.read_text())
        if not (ROOT / name).is_file()
    ]
    assert not results, "\n".join(results)
