"""The keys of `study.toml` that are fields of the study, with their defaults (those of [T15]) and bounds."""

import re
from decimal import Decimal
from pathlib import Path
from string import Formatter
from typing import Any, Final
from urllib.parse import urlsplit

from django.core.validators import slug_re

from judging.intake.faults import Where, shown
from judging.intake.paths import Paths
from judging.intake.tables import Table, unstorable
from judging.models import ANCHORS_PER_UNIT
from judging.protocol.platform_ids import ignored_keys
from judging.protocol.signed_links import EXPIRES, SIGNATURE

SHIPPED: Final = Path(__file__).parent / "defaults"
"""The two pages of instructions that a study has unless it brings its own."""
_MOST_PAY: Final = Decimal("999999.99")
_MOST_FEE: Final = Decimal(100)
_LONGEST_URL: Final = 500
_ID_PARAMETERS: Final = ("id_parameter", "submission_parameter")
_PARAMETER: Final = re.compile(r"[A-Za-z0-9_.~-]*")


class FieldReader:
    """Reads the fields of the model; `where` gathers the line of each key that the file names."""

    def __init__(self, top: Table, paths: Paths) -> None:
        self.fields: dict[str, Any] = {}
        self.where: dict[str, Where] = {}
        self._top = top
        self._paths = paths

    def read(self) -> None:
        top = self._top
        self._keep(top, title=top.text("title", longest=200, needed=True))
        self._keep(
            top, requester=top.text("requester", longest=200), contact=top.text("contact", longest=200)
        )
        self._keep(top, seed=top.whole("seed", 0, least=-(2**63), most=2**63 - 1))
        self._keep(top, opens_at=top.moment("opens_at"), closes_at=top.moment("closes_at"))
        opens_at, closes_at = self.fields["opens_at"], self.fields["closes_at"]
        if opens_at and closes_at and closes_at <= opens_at:
            top.fault("closes_at", "is not after opens_at; mend one of the two")
        self._units(top.table("units"))
        self._checks(top.table("checks"))
        self._pay(top.table("pay"))
        self._platform(top.table("platform"))
        for key in ("information", "consent", "instructions_magnitude", "instructions_task"):
            self._text_or_file(key)
        self._keep(top, consent_version=top.text("consent_version", "1", longest=40))

    def _keep(self, table: Table, **fields: Any) -> None:
        for key, value in fields.items():
            self.fields[key] = value
            self.where[key] = table.where(key)

    def _units(self, units: Table) -> None:
        self._keep(
            units,
            unit_size=units.whole("unit_size", 8, least=ANCHORS_PER_UNIT + 1, most=100),
            judgments_per_document=units.whole("judgments_per_document", 10, least=1, most=1000),
            lapse_minutes=units.whole("lapse_minutes", 60, least=1, most=10_080),
            reservations_per_address=units.whole("reservations_per_address", 60, least=1, most=30_000),
            topic_choice=units.choice("topic_choice", ("weighted", "uniform"), "weighted"),
        )
        units.close()

    def _checks(self, checks: Table) -> None:
        seconds = checks.number("seconds_per_document", Decimal(20), least=0, most=Decimal(3600))
        self._keep(
            checks,
            seconds_per_document=float(seconds),
            anchor_ties=checks.choice("anchor_ties", ("fail", "pass"), "fail"),
            check_attempts=self._check_attempts(checks),
            practice_attempts=checks.whole("practice_attempts", 3, least=1, most=1000),
            comprehension_attempts=checks.whole("comprehension_attempts", 3, least=1, most=1000),
            visit_minutes=checks.whole("visit_minutes", 15, least=1, most=1440),
        )
        checks.close()

    def _check_attempts(self, checks: Table) -> int | None:
        if checks.is_text("check_attempts"):
            checks.choice("check_attempts", ("unlimited",))
            return None
        return checks.whole("check_attempts", 3, least=1, most=1000)

    def _amount(self, table: Table, key: str, *, most: Decimal) -> None:
        amount = table.number(key, Decimal(0), least=0, most=most, text=True)
        if amount != amount.quantize(Decimal("0.01")):
            table.fault(key, f"{amount} has more than two decimals; round it")
        self._keep(table, **{key: amount.quantize(Decimal("0.01"))})

    def _pay(self, pay: Table) -> None:
        for key in ("pay_per_unit", "pay_screened_out", "pay_cancelled"):
            self._amount(pay, key, most=_MOST_PAY)
        currency = pay.text("currency", "USD")
        if not re.fullmatch(r"[A-Z]{3}", currency):
            pay.fault("currency", f"{shown(currency)} is not three capital letters, such as USD")
        self._keep(
            pay,
            currency=currency,
            expected_minutes=pay.whole("expected_minutes", 10, least=1, most=1440),
        )
        pay.close()

    def _platform(self, platform: Table) -> None:
        self._keep(platform, platform=platform.choice("platform", ("direct", "generic"), "direct"))
        self._amount(platform, "platform_fee", most=_MOST_FEE)
        for key in _ID_PARAMETERS:
            value = platform.text(key, longest=40)
            if not _PARAMETER.fullmatch(value):
                platform.fault(key, f"{shown(value)} cannot stand in an address; use letters, digits and _")
            self._keep(platform, **{key: value})
        for key in ("completion_url", "no_work_url", "screen_out_url"):
            url = platform.text(key, longest=_LONGEST_URL)
            allowed = {"code", "submission"} if key == "completion_url" else set()
            if url and (fault := _url_fault(url, allowed)):
                platform.fault(key, fault)
                url = ""
            self._keep(platform, **{key: url})
        self._keep(platform, entry=platform.choice("entry", ("open", "invite", "signed"), "open"))
        fields = self.fields
        if fault := _entry_fault(fields):
            platform.fault("entry", fault)
        for key in ignored_keys(fields):
            platform.fault(
                key, 'has no effect with platform = "direct"; set platform = "generic", or remove this line'
            )
        if fields["platform"] == "generic" and not fields["id_parameter"]:
            platform.fault(
                "id_parameter", "is needed with this platform: the parameter that names its workers"
            )
        if fields["id_parameter"] and fields["id_parameter"] == fields["submission_parameter"]:
            platform.fault("submission_parameter", "is the same as id_parameter; name another")
        if "{submission}" in fields["completion_url"] and not fields["submission_parameter"]:
            platform.fault(
                "completion_url", "has {submission}, but no submission_parameter says where it comes from"
            )
        platform.close()

    def _text_or_file(self, key: str) -> None:
        top, from_file = self._top, f"{key}_file"
        text, path = top.text(key), top.text(from_file)
        if key in top and from_file in top:
            top.fault(from_file, f"stands beside {key}; keep one of the two")
        elif from_file in top:
            self.where[key] = top.where(from_file)
            text = self._text_of(path, key, from_file)
        elif key not in top and (SHIPPED / f"{key}.md").exists():
            text = (SHIPPED / f"{key}.md").read_text(encoding="utf-8").strip()
            text = text.replace("{unit_size}", str(self.fields["unit_size"]))
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


def read_slug(top: Table, given: str | None, folder: Path) -> str:
    """The slug: `given` on the command line, else the file's, else the name of the file's folder."""
    written = top.text("slug", longest=60)
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
    return None if slug_re.fullmatch(slug) and len(slug) <= 60 else "cannot stand in an address"


def _entry_fault(fields: dict[str, Any]) -> str | None:
    """What keeps workers from coming to a study as it says."""
    entry, platform = fields["entry"], fields["platform"]
    if entry == "invite" and platform == "generic":
        return 'is "invite", which is for platform "direct"; where a platform sends the workers, use "signed"'
    if entry == "signed" and platform == "direct":
        return 'is "signed", and there is no id to sign; set platform = "generic" and id_parameter'
    if entry == "signed" and (taken := {EXPIRES, SIGNATURE} & {fields[key] for key in _ID_PARAMETERS}):
        return (
            f'is "signed", where links have a parameter {sorted(taken)[0]} of their own; name yours otherwise'
        )
    return None


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
