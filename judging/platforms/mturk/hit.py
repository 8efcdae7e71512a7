"""The ExternalQuestion of a HIT on MTurk, and the qualifications that workers must have.

Source: the articles ExternalQuestion and QualificationRequirement of Amazon's MTurk API reference, read on
2026-11-25.
"""

from collections.abc import Sequence
from typing import Any, Final
from xml.etree.ElementTree import Element, SubElement, tostring

SCHEMA: Final = (
    "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"
)
_APPROVED: Final = "000000000000000000L0"
_NUMBER_APPROVED: Final = "00000000000000000040"
_LOCALE: Final = "00000000000000000071"


def external_question(address: str, *, height: int) -> str:
    """Return the XML of the question that shows `address` in a frame of `height` pixels."""
    root = Element("ExternalQuestion", xmlns=SCHEMA)
    SubElement(root, "ExternalURL").text = address
    SubElement(root, "FrameHeight").text = str(height)
    return tostring(root, encoding="unicode", xml_declaration=True)


def qualifications(
    *, approved_per_cent: int | None, approved: int | None, countries: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the qualifications that workers must have, in the format of MTurk's API.

    Workers must have at least `approved` approved assignments. At least `approved_per_cent` per cent of their
    assignments must have been approved. For both numbers, None means that there is no minimum. `countries`
    holds the two-letter codes of the allowed countries. If it is empty, all countries are allowed.
    """
    least = {_APPROVED: approved_per_cent, _NUMBER_APPROVED: approved}
    rules: list[dict[str, Any]] = [
        {"QualificationTypeId": name, "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [number]}
        for name, number in least.items()
        if number is not None
    ]
    if countries:
        allowed = [{"Country": country} for country in countries]
        rules.append({"QualificationTypeId": _LOCALE, "Comparator": "In", "LocaleValues": allowed})
    return [rule | {"ActionsGuarded": "DiscoverPreviewAndAccept"} for rule in rules]
