"""Documents as pages show them, with the addresses of their pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from judging.core.documents.citations import Citations, SourceText
from judging.core.documents.pictures import picture_names
from judging.core.documents.plain import plain_text
from judging.core.documents.sanitising import read_document
from judging.core.documents.showing import AddressOf, show_tree
from judging.core.selectors.pictures import checksums_of_pictures
from judging.models import Picture, Study
from judging.protocol.layout import Layout, paragraphs_of
from judging.protocol.markup import Markup

_LONG: Final = 2_000
"""A document with more characters than this does not fit on a phone. A link above it leads to the answer."""
_KEPT_SECONDS: Final = 365 * 86_400


class DocumentLike(Protocol):
    """A stored document, or one that is not stored yet."""

    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def layout(self) -> str: ...
    @property
    def markup(self) -> str: ...
    @property
    def sources(self) -> Sequence[Mapping[str, Any]]: ...


@dataclass(frozen=True)
class ShownText:
    """A text in the form in which a template shows it: `html`, or plain text in a layout."""

    text: str
    layout: str
    language: str
    html: SafeString | None = None

    @property
    def paragraphs(self) -> list[str]:
        """Return the paragraphs of plain text. They are HTML if the text is."""
        safe = isinstance(self.text, SafeString)
        blocks = paragraphs_of(self.text, Layout(self.layout))
        return [mark_safe(block) for block in blocks] if safe else list(blocks)  # noqa: S308 - escaped before


@dataclass(frozen=True)
class ShownSource:
    """A source of an answer. `number` is the number in its markers."""

    number: int
    title: str
    url: str
    body: ShownText
    is_cited: bool


@dataclass(frozen=True)
class ShownDocument:
    """A document in the form in which a template shows it.

    `prefix` begins all ids, so that a page can show two documents. `level` is the level of its title.
    """

    title: str
    language: str
    level: int
    prefix: str
    body: ShownText
    plain: str
    sources: list[ShownSource] = field(default_factory=list)

    @property
    def is_long(self) -> bool:
        """Return whether the document probably does not fit on a phone."""
        return len(self.plain) > _LONG


def show_document(
    document: DocumentLike,
    study: Study,
    *,
    prefix: str = "document-",
    level: int = 1,
    language: str | None = None,
    in_console: bool = False,
) -> ShownDocument:
    """Return a document of a study as a page shows it. `language` is the study's, unless it is given."""
    markup = Markup(document.markup or study.markup)
    layout = Layout(document.layout or study.layout)
    language = study.language if language is None else language
    sources = [SourceText(**source) for source in document.sources]
    address_of = _addresses(study, _names(document.text, markup, sources), in_console=in_console)
    citations = Citations(prefix, len(sources)) if sources else None
    body = _shown(document.text, markup, layout, language, level + 1, address_of, citations)
    return ShownDocument(
        document.title,
        language,
        level,
        prefix,
        body,
        plain_text(document.text, markup),
        [
            ShownSource(
                number,
                source.title,
                source.url,
                _shown(source.text, _markup_of(source), Layout.PARAGRAPHS, language, level + 1, address_of),
                is_cited=citations is not None and number in citations.cited,
            )
            for number, source in enumerate(sources, start=1)
        ],
    )


def _markup_of(source: SourceText) -> Markup:
    return Markup(source.markup or Markup.TEXT)


def _names(text: str, markup: Markup, sources: Sequence[SourceText]) -> set[str]:
    return picture_names(text, markup).union(
        *(picture_names(source.text, _markup_of(source)) for source in sources)
    )


def _addresses(study: Study, names: set[str], *, in_console: bool) -> AddressOf:
    checksums = checksums_of_pictures(study, names)
    name = "console:picture" if in_console else "worker:picture"

    def address_of(picture: str) -> str:
        checksum = checksums.get(picture)
        return reverse(name, args=[study.slug, checksum]) if checksum else ""

    return address_of


def _shown(
    text: str,
    markup: Markup,
    layout: Layout,
    language: str,
    heading: int,
    address_of: AddressOf,
    citations: Citations | None = None,
) -> ShownText:
    if markup == Markup.TEXT:
        return ShownText(citations.linked(text) if citations else text, layout.value, language)
    tree = read_document(text, markup)
    html = show_tree(tree, heading=heading, address_of=address_of, citations=citations)
    return ShownText(text, layout.value, language, html)


def picture_response(picture: Picture) -> HttpResponse:
    """Return the bytes of a picture, unchanged. The address has the checksum, so browsers may keep it."""
    response = HttpResponse(bytes(picture.content), content_type=picture.media_type)
    response["Cache-Control"] = f"private, max-age={_KEPT_SECONDS}, immutable"
    response["Content-Disposition"] = "inline"
    return response
