"""What a template leaves to the researcher is found in a text, and Markdown's own brackets are not."""

import pytest

from judging.protocol.placeholders import placeholders_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "We study. [Write why you are running the study.] Thanks.",
            ["[Write why you are running the study.]"],
        ),
        ("By [your name] and [Write\n  the rest, too]", ["[your name]", "[Write the rest, too]"]),
        ("[Schreiben Sie, warum.]", ["[Schreiben Sie, warum.]"]),
        (
            "Read [the long page](https://example.org/a), [this one][1] and [1].\n\n[the page]: https://a.example",
            [],
        ),
        ("- [ ] none, [x], [sic] and (see the page)", []),
        ("", []),
    ],
)
def test_placeholders(text: str, found: list[str]) -> None:
    assert placeholders_in(text) == found
