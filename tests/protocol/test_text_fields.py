"""Only a word in braces is a field. What else has braces stays as it is."""

import pytest

from judging.protocol.text_fields import TEXT_FIELDS, fields_in, replace_fields


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You get {pay} for {minutes} minutes, {pay} again.", ["pay", "minutes"]),
        ("{pya} {Pay} {zahlung_für_alles} {pay2}", ["pya", "Pay", "zahlung_für_alles", "pay2"]),
        ("{} { pay } {pay now} {paid-within} {2} {pay", []),
        ('{"a": 1, "b": {"c": [2]}} and x^{2}', []),
        ("{{pay}}", ["pay"]),
        (r"\{pay} \\\{pay}", []),
        (r"\\{pay}", ["pay"]),
        ("[mail us](mailto:{contact})", ["contact"]),
        ("", []),
    ],
)
def test_fields(text: str, found: list[str]) -> None:
    assert fields_in(text) == found
    everything = replace_fields(text, lambda name: None)
    assert everything == text
    filled = replace_fields(text, lambda name: f"<{name}>")
    assert fields_in(filled) == []
    assert (filled != text) == bool(found)


def test_only_the_field_is_replaced() -> None:
    assert replace_fields(r"\\{pay}: {{minutes}} {pya}", {"pay": "1", "minutes": "{pay}"}.get) == (
        r"\\1: {{pay}} {pya}"
    )


def test_each_field_is_filled_from_a_setting_of_its_own() -> None:
    assert len({field.setting for field in TEXT_FIELDS.values()}) == len(TEXT_FIELDS)
    assert all(fields_in(field.written) == [name] for name, field in TEXT_FIELDS.items())
