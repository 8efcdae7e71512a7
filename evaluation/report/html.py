"""The report as one HTML page, with its style and figures inside."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from ..rendering import to_html
from ..text import Text, joined
from .building import Finished, Report
from .cells import printed
from .content import Drawn
from .data import Input

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b1b1b; --page: #fff; --muted: #555; --line: #ccc;
  --link: #0b4f9e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --page: #16181b; --muted: #b4b4b4; --line: #4a4d52; --link: #8ab8ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 52rem; color: var(--ink); background: var(--page);
  font: 1rem/1.55 Georgia, "Times New Roman", serif; overflow-wrap: break-word; }
h1, h2, h3, nav, table, figcaption { font-family: system-ui, sans-serif; line-height: 1.3; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
a { color: var(--link); }
nav ul { columns: 15rem; padding-left: 1.2rem; font-size: .9rem; }
nav a, .files a { display: inline-block; min-width: 24px; padding: .25rem 0; text-align: center; }
nav a { text-align: left; }
.source, .reading, .files, tfoot, caption { color: var(--muted); }
.reading { border-left: 3px solid var(--line); padding-left: .7rem; }
.table { overflow-x: auto; margin: 1rem 0 .2rem; }
table { border-collapse: collapse; font-size: .82rem; border-bottom: 1.5px solid; }
caption, tfoot td { text-align: left; padding: .3rem 0; }
thead { border-top: 1.5px solid; border-bottom: 1px solid; }
th, td { padding: .15rem .6rem; vertical-align: top; }
td { text-align: right; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: normal; }
thead th { font-weight: 600; }
small { white-space: nowrap; }
figure { margin: 1.5rem 0; }
figure img { display: block; max-width: 100%; height: auto; background: #fff; }
figcaption, .files { font-size: .85rem; }
code { overflow-wrap: anywhere; }
@media print {
  :root { --ink: #000; --page: #fff; --muted: #333; --line: #999; --link: #000; }
  body { max-width: none; font-size: 10pt; }
  nav { display: none; }
  figure, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .table { overflow: visible; }
  table { font-size: 7.5pt; }
}
"""


def to_page(report: Report, drawings: Mapping[str, bytes]) -> str:
    """Return the page. `drawings` maps the key of each figure to its SVG file."""
    title = escape(report.title)
    body = "\n".join(
        [
            f"<header><h1>{title}</h1></header>",
            *_contents(report),
            "<main>",
            *_sections(report, drawings),
            *_missing(report),
            *_methods(report),
            "</main>",
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _contents(report: Report) -> Iterator[str]:
    yield '<nav aria-label="Contents"><ul>'
    for section, _ in report.sections:
        yield f'<li><a href="#{section.key}">{escape(str(section.title))}</a></li>'
    if report.missing:
        yield '<li><a href="#missing">Not in this report</a></li>'
    yield '<li><a href="#methods">Methods</a></li>'
    yield "</ul></nav>"


def _sections(report: Report, drawings: Mapping[str, bytes]) -> Iterator[str]:
    for section, parts in report.sections:
        yield f'<section id="{section.key}"><h2>{escape(str(section.title))}</h2>'
        for finished in parts:
            if finished:
                yield from _part(section.key, finished, drawings)
        if not any(parts):
            yield "<p>This study has no data for this section."
            yield '<a href="#missing">Read what is missing</a>.</p>'
        yield "</section>"


def _part(section: str, finished: Finished, drawings: Mapping[str, bytes]) -> Iterator[str]:
    part, content = finished.part, finished.content
    yield f'<h3 id="{section}-{part.key}">{escape(str(part.title))}</h3>'
    source = f'<span class="source">({escape(part.source)})</span>'
    yield f'<p class="reading">{escape(str(finished.reading))} {source}</p>'
    yield from _paragraph(content.sentences)
    for figure in content.figures:
        yield from _figure(figure, drawings[figure.key])
    for numbers in content.tables:
        yield from _paragraph(numbers.sentences)
        caption = str(numbers.caption)
        if numbers.most:
            yield f'<div class="table" tabindex="0" role="region" aria-label="{escape(caption)}">'
            yield to_html(printed(numbers))
            yield "</div>"
        yield from _files("table", numbers.key, caption, ("csv", "tex") if numbers.most else ("csv",))


def _paragraph(sentences: Sequence[Text]) -> Iterator[str]:
    if sentences:
        yield f"<p>{escape(joined(sentences))}</p>"


def _figure(drawn: Drawn, svg: bytes) -> Iterator[str]:
    source = f"data:image/svg+xml;base64,{b64encode(svg).decode()}"
    caption = str(drawn.caption)
    alt = f"{caption}. {joined(drawn.alt)}"
    yield f'<figure><img src="{source}" alt="{escape(alt)}">'
    yield f"<figcaption>{escape(caption)}.</figcaption></figure>"
    yield from _files("figure", drawn.key, caption, ("svg", "pdf", "csv"))


def _files(kind: str, key: str, caption: str, forms: tuple[str, ...]) -> Iterator[str]:
    links = ", ".join(
        f'<a href="{kind}s/{key}.{form}" aria-label="{escape(caption)}, {kind} as {form}">{form}</a>'
        for form in forms
    )
    what = escape(caption) if kind == "table" and forms == ("csv",) else f"This {kind}"
    yield f'<p class="files">{what} as {links}</p>'


def _missing(report: Report) -> Iterator[str]:
    if report.missing:
        yield '<section id="missing"><h2>Not in this report</h2><ul>'
        yield from (f"<li><b>{escape(title)}</b>: {escape(reason)}</li>" for title, reason in report.missing)
        yield "</ul></section>"


def _methods(report: Report) -> Iterator[str]:
    yield '<section id="methods"><h2>Methods</h2>'
    yield f"<p>{escape(' '.join(report.methods))}</p>"
    if report.data.inputs:
        yield '<div class="table" tabindex="0" role="region" aria-label="Inputs"><table>'
        yield "<caption>Inputs and their checksums (SHA-256)</caption>"
        heads = "".join(f'<th scope="col">{name}</th>' for name in ("input", "content", "rows", "SHA-256"))
        yield f"<thead><tr>{heads}</tr></thead><tbody>"
        yield from map(_input, report.data.inputs)
        yield "</tbody></table></div>"
    yield "</section>"


def _input(given: Input) -> str:
    return (
        f'<tr><th scope="row">{escape(given.name)}</th><td>{escape(given.what)}</td><td>{given.rows}</td>'
        f"<td><code>{given.sha256}</code></td></tr>"
    )
