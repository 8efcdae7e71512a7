"""Dice that always fall alike: what is drawn with them can be drawn again, and is no secret."""

from random import Random


def seeded_dice(*names: str | int) -> Random:
    """The dice of these names; the same names always give the same throws. Never for secrets."""
    return Random("/".join(map(str, names)))  # noqa: S311 - to be foreseen is its purpose
