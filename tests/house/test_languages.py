"""Every sentence on a page is marked for translation, and a release has them all in its catalogues."""

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import chdir
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import django
import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction
from django.template.defaultfilters import floatformat
from django.test import Client, override_settings
from django.utils import translation

from evaluation.papers.catalogue import PAPERS
from evaluation.papers.paper import Paper
from judging.archive.catalogue import OFFERED, export_chunks
from judging.core.selectors.texts import fill_fields
from judging.crowd.simulation import START, Crowd, prepare, simulate
from judging.models import Study
from judging.protocol.settings import SETTINGS
from judging.protocol.text_fields import fields_in
from judging.setup.intake.readers.document_files import FORMATS as DOCUMENT_FORMATS
from judging.setup.intake.readers.grades import LEVELS
from judging.setup.intake.study_file import shipped_text
from judging.setup.intake.topics import TOPIC_FORMATS
from judging.templatetags.markup import markdown
from judging.understanding.reports.catalogue import FORMATS, MEASURES
from tests.factories import make_study
from tests.house.walk import World, addresses

CATALOGUE: Final = Path("en/LC_MESSAGES/django.po")
OPEN, CLOSE = "⟦", "⟧"
ATTRIBUTES: Final = ("alt", "aria-label", "placeholder", "title")
"""Attributes that people read or hear."""
WORD: Final = re.compile(r"[^\W\d_]{3}")
MESSAGE: Final = re.compile(r'^(msg(?:id|id_plural|str(?:\[\d\])?)) "(.*)"$')


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `locale` as `makemessages` writes it from the sources of now."""
    folder = tmp_path_factory.mktemp("sources")
    for name in ("judging", "evaluation", "templates", "locale"):
        shutil.copytree(
            Path(settings.BASE_DIR) / name,
            folder / name,
            ignore=shutil.ignore_patterns("__pycache__", "*.pyc"),
        )
    with chdir(folder), override_settings(LOCALE_PATHS=[folder / "locale"]):
        call_command("makemessages", verbosity=0)
    return folder / "locale"


def test_a_release_has_every_sentence_in_its_catalogues(collected: Path) -> None:
    """Between releases the catalogues may be old, so that branches do not conflict in their long lists."""
    stored = Path(settings.LOCALE_PATHS[0])
    catalogues = [path.relative_to(stored) for path in stored.rglob("*.po")]
    assert catalogues
    old = [path for path in catalogues if (stored / path).read_text() != (collected / path).read_text()]
    assert not is_release() or not old, "run: python3 manage.py makemessages"


LANGUAGES: Final = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
NAMES: Final = re.compile(r"\{\w*\}|%\(\w+\)s|</?[a-z]+")
"""Placeholders and tags, which a translation keeps."""


def is_release() -> bool:
    """Whether the changelog says that its newest version has been released."""
    changelog = (Path(settings.BASE_DIR) / "CHANGELOG.md").read_text()
    newest = next(line for line in changelog.splitlines() if line.startswith("## "))
    return "not released" not in newest


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_placeholders_and_are_compiled(language: str) -> None:
    folder = Path(settings.LOCALE_PATHS[0], translation.to_locale(language), "LC_MESSAGES")
    with (folder / "django.po").open("rb") as file:
        entries = [entry for entry in read_po(file) if entry.id]
    translated = [entry for entry in entries if all(texts(entry.string))]
    assert translated
    # Between releases, a new sentence needs English only.
    assert not is_release() or len(translated) == len(entries), "translate every sentence before a release"
    assert [entry.id for entry in entries if entry.fuzzy] == []
    forms = {texts(entry.id): texts(entry.string) for entry in translated}
    for source, strings in forms.items():
        for text in strings:
            names = set(NAMES.findall(text))
            assert names <= {name for form in source for name in NAMES.findall(form)}, text
        # One form of a plural can say its number in words; the last one cannot.
        assert set(NAMES.findall(strings[-1])) == set(NAMES.findall(source[-1])), source
    with (folder / "django.mo").open("rb") as compiled:
        stored = {texts(entry.id): texts(entry.string) for entry in read_mo(compiled) if entry.id}
    assert stored == forms, "run: python manage.py makemessages"


def texts(message: str | Sequence[str]) -> tuple[str, ...]:
    """All forms of a message."""
    return (message,) if isinstance(message, str) else tuple(message)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_instructions_of_its_own(language: str) -> None:
    for key in ("instructions_magnitude", "instructions_task"):
        text = shipped_text(key, language)
        assert text != shipped_text(key)
        assert fields_in(text) == fields_in(shipped_text(key))


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
def marked(collected: Path, tmp_path: Path) -> Iterator[None]:
    """A made-up language, British English by name, in which every translated text stands in brackets."""
    folder = tmp_path / "en_GB" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue = folder / "django.po"
    catalogue.write_text(bracketed((collected / CATALOGUE).read_text()))
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
    return [text for text in rest if WORD.search(text)]


def _items(paper: Paper) -> Iterator[str]:
    """Yield the names of a paper's items, such as Table 3."""
    return (item.name for item in paper.items)


def data_of(world: World) -> list[str]:
    """Return what pages show and nobody translates, the longest first: stored texts and published names."""
    rows = [row for model in apps.get_models() for row in model._base_manager.values_list()]
    stored = {str(leaf) for row in rows for value in row for leaf in leaves(value)}
    # A study's texts are its own, also those that it gets if none are typed.
    stored |= {
        fill_fields(shipped_text(name), Study(unit_size=size))
        for name in SETTINGS
        if name.startswith("instructions")
        for size in (world.study.unit_size, SETTINGS["unit_size"].default)
    }
    lines = {line for text in stored for line in [*text.splitlines(), *unmarked(markdown(text))]}
    lines |= {" ".join(text.split()) for text in stored}
    names = {
        *OFFERED,
        *FORMATS,
        *DOCUMENT_FORMATS,
        *TOPIC_FORMATS,
        *LEVELS,
        *MEASURES,
        *(name for paper in PAPERS.values() for name in (paper.citation, paper.title, *_items(paper))),
        "drop",
        "pool.txt",
        "topics.txt",
        "qrels.txt",
        "all",
        "beir/scifact/test",
    }
    names |= {"Plumbline", "TREC", "Cranfield", "magnitudes", "utf-8", " bytes", " rem"}
    names |= {f"http://testserver/s/study/resume/{world.worker.token}", "http://testserver"}
    names |= {"study-copy"}  # what a copy of the study is called in addresses
    names |= {form for offered in OFFERED.values() for form in offered.formats}
    names |= {option for setting in SETTINGS.values() for option in setting.options}
    return sorted(filter(WORD.search, stored | lines | names), key=len, reverse=True)


def leaves(value: object) -> Iterator[object]:
    """Yield the single values of a stored one, which can be a list or a dict."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from leaves(part)
    else:
        yield value


def of_django() -> re.Pattern[str]:
    """Return a pattern of Django's own English sentences, which its catalogues translate."""
    texts = {"Username"}
    for app in ("conf", "contrib/auth"):
        source = (Path(django.__file__).parent / app / "locale" / CATALOGUE).read_text()
        matches = re.findall(r'^msg(?:id|id_plural) ((?:".*"\n)+)', source, re.MULTILINE)
        texts |= {"".join(line[1:-1] for line in lines.splitlines()) for lines in matches} - {""}
    places = (re.sub(r"%(\\\([a-z_]+\\\))?[sd]", ".+", re.escape(text)) for text in texts)
    return re.compile("|".join(places))


def without(text: str, data: list[str]) -> str:
    """Return a text without the data in it."""
    for known in data:
        text = text.replace(known, "")
    return text


class Forms(HTMLParser):
    """Gathers the forms of a page that are posted: the address of each, and its fields with their values."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.typed: set[str] = set()
        """The fields that people type in."""
        self._is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = dict(attrs)
        name, value = of.get("name"), of.get("value") or ""
        if tag == "form":
            self._is_inside = (of.get("method") or "").lower() == "post"
            if self._is_inside:
                self.forms.append((of.get("action") or "", {}))
        if not (self._is_inside and name):
            return
        fields = self.forms[-1][1]
        kind = of.get("type") or "text"
        if tag == "textarea" or (
            tag == "input" and kind in {"text", "number", "email", "password", "search", "url"}
        ):
            fields[name] = value
            self.typed.add(name)
        elif tag in {"select", "button"} or kind in {"hidden", "radio"}:
            fields.setdefault(name, value)

    def handle_endtag(self, tag: str) -> None:
        self._is_inside = self._is_inside and tag != "form"


NONSENSE: Final = ("", "0", "-1e999", "…" * 300)
"""What is typed into every field of a form, one after the other."""


def faulty_answers(world: World, visitor: str, address: str, html: str) -> Iterator[tuple[str, str]]:
    """Yield what each form of a page answers to nonsense: where and what; nothing that it does stays done."""
    page = Forms()
    page.feed(html)
    for action, fields in page.forms:
        for typed in NONSENSE:
            values = {name: typed if name in page.typed else value for name, value in fields.items()}
            with transaction.atomic():
                answer = world.browser(visitor).post(
                    urljoin(address, action), values, follow=True, headers={"accept-language": "en-gb"}
                )
                transaction.set_rollback(True)
            if answer.status_code != 404 and answer["Content-Type"].startswith("text/html"):
                yield f"{action or address} {typed[:9]}", answer.content.decode()


def test_every_sentence_of_a_page_is_translated(marked: None, world: World) -> None:
    # Workers, and previews of drafts, read its language, whatever the browser asks for.
    Study.with_hidden.update(language="en-GB")
    data, djangos = [*data_of(world), *filter(WORD.search, NONSENSE)], of_django()
    left: dict[str, set[str]] = {}
    for name, route in addresses():
        if name.startswith(("api:", "admin:")):
            continue
        for visitor in ("admin", "worker"):
            address = world.address(name, route)
            answer = world.browser(visitor).get(address, headers={"accept-language": "en-gb"})
            if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
                continue
            html = b"".join(answer).decode()
            pages = [("", html), *faulty_answers(world, visitor, address, html)]
            for place, shown in pages:
                texts = {
                    text
                    for text in unmarked(shown)
                    if not djangos.fullmatch(text) and WORD.search(without(text, data))
                }
                left.setdefault(f"{name} {visitor} {place}", set()).update(texts)
    assert len(left) > 300, "the forms were answered too"
    assert not any(left.values()), "\n".join(f"{name}: {texts}" for name, texts in left.items() if texts)


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
