"""Reproducible random numbers: the seed determines every draw."""

from random import Random


def seeded_random(*names: str | int) -> Random:
    """Return a random generator seeded with these names. The same names always give the same draws.

    Never use these draws for secrets.
    """
    return Random("/".join(map(str, names)))  # noqa: S311 - the draws must be reproducible
