"""Documents that try to run scripts, to load something, to leave the page, or to look like the page itself.

Each has the word KEPT, which a worker must be able to read.
The shorter ones are files in `hostile_documents/`.
"""

from pathlib import Path

FOLDER = Path(__file__).with_name("hostile_documents")
MARKUP = {".html": "html", ".md": "markdown"}
LONG = "unbreakable" * 400
MADE = [
    ("html", "long words", f"<p>KEPT {LONG}</p><table><tr><td>{LONG}<td>{LONG}</table><pre>{LONG}</pre>"),
    ("html", "wide table", "<table><caption>KEPT</caption><tr>" + "<td>cell of the table" * 80 + "</table>"),
    ("html", "deep lists", "<ul><li>" * 60 + "KEPT"),
    ("html", "deep quotes", "<blockquote>" * 100 + "KEPT"),
    ("html", "deep tables", "<table><tr><td>" * 30 + "KEPT"),
    ("html", "control characters", "<p>KEPT \x01\x0b\x7f</p><scr\x0bipt>hacked=1</scr\x0bipt>"),
    (
        "html",
        "bidi",
        "<p>KEPT \u202edrawkcab\u202c \u2066open</p><bdo dir=rtl>b</bdo><p dir=rtl>abc \u202b",
    ),
    ("markdown", "deep quotes in markdown", ">" * 60 + " KEPT\n"),
]
CASES = [
    *((MARKUP[path.suffix], path.stem, path.read_text()) for path in sorted(FOLDER.iterdir())),
    *MADE,
]
"""The markup, the name and the text of each document."""
