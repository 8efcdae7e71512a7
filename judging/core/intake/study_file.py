"""The settings in `study.toml`: each is read as it is declared, and then those that depend on each other."""

import re
from decimal import Decimal
from pathlib import Path
from string import Formatter
from typing import Any, Final
from urllib.parse import urlsplit

from django.core.validators import slug_re

from judging.core.intake.faults import Where, shown
from judging.core.intake.paths import Paths
from judging.core.intake.tables import Table, unstorable
from judging.protocol.platforms import platform_faults
from judging.protocol.settings import SETTINGS, SLUG, TABLES, UNLIMITED, Kind, Setting

SHIPPED: Final = Path(__file__).parent / "defaults"
"""The two pages of instructions that a study has unless it brings its own."""
_CENT: Final = Decimal("0.01")


class FieldReader:
    """Reads the settings; `where` gathers the line of each key that the file names.

    That of `[documents]` is read with the documents.
    """

    def __init__(self, top: Table, paths: Paths) -> None:
        self.fields: dict[str, Any] = {}
        self.where: dict[str, Where] = {}
        self._top = top
        self._paths = paths

    def read(self) -> None:
        tables = {
            name: self._top.table(name) if name else self._top for name in TABLES if name != "documents"
        }
        for setting in SETTINGS.values():
            if setting.table in tables and setting.kind != Kind.MARKDOWN:
                table = tables[setting.table]
                self.fields[setting.key] = read_setting(setting, table)
                self.where[setting.key] = table.where(setting.key)
        for setting in SETTINGS.values():
            if setting.kind == Kind.MARKDOWN:
                self._text_or_file(setting.key)
        self._dates()
        for key, fault in platform_faults(self.fields):
            tables["platform"].fault(key, str(fault))
        for name, table in tables.items():
            if name:
                table.close()

    def _dates(self) -> None:
        opens_at, closes_at = self.fields["opens_at"], self.fields["closes_at"]
        if opens_at and closes_at and closes_at <= opens_at:
            self._top.fault("closes_at", "is not after opens_at; mend one of the two")

    def _text_or_file(self, key: str) -> None:
        top, from_file = self._top, f"{key}_file"
        text, path = top.text(key), top.text(from_file)
        if key in top and from_file in top:
            top.fault(from_file, f"stands beside {key}; keep one of the two")
        elif from_file in top:
            self.where[key] = top.where(from_file)
            text = self._text_of(path, key, from_file)
        elif key not in top:
            text = shipped_text(key, self.fields["unit_size"])
        self.where.setdefault(key, top.where(key))
        self.fields[key] = text

    def _text_of(self, path: str, key: str, from_file: str) -> str:
        faults = self._top.faults
        source = self._paths.at(path, self.where[key], from_file, faults)
        if source is None:
            return ""
        with faults.watch() as watch:
            text = source.text().strip()
            if fault := unstorable(text):
                source.fault(1, "", fault)
        if watch.clean and not text:
            source.fault(1, "", f"is empty; write the {key} into it")
        return text


def shipped_text(key: str, unit_size: int) -> str:
    """Return the text that comes with the software, for units of that size; empty if there is none."""
    path = SHIPPED / f"{key}.md"
    if not path.exists():
        return ""
    return path.read_text(encoding="utf-8").strip().replace("{unit_size}", str(unit_size))


def is_shipped(key: str, text: object, unit_size: int) -> bool:
    """Whether a text is the one that comes with the software."""
    return bool(text) and text == shipped_text(key, unit_size)


def read_setting(setting: Setting, table: Table) -> Any:
    """Return the value of a setting that is no Markdown; its default where the table has none that fits."""
    key, default = setting.key, setting.default
    match setting.kind:
        case Kind.WHOLE if setting.unlimited and table.is_text(key):
            table.choice(key, (UNLIMITED,))
            return None
        case Kind.WHOLE:
            return table.whole(key, default, least=setting.least, most=setting.most)
        case Kind.NUMBER:
            return float(table.number(key, Decimal(default), least=setting.least, most=setting.most))
        case Kind.AMOUNT:
            return _amount(setting, table)
        case Kind.CHOICE:
            return table.choice(key, setting.options, default)
        case Kind.MOMENT:
            return table.moment(key)
    longest = None if setting.pattern else setting.longest
    text = table.text(key, default or "", longest=longest, needed=setting.needed)
    if setting.kind == Kind.ADDRESS and text and (fault := _url_fault(text, set(setting.placeholders))):
        table.fault(key, fault)
        return ""
    if setting.pattern and not re.fullmatch(setting.pattern.regex, text):
        table.fault(key, f"{shown(text)} {setting.pattern.fault}")
    return text


def _amount(setting: Setting, table: Table) -> Decimal:
    amount = table.number(setting.key, setting.default, least=setting.least, most=setting.most, text=True)
    if amount != amount.quantize(_CENT):
        table.fault(setting.key, f"{amount} has more than two decimals; round it")
    return amount.quantize(_CENT)


def read_slug(top: Table, given: str | None, folder: Path) -> str:
    """The slug: `given` on the command line, else the file's, else the name of the file's folder."""
    written = top.text("slug", longest=SLUG.longest)
    slug = given if given is not None else written or folder.resolve().name
    if slug_fault(slug):
        hint = 'use up to 60 letters, digits, "-" and "_"'
        if given is not None:
            hint += " with --slug"
        elif not written:
            hint += ': the folder\'s name is taken where there is no key; add slug = "…"'
        top.fault("slug", f"{shown(slug)} cannot stand in an address; {hint}")
    return slug


def slug_fault(slug: str) -> str | None:
    """What keeps a slug from being one, or None."""
    return (
        None if slug_re.fullmatch(slug) and len(slug) <= (SLUG.longest or 0) else "cannot stand in an address"
    )


def _url_fault(url: str, placeholders: set[str]) -> str | None:
    try:
        parts = urlsplit(url)
        names = {name for _, name, _, _ in Formatter().parse(url) if name is not None}
    except ValueError:
        return "is not a well-formed address; write it like https://example.org/done"
    if parts.scheme not in ("http", "https") or not parts.netloc or re.search(r"[\s\x00-\x1f]", url):
        return "is not a web address; write it like https://example.org/done"
    if unknown := sorted(names - placeholders):
        allowed = " and ".join(f"{{{name}}}" for name in sorted(placeholders)) or "no placeholder"
        return f"holds {{{unknown[0]}}}, and {allowed} can stand there"
    return None
