"""Warnings about anchors that disagree with known grades. Such anchors are allowed if a reason is given."""

from collections.abc import Mapping

from judging.protocol.anchor_pairs import Anchor
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

NO_GRADE = "–"


def anchor_warning(
    *, topic: str, anchor: Anchor, document: str, graded: Mapping[str, str], reason: str
) -> Sentence | None:
    """Return a warning about an anchor, or None if all sets of known grades agree with it.

    `graded` maps the name of each set of grades to its grade for the document. The grade
    is "" if the set does not grade the document.
    """
    differing = {name: grade for name, grade in graded.items() if grade != anchor.grade}
    if not differing:
        return None
    values = {
        "topic": topic,
        "document": document,
        "anchor": anchor.value,
        "grades": ", ".join(f"{name}: {grade or NO_GRADE}" for name, grade in differing.items()),
    }
    if reason:
        text = _(
            "Topic {topic}: document {document} is the {anchor} anchor, but these known grades do not"
            " support that choice: {grades}. Reason for the choice: {reason}"
        )
        return Sentence(text, {**values, "reason": reason})
    text = _(
        "Topic {topic}: document {document} is the {anchor} anchor, but these known grades do not"
        " support that choice: {grades}. The study gives no reason for the choice."
    )
    return Sentence(text, values)
