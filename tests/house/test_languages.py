"""Every sentence on a page is marked for translation, and the catalogue holds them all."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.template.defaultfilters import floatformat
from django.test import Client, override_settings
from django.utils import translation

from judging.archive.catalogue import OFFERED, export_chunks
from judging.crowd.simulation import START, Crowd, prepare, simulate
from tests.factories import make_study
from tests.house.walk import World, addresses

CATALOGUE: Final = Path("en/LC_MESSAGES/django.po")
OPEN, CLOSE = "⟦", "⟧"
ATTRIBUTES: Final = ("alt", "aria-label", "placeholder", "title")
"""Attributes that people read or hear."""
MESSAGE: Final = re.compile(r'^(msg(?:id|id_plural|str(?:\[\d\])?)) "(.*)"$')


def test_the_catalogue_holds_every_sentence_that_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(settings.BASE_DIR)
    for folder in ("judging", "evaluation", "templates", "locale"):
        shutil.copytree(
            root / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "*.pyc")
        )
    monkeypatch.chdir(tmp_path)
    with override_settings(LOCALE_PATHS=[tmp_path / "locale"]):
        call_command("makemessages", verbosity=0)
    assert (tmp_path / "locale" / CATALOGUE).read_text() == (root / "locale" / CATALOGUE).read_text(), (
        "run: python manage.py makemessages"
    )


class Words(HTMLParser):
    """Gathers what people read on a page, each with the element that holds it."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "link", "input", "br", "img", "hr", "col"}:
            self.inside.append(tag)
        self.texts += [value for name, value in attrs if name in ATTRIBUTES and value]
        if tag == "input" and dict(attrs).get("type") == "submit":
            self.texts.append(dict(attrs).get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "code", "pre"} & set(self.inside):
            self.texts.append(" ".join(data.split()))


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[None]:
    """A made-up language, British English by name, in which every translated text stands in brackets."""
    folder = tmp_path / "en_GB" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue = folder / "django.po"
    catalogue.write_text(bracketed((Path(settings.BASE_DIR) / "locale" / CATALOGUE).read_text()))
    subprocess.run(["msgfmt", "-o", folder / "django.mo", catalogue], check=True)
    with override_settings(LOCALE_PATHS=[tmp_path], LANGUAGES=[("en", "en"), ("en-gb", "en-gb")]):
        yield


def bracketed(catalogue: str) -> str:
    """Return the catalogue with every sentence translated by itself in brackets."""
    header, *entries = catalogue.split("\n\n")
    return "\n\n".join([header, *map(_bracketed, entries)])


def _bracketed(entry: str) -> str:
    texts: dict[str, list[str]] = {}
    lines, name = [], ""
    for line in entry.splitlines():
        if match := MESSAGE.match(line):
            name = match[1]
            texts[name] = [match[2]]
        elif line.startswith('"'):
            texts[name].append(line[1:-1])
        elif line.startswith("#"):
            lines.append(line)
    for name, parts in texts.items():
        if name.startswith("msgstr"):
            source = texts.get("msgid_plural", texts["msgid"]) if name.endswith("[1]") else texts["msgid"]
            text = "".join(source)
            # gettext wants the same line breaks at both ends.
            lead = "\\n" if text.startswith("\\n") else ""
            tail = "\\n" if text.endswith("\\n") else ""
            parts = [lead + OPEN + text.removeprefix("\\n").removesuffix("\\n") + CLOSE + tail]
        lines.append(f'{name} "{"".join(parts)}"')
    return "\n".join(lines)


def unmarked(html: str) -> list[str]:
    """Return the texts of a page, and the parts of them, that are not translated."""
    words = Words()
    words.feed(html)
    rest, depth = [], 0
    for text in words.texts:
        plain = ""
        for character in text:
            depth += (character == OPEN) - (character == CLOSE)
            plain += character if depth == 0 and character != CLOSE else ""
        rest.append(plain.strip())
    assert depth == 0, "a sentence in brackets ends on its page"
    return [text for text in rest if re.search(r"[^\W\d_]{3}", text)]


def test_every_sentence_of_a_page_is_translated(marked: None, world: World) -> None:
    left: dict[str, list[str]] = {}
    type(world.study).objects.update(language="en-GB")  # workers' pages follow their study, not the browser
    for name, route in addresses():
        if not name.startswith(("console:", "home", "worker:")):
            continue
        for visitor in ("admin", "worker"):
            answer = world.browser(visitor).get(
                world.address(name, route), headers={"accept-language": "en-gb"}
            )
            page = b"".join(answer).decode() if answer["Content-Type"].startswith("text/html") else ""
            if answer.status_code == 200 and (texts := unmarked(page)):
                left[f"{name} {visitor}"] = texts
    assert not left, "\n".join(f"{name}: {texts}" for name, texts in left.items())


def published(slug: str) -> dict[str, bytes]:
    """Every export of a study that a crowd judged, and what the API says of it."""
    study = make_study(slug=slug, topics=2, documents=6, judgments_per_document=3, opened=False)
    study.title = "One study"
    study.save()
    prepare(study, START)
    simulate(study, Crowd(workers=8, seed=5), START)
    made = {
        f"{what}.{form}": b"".join(export_chunks(study, what, form))
        for what, offered in OFFERED.items()
        for form in offered.formats
        if form not in {"zip", "parquet"}
    }
    client = Client(headers={"accept-language": "de"})
    client.force_login(get_user_model().objects.create_superuser(f"ada-{slug}"))
    for what in ("topics", "judgments", "gains", "units", "events"):
        made[f"api {what}"] = client.get(f"/api/v1/studies/{slug}/{what}/").content
    return {name: content.replace(slug.encode(), b"SLUG") for name, content in made.items()}


@pytest.mark.django_db
def test_a_study_is_judged_and_published_alike_in_every_language() -> None:
    languages = [("en", "en"), ("de", "de")]
    with override_settings(LANGUAGES=languages):
        plain = published("in-en")
        with translation.override("de"):
            assert str(floatformat(0.5, 1)) == "0,5", "the language is active"
            foreign = published("in-de")
    assert {name: foreign[name] for name in plain if foreign[name] != plain[name]} == {}
    assert len(plain) > 15
