"""What a fault of a study file carries, in whatever words: file, line and field, and the values at fault."""

from tests.support.named import assert_names


def assert_told(line: str, place: str, *values: str) -> None:
    """Assert that the line begins with the place, `FILE:LINE` or `FILE:LINE: field`, and names the values."""
    assert line.startswith(f"{place}: ")
    assert_names(line.removeprefix(place), *values)
    assert "\n" not in line
