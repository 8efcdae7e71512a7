"""What a command prints, beside what a page says that it prints."""

import re

import pytest

NUMBER = re.compile(r"-?\d+\.\d+")


def check_alike(printed: str, said: str, command: str) -> None:
    """The same text; but other hardware may end a number given in full by another digit."""
    assert NUMBER.split(printed) == NUMBER.split(said), command
    floats, expected = ([float(number) for number in NUMBER.findall(text)] for text in (printed, said))
    assert floats == pytest.approx(expected, rel=1e-12), command
