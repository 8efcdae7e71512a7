"""The fields in a study's texts say what its settings say, in the study's language."""

from decimal import Decimal

import pytest
from django.utils import translation

from judging.core.selectors.texts import field_value, fill_fields, unfinished_texts
from judging.models import Study
from judging.protocol.text_fields import TEXT_FIELDS
from judging.templatetags.markup import worker_text

SETTINGS = {
    "pay_per_unit": Decimal("1234.50"),
    "paid_within": 7,
    "expected_minutes": 12,
    "lapse_minutes": 60,
    "unit_size": 8,
    "requester": "A *university*",
    "contact": "ada_lovelace@example.org",
}


def filled(text: str, **settings: object) -> str:
    return fill_fields(text, Study(**(SETTINGS | settings)))


def test_every_field_has_a_value_where_its_setting_has_one() -> None:
    study = Study(**SETTINGS)
    assert {field.key for field in TEXT_FIELDS.values()} == SETTINGS.keys()
    assert all(field_value(name, study) for name in TEXT_FIELDS)
    assert filled("{paid_within} {minutes} {time_limit} {documents}") == "7 12 60 8"


@pytest.mark.parametrize(
    ("language", "amount"),
    [
        ("en", "1,234.50 EUR"),
        ("de", "1.234,50 EUR"),
        ("de-AT", "1.234,50 EUR"),
        ("nl", "1.234,50 EUR"),
        ("quc", "1234.50 EUR"),
        ("x" * 8, "1234.50 EUR"),
    ],
)
def test_amounts_are_written_as_in_the_language_of_the_text(language: str, amount: str) -> None:
    with translation.override("es"):
        assert filled("{pay}", currency="EUR", language=language) == amount


def test_names_are_no_markdown() -> None:
    text = "{requester} <{contact}> [{contact}](mailto:{contact})"
    html = worker_text(text, Study(**SETTINGS))
    assert "A *university*" in html
    assert '<a href="mailto:ada_lovelace@example.org">ada_lovelace@example.org</a>' in html
    for name in ("1. FC", "# one", "- two", "<b>", "`x`", "a | b", "{pay}", "&lt;", r"\{x}", "***", "---"):
        shown = worker_text("{requester}", Study(requester=name))
        escaped = name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        assert shown == f"<p>{escaped}</p>\n"


def test_a_word_in_braces_can_be_shown() -> None:
    assert worker_text(r'Write \{pay} or {"pay": 1}', Study()) == (
        "<p>Write {pay} or {&quot;pay&quot;: 1}</p>\n"
    )


def test_a_field_without_a_value_stays_and_is_a_fault() -> None:
    study = Study(information="{pay} {requester} {pya}", consent="{minutes}", expected_minutes=5)
    assert fill_fields(study.information, study) == study.information
    faults = unfinished_texts(study)
    assert [fault.key for fault in faults] == ["information"] * 3
    for fault, parts in zip(
        faults,
        (("{pay}", "pay_per_unit"), ("{requester}",), ("{pya}", r"\{pya}", "{time_limit}")),
        strict=True,
    ):
        assert all(part in fault.sentence for part in parts)
    study.information = "Free."
    assert unfinished_texts(study) == []
