"""The line breaks of a document are shown as its layout says, wherever its text is shown."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils.html import escape

from judging.models import Document, Participation, Study
from tests.factories import current
from tests.support.visitor import Visitor

TEXT = "    if a < b:\n        a\n\nend"
SHOWN = {
    "paragraphs": ["<p{}>if a &lt; b: a</p>", "<p{}>end</p>"],
    "lines": ["<p{}>    if a &lt; b:<br>        a</p>", "<p{}>end</p>"],
    "preformatted": [f">\n{escape(TEXT)}</pre>"],  # HTML takes the line end behind the tag
}


@pytest.mark.parametrize("layout", SHOWN)
@pytest.mark.parametrize("own", [True, False], ids=["its own", "the study's"])
def test_a_text_is_shown_in_its_layout(
    console: Client,
    enter: Callable[..., tuple[Visitor, Participation]],
    study: Study,
    layout: str,
    own: bool,
) -> None:
    Study.objects.update(layout="lines" if own else layout)
    Document.objects.update(text=TEXT, layout=layout if own else "")
    visitor, worker = enter(study, "judging")
    judged = current(worker).pool_document
    topic, document = judged.topic.number, judged.document.document_id
    understood = f"/console/studies/study/understanding/document/?topic={topic}&id={document}"
    pages = {"en": visitor.seen[-1].body.decode(), "": console.get(understood).content.decode()}
    for language, text in pages.items():
        for part in SHOWN[layout]:
            assert part.format(f' dir="auto" lang="{language}"') in text
