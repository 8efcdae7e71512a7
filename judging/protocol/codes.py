"""Random pseudonyms, completion codes, and tokens in links and forms."""

import unicodedata
from random import Random
from typing import Final

_ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 characters, so each carries five bits. People copy codes by hand, so 0, O, 1 and I are left out."""


def pseudonym(rng: Random) -> str:
    """Return a random name for a worker. A database constraint ensures that it is unique within the study."""
    return "w" + _draw(rng, 8).lower()


def completion_code(rng: Random) -> str:
    """Return a random code of 60 bits for a completed assignment.

    `rng` must be `secrets.SystemRandom` outside simulations.
    """
    return "-".join(_draw(rng, 4) for group in range(3))


def read_completion_code(text: str) -> str | None:
    """Return a typed or pasted completion code in its original form.

    Return None if the text cannot be a completion code.
    Case, full-width letters, spaces, and missing or different dashes do not matter.
    """
    typed = unicodedata.normalize("NFKC", text).upper()
    code = "".join(
        character
        for character in typed
        if not character.isspace() and unicodedata.category(character) not in ("Pd", "Cf")
    )
    if len(code) != 12 or not set(code) <= set(_ALPHABET):
        return None
    return "-".join(code[start : start + 4] for start in (0, 4, 8))


def token(rng: Random) -> str:
    """Return a random token of 130 bits: 26 lower-case letters and digits."""
    return _draw(rng, 26).lower()


def _draw(rng: Random, length: int) -> str:
    return "".join(rng.choices(_ALPHABET, k=length))
