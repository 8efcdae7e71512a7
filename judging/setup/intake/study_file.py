"""Read the values of `SETTINGS` from `study.toml`, and check that they fit together."""

import re
from decimal import Decimal
from pathlib import Path
from string import Formatter
from typing import Any, Final
from urllib.parse import urlsplit

from judging.core.faults import Where, shown
from judging.core.languages import is_known_language
from judging.core.storable import unstorable
from judging.core.study_imports import slug_fault
from judging.core.words import as_sentence
from judging.protocol.anchor_pairs import anchors_of
from judging.protocol.platforms import platform_faults
from judging.protocol.scales import DEFAULT, is_used
from judging.protocol.settings import (
    DOCUMENTS,
    SETTINGS,
    SLUG,
    TABLES,
    UNLIMITED,
    Kind,
    Setting,
    settings_with,
)
from judging.protocol.settings.study import LANGUAGE_TAG
from judging.protocol.short_texts import texts_fault
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.paths import Paths
from judging.setup.intake.sampling import measure_fault
from judging.setup.intake.toml_table import Table

SHIPPED: Final = Path(__file__).parent / "defaults"
"""The folder of default texts. It has a folder for each language, with a file for each setting.

If the text of a setting depends on the scale, a scale can have a file of its own, named `KEY.SCALE.md`.
"""
_CENT: Final = Decimal("0.01")
_NOT_AN_ADDRESS: Final = _("This is not a web address. Write one such as https://example.org/done.")


class FieldReader:
    """Reads the settings, except those in `[documents]`, which `DocumentStream` reads.

    `fields` maps the keys of the settings to their values, and `where` maps the keys to their places.
    """

    def __init__(self, top: Table, paths: Paths) -> None:
        self.fields: dict[str, Any] = {}
        self.where: dict[str, Where] = {}
        self._top = top
        self._paths = paths

    def read(self) -> None:
        tables = {name: _table_at(self._top, name) for name in TABLES if name != "documents"}
        preset = read_setting(SETTINGS["preset"], self._top)
        for setting in settings_with(preset).values():
            if setting.table in tables and setting.kind != Kind.MARKDOWN:
                table = tables[setting.table]
                self.fields[setting.key] = preset if setting.key == "preset" else read_setting(setting, table)
                self.where[setting.key] = table.where(setting.written_key)
        for setting in SETTINGS.values():
            if setting.kind == Kind.MARKDOWN:
                self._text_or_file(setting.key)
        self._dates()
        self._unit_size(tables["units"])
        if self._top.is_table("pool") and self._top.table("pool").is_table("sample"):
            self._sample(tables["pool.sample"])
        for key, fault in platform_faults(self.fields):
            tables["platform"].fault(key, str(fault))
        for name, table in tables.items():
            if name:
                table.close()

    def _dates(self) -> None:
        opens_at, closes_at = self.fields["opens_at"], self.fields["closes_at"]
        if opens_at and closes_at and closes_at <= opens_at:
            order = _("The study closes before it opens. Set closes_at to a time after opens_at.")
            self._top.fault("closes_at", order)

    def _unit_size(self, units: Table) -> None:
        size, anchors = self.fields["unit_size"], len(anchors_of(self.fields["anchor_pairs"]))
        if size <= anchors:
            text = _(
                "A unit of {size} documents is too small for {anchors} anchors, because it has no place for "
                "other documents. Set unit_size to {least} or more, or choose fewer pairs of anchors."
            )
            units.fault("unit_size", text, size=size, anchors=anchors, least=anchors + 1)

    def _sample(self, sample: Table) -> None:
        """Check the settings of a sample, and those that a sample does not go together with."""
        if "budget" not in sample:
            text = _("The budget of the sample is missing. Say how many documents to judge, as budget = 300.")
            sample.fault("budget", text)
        if self.fields["allocation"] == "adaptive":
            text = _(
                "A sample does not go together with adaptive units, which would change the documents’ known"
                " chances. Remove the sample, or set allocation to “fixed”."
            )
            sample.fault("budget", text)
        if (fault := measure_fault(self.fields["ranked_by"])) is not None:
            text = _(
                "A sample needs a measure that is linear in gains, so set ranked_by to DCG@10, for example:"
                " {problem}."
            )
            sample.fault("budget", text, problem=fault)

    def _text_or_file(self, key: str) -> None:
        top, from_file = self._top, f"{key}_file"
        text, path = top.text(key), top.text(from_file)
        if key in top and from_file in top:
            both = _("The study file sets both {key} and {file_key}. Remove one of the two.")
            top.fault(from_file, both, key=key, file_key=from_file)
        elif from_file in top:
            self.where[key] = top.where(from_file)
            text = self._text_of(path, key, from_file)
        elif key not in top:
            scale = self.fields["scale"]
            text = shipped_text(key, self.fields["language"], scale) if is_used(key, scale) else ""
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
            source.fault(1, "", _("The file is empty. Add the text for {key}."), key=key)
        return text


def _table_at(top: Table, name: str) -> Table:
    """Return the table with a name such as `outer.inner`. The empty name stands for the top of the file."""
    table = top
    for key in filter(None, name.split(".")):
        table = table.table(key)
    return table


def shipped_text(key: str, language: str = "en", scale: str = DEFAULT) -> str:
    """Return a setting's default text in studies on a scale, or "" if it has no default text.

    The text is in the language with the tag `language` if Plumbline has a translation, otherwise in English.
    An English text for the scale is better than a text in the right language for another scale.
    """
    folders = (language.partition("-")[0].lower(), "en")
    for name in (f"{key}.{scale}.md", f"{key}.md"):
        for folder in folders:
            path = SHIPPED / folder / name
            if path.exists():
                return path.read_text(encoding="utf-8").strip()
    return ""


def is_shipped(key: str, text: object, unit_size: int, language: str, scale: str = DEFAULT) -> bool:
    """Return whether `text` is the default text of the setting `key`.

    In older studies and bundles, the default texts have the unit size instead of the field.
    """
    shipped = shipped_text(key, language, scale)
    return bool(text) and text in (shipped, shipped.replace("{documents}", str(unit_size)))


def read_document_settings(table: Table) -> dict[str, Any]:
    """Return the values of the settings in the table `[documents]`."""
    return {setting.key: read_setting(setting, table) for setting in DOCUMENTS}


def read_setting(setting: Setting, table: Table) -> Any:
    """Return the value of a setting that is not Markdown. Add a fault if the value is invalid."""
    key, default = setting.written_key, setting.default
    match setting.kind:
        case Kind.WHOLE if setting.unlimited and table.is_text(key):
            table.choice(key, (UNLIMITED,))
            return None
        case Kind.WHOLE:
            return table.whole(key, default, least=setting.least, most=setting.most)
        case Kind.NUMBER:
            return float(table.number(key, Decimal(default), least=setting.least, most=setting.most))
        case Kind.AMOUNT if setting.unlimited and table.is_text(key) and table.text(key) == UNLIMITED:
            return None
        case Kind.AMOUNT:
            return _amount(setting, table)
        case Kind.CHOICE:
            return table.choice(key, setting.options, default)
        case Kind.MOMENT:
            return table.moment(key)
        case Kind.TEXTS:
            return _texts(setting, table)
    longest = None if setting.pattern else setting.longest
    text = table.text(key, default or "", longest=longest, needed=setting.needed)
    if setting.kind == Kind.ADDRESS and text and (fault := _url_fault(text, set(setting.placeholders))):
        table.fault(key, fault)
        return ""
    if setting.pattern and not re.fullmatch(setting.pattern.regex, text):
        rule = as_sentence(setting.pattern.fault, {})
        table.fault(key, _("The value {value} is not valid: it {rule}."), value=shown(text), rule=rule)
    elif setting.pattern is LANGUAGE_TAG and not is_known_language(text):
        unknown = _("No language has the tag {tag}. Write a tag such as en or pt-BR.")
        table.fault(key, unknown, tag=shown(text))
    return text


def _texts(setting: Setting, table: Table) -> tuple[str, ...]:
    """Return a list of short texts, or the default if the table has no valid list."""
    texts = table.texts(setting.written_key)
    if texts is None:
        return tuple(setting.default)
    if (fault := texts_fault(setting, texts)) is not None:
        table.fault(setting.written_key, fault)
        return tuple(setting.default)
    return tuple(texts)


def _amount(setting: Setting, table: Table) -> Decimal | None:
    """Return an amount, or None if the setting has no default and the table has no valid amount."""
    amount = table.number(
        setting.written_key, setting.default, least=setting.least, most=setting.most, text=True
    )
    if amount is None:
        return None
    if amount != amount.quantize(_CENT):
        decimals = _("The amount {amount} has more than two decimals. Round it.")
        table.fault(setting.written_key, decimals, amount=str(amount))
    return amount.quantize(_CENT)


def read_slug(top: Table, option: str | None, folder: Path) -> str:
    """Return the slug of a study. Add a fault if the slug is not valid.

    If the command line gives no slug (`option`), use the slug in the file or else the folder's name.
    """
    written = top.text("slug", longest=SLUG.longest)
    slug = option if option is not None else written or folder.resolve().name
    if fault := slug_fault(slug):
        if option is None and not written:
            folder_name = _(
                "The file has no slug, and the folder's name {slug} cannot be used in a web address. "
                'Add slug = "…" with up to {number} letters, digits, - and _.'
            )
            fault = Sentence(folder_name, fault.values)
        top.fault("slug", fault)
    return slug


def _url_fault(url: str, placeholders: set[str]) -> Sentence | None:
    try:
        parts = urlsplit(url)
        names = {name for _, name, _, _ in Formatter().parse(url) if name is not None}
    except ValueError:
        return Sentence(_NOT_AN_ADDRESS)
    if parts.scheme not in ("http", "https") or not parts.netloc or re.search(r"[\s\x00-\x1f]", url):
        return Sentence(_NOT_AN_ADDRESS)
    unknown = [f"{{{name}}}" for name in sorted(names - placeholders)]
    allowed = [f"{{{name}}}" for name in sorted(placeholders)]
    if unknown and allowed:
        return Sentence(
            _("The placeholder {unknown} is unknown. Use only these: {allowed}."),
            {"unknown": unknown[0], "allowed": ", ".join(allowed)},
        )
    if unknown:
        return Sentence(
            _("This address cannot have placeholders. Remove {unknown}."), {"unknown": unknown[0]}
        )
    return None
