"""Read the sources of an answer: a JSON list in a record of documents."""

import json
from typing import Final

from judging.core.documents.citations import SOURCE_FIELDS, SourceText
from judging.core.faults import shown
from judging.core.storable import unstorable
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.layouts import markup_fault

_NEEDED: Final = ("title", "text")


def read_sources(source: SourceFile, line: int, text: str) -> tuple[SourceText, ...]:
    """Return the sources in a record. Add a fault for the first invalid one, and return no sources then."""
    if not text.strip():
        return ()
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        listed = None
    if not isinstance(listed, list):
        source.fault(line, "sources", _("The sources are not a JSON list. Write a list of objects."))
        return ()
    sources = []
    for number, values in enumerate(listed, start=1):
        if fault := _fault(values):
            numbered = _("Source {number}: {fault}")
            source.fault(line, "sources", Sentence(numbered, {"number": number, "fault": fault}))
            return ()
        sources.append(SourceText(**({"id": str(number)} | values)))
    return tuple(sources)


def _fault(values: object) -> Sentence | None:
    """Return why a source is invalid, or None."""
    if not isinstance(values, dict):
        return Sentence(_("This is not an object. Write an object with a title and a text."))
    if unknown := sorted(values.keys() - set(SOURCE_FIELDS)):
        fields = ", ".join(SOURCE_FIELDS)
        return Sentence(
            _("The key {key} is unknown. Use only these: {fields}."),
            {"key": shown(unknown[0]), "fields": fields},
        )
    for name, value in values.items():
        if not isinstance(value, str):
            return Sentence(_("{key} is not text. Write it in quotes."), {"key": name})
        if fault := unstorable(value):
            return fault
    for name in _NEEDED:
        if not values.get(name, "").strip():
            return Sentence(_("{key} is missing. Add it."), {"key": name})
    return markup_fault(values.get("markup", ""))
