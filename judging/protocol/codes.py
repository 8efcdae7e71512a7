"""Random names: pseudonyms, completion codes and the tokens in links and forms."""

import unicodedata
from random import Random
from typing import Final

_ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 characters, five bits each; 0 and O, 1 and I are left out since people copy codes by hand."""


def pseudonym(rng: Random) -> str:
    """A worker's name within one study; it says nothing about the person and is unique by constraint."""
    return "w" + _draw(rng, 8).lower()


def completion_code(rng: Random) -> str:
    """60 bits, one per completed assignment. `rng` must be `secrets.SystemRandom` outside simulations."""
    return "-".join(_draw(rng, 4) for _ in range(3))


def read_completion_code(text: str) -> str | None:
    """The code that somebody typed or pasted, as it was given out; None where it cannot be one.

    Lower case, wide letters, blanks, and missing or other dashes are all one.
    """
    typed = unicodedata.normalize("NFKC", text).upper()
    kept = "".join(
        one for one in typed if not one.isspace() and unicodedata.category(one) not in ("Pd", "Cf")
    )
    if len(kept) != 12 or not set(kept) <= set(_ALPHABET):
        return None
    return "-".join(kept[start : start + 4] for start in (0, 4, 8))


def token(rng: Random) -> str:
    """130 bits of lower-case letters and digits, always of one length."""
    return _draw(rng, 26).lower()


def _draw(rng: Random, length: int) -> str:
    return "".join(rng.choices(_ALPHABET, k=length))
