"""The summary of what is wrong with a form, as a page shows it."""

import re
from html import unescape

from tests.support.html import compact


def problems_in(text: str) -> list[tuple[str, str]]:
    """Return the id of the field and the message of each problem of a page.

    Fails if the title does not say that there are any, or if a link leads to a field that is not there.
    """
    text = compact(text)
    summary = text.partition('id="problems"')[2].partition("</ul>")[0]
    matches = re.findall(r'<li>(?:<a href="#([^"]*)">)?([^<]*)', summary)
    assert ("<title>Error: " in text) == bool(matches)
    for field, _ in matches:
        assert not field or f'id="{field}"' in text, field
    return [(field, unescape(message)) for field, message in matches]
