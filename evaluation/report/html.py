"""The report as one HTML page, with its style and figures inside."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Final

from ..rendering import to_html
from ..text import Text, joined
from .building import Finished, Report
from .cells import printed
from .content import RESULT
from .parameters import Input
from .parts import Section

ANSWER: Final = "The answer in one table"

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
.answer { font-size: 1.25rem; font-weight: 600; }
.caution { border-left: 3px solid #b00020; padding-left: .7rem; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .2rem 1rem; }
dt { font-family: system-ui, sans-serif; font-weight: 600; }
dd { margin: 0; }
nav ul ul { columns: 1; }
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
  nav, #contents { display: none; }
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
            "<main>",
            *_first_page(report, drawings),
            *_contents(report),
            *(line for section, parts in report.sections for line in _section(section, parts, drawings)),
            *_missing(report),
            *_inputs(report),
            "</main>",
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _contents(report: Report) -> Iterator[str]:
    yield '<h2 id="contents">Contents</h2>'
    yield '<nav aria-labelledby="contents"><ul>'
    for section, parts in report.sections:
        appendix = "Appendix: " if section.is_appendix else ""
        yield f'<li><a href="#{section.key}">{appendix}{escape(str(section.title))}</a><ul>'
        for finished in filter(None, parts):
            yield f'<li><a href="#{finished.part.key}">{escape(str(finished.part.title))}</a></li>'
        yield "</ul></li>"
    if report.missing:
        yield '<li><a href="#missing">Not in this report</a></li>'
    if report.data.inputs or report.data.settings:
        yield '<li><a href="#inputs">Inputs and settings</a></li>'
    yield "</ul></nav>"


def _first_page(report: Report, drawings: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the answer, the study in ten lines, and the paragraph on methods."""
    if (result := report.result) is not None:
        yield '<section id="answer"><h2>The answer</h2>'
        yield from (f'<p class="caution">{escape(str(text))}</p>' for text in result.cautions)
        yield f'<p class="answer">{escape(str(result.sentence))}</p>'
        if RESULT in drawings:
            yield from _figure(RESULT, "The means of the runs", str(result.sentence), drawings[RESULT])
        yield f'<div class="table" tabindex="0" role="region" aria-label="{escape(ANSWER)}">'
        yield to_html(replace(result.to_table(), caption=ANSWER))
        yield "</div>"
        yield '<p class="files">The answer as <a href="summary.json">json</a>, '
        yield f'<a href="tables/{RESULT}.tex" aria-label="{escape(ANSWER)}, table as tex">tex</a></p>'
        yield "</section>"
    yield '<section id="study"><h2>The study in ten lines</h2><dl>'
    for name, text in report.study:
        yield f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>"
    yield "</dl></section>"
    yield f'<section id="methods"><h2>Methods</h2><p>{escape(" ".join(report.methods))}</p></section>'


def _section(section: Section, parts: Sequence[Finished], drawings: Mapping[str, bytes]) -> Iterator[str]:
    appendix = "Appendix: " if section.is_appendix else ""
    yield f'<section id="{section.key}"><h2>{appendix}{escape(str(section.title))}</h2>'
    for finished in filter(None, parts):
        yield from _part(finished, drawings)
    if not any(parts):
        yield "<p>This study has no data for this section."
        yield '<a href="#missing">Read what is missing</a>.</p>'
    yield "</section>"


def _part(finished: Finished, drawings: Mapping[str, bytes]) -> Iterator[str]:
    part, content = finished.part, finished.content
    yield f'<h3 id="{part.key}">{escape(str(part.title))}</h3>'
    source = f'<span class="source">({escape(part.source)})</span>'
    yield f'<p class="reading">{escape(str(finished.reading))} {source}</p>'
    yield from _paragraph(content.sentences)
    for figure in content.figures:
        yield from _figure(figure.key, str(figure.caption), joined(figure.alt), drawings[figure.key])
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


def _figure(key: str, caption: str, alt: str, svg: bytes) -> Iterator[str]:
    source = f"data:image/svg+xml;base64,{b64encode(svg).decode()}"
    yield f'<figure><img src="{source}" alt="{escape(f"{caption}. {alt}")}">'
    yield f"<figcaption>{escape(caption)}.</figcaption></figure>"
    yield from _files("figure", key, caption, ("svg", "pdf", "csv"))


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


def _inputs(report: Report) -> Iterator[str]:
    """Yield the appendix of the inputs with their checksums, and of the settings of the study."""
    if not (report.data.inputs or report.data.settings):
        return
    yield '<section id="inputs"><h2>Inputs and settings</h2>'
    if report.data.settings:
        yield "<dl>"
        for name, value in report.data.settings.items():
            yield f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>"
        yield "</dl>"
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
