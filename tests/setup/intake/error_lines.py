"""Check an error about a study file, however it is worded: file, line and field, and the wrong values."""

from tests.support.named import assert_names


def assert_error_line(line: str, place: str, *values: str) -> None:
    """Assert that the line begins with the place, `FILE:LINE` or `FILE:LINE: field`, and names the values."""
    assert line.startswith(f"{place}: ")
    assert_names(line.removeprefix(place), *values)
    assert "\n" not in line
