"""What a text must name, in whatever words it does so."""

import re


def assert_names(text: str, *values: str) -> None:
    """Assert that each value stands in the text, and not as a part of a longer word or number."""
    for value in values:
        start = r"(?<![\w.-])" if value[0].isalnum() else ""
        end = r"(?!\.?\w)" if value[-1].isalnum() else ""
        assert re.search(f"{start}{re.escape(value)}{end}", text), f"{value} is not named: {text}"


def assert_all_name(texts: list[str], *values: tuple[str, ...]) -> None:
    """Assert that there are as many texts as `values`, and that each names its own."""
    assert len(texts) == len(values), texts
    for text, named in zip(texts, values, strict=True):
        assert_names(text, *named)


def numbers_in(text: str) -> list[str]:
    """Return the numbers in a text, as they stand in it."""
    return re.findall(r"\d+(?:[.,]\d+)*", text)
