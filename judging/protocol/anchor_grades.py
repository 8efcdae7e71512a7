"""Anchors whose known grades are not those they stand for: allowed, with a reason, and always said."""

from collections.abc import Mapping


def anchor_warning(
    *, topic: str, anchor: str, document: str, graded: Mapping[str, str], reason: str
) -> str | None:
    """Return what to say of an anchor, or None if no set of grades disagrees.

    `graded`: name of a set of grades → its grade of the document; empty where the set has none.
    """
    differing = {name: grade for name, grade in graded.items() if grade != anchor}
    if not differing:
        return None
    found = " and ".join(
        f"{name} grades it {grade}" if grade else f"{name} has no grade for it"
        for name, grade in differing.items()
    )
    why = f"Reason: {reason}" if reason else "No reason is given."
    return f"Topic {topic}: {document} is its {anchor} anchor, but {found}. {why}"
