"""Parse the ids of units in exports. The id `401-0007` consists of a topic's number and a unit's number."""

import re
from typing import Final, NamedTuple

_ID: Final = re.compile(r"(.+)-(0[0-9]{3}|[1-9][0-9]{3,9})", re.ASCII | re.DOTALL)
_LARGEST_NUMBER: Final = 2**31 - 1


class UnitName(NamedTuple):
    """The parts of a unit's id: the topic's number, and the number of the unit within the topic.

    The units of a topic are counted from 1.
    """

    topic: str
    number: int


def read_unit_id(text: str) -> UnitName | None:
    """Return the parts of a unit id such as `401-0007`, or None if the text is not a unit id."""
    if not (match := _ID.fullmatch(text)):
        return None
    name = UnitName(match[1], int(match[2]))
    return name if 1 <= name.number <= _LARGEST_NUMBER else None
