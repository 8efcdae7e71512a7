"""Find the placeholders in texts for workers: words in square brackets, which a researcher must replace.

Plumbline's own templates mark what is missing in this way, such as `[Write why you are running the study.]`.
"""

import re
from typing import Final

_PLACEHOLDER: Final = re.compile(r"\[[^\[\]]*[^\W\d_][^\[\]]*\s[^\[\]]*\](?![(\[:])")
"""At least two words in square brackets. Links in Markdown begin alike, but go on after the brackets."""


def placeholders_in(text: str) -> list[str]:
    """Return the placeholders of a text in Markdown, each with its brackets and on one line."""
    return [" ".join(match.split()) for match in _PLACEHOLDER.findall(text)]
