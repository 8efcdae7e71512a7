"""The id of a unit as exports write it, read back: topic number and the unit's number in it, `401-0007`."""

import re
from typing import Final, NamedTuple

_ID: Final = re.compile(r"(.+)-(0[0-9]{3}|[1-9][0-9]{3,9})", re.ASCII | re.DOTALL)
_LARGEST_NUMBER: Final = 2**31 - 1


class UnitName(NamedTuple):
    """What a unit's id says: the number of its topic, which is text, and its own in it, from 1."""

    topic: str
    number: int


def read_unit_id(text: str) -> UnitName | None:
    """What the id says; None where exports write no unit so."""
    if not (found := _ID.fullmatch(text)):
        return None
    name = UnitName(found[1], int(found[2]))
    return name if 1 <= name.number <= _LARGEST_NUMBER else None
