"""Check the documents that a study uses: their markup, their pictures, and the citations of answers."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from judging.core.documents.citations import cited_numbers
from judging.core.documents.pictures import lost_parts, picture_names
from judging.core.documents.plain import texts_of
from judging.core.documents.sanitising import is_too_deep, read_document
from judging.core.faults import Faults, shown
from judging.limits import PICTURE_MEGABYTES
from judging.protocol.markup import Markup, picture_type
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import DocumentContent, PictureContent
from judging.setup.intake.file_names import plain_name

_MOST_NAMED: Final = 10
"""The maximum number of notices about parts that pages cannot show."""
_MORE: Final = ngettext_noop(
    "{number} more part of a document is shown as a placeholder.",
    "{number} more parts of documents are shown as placeholders.",
)


class MarkedDocuments:
    """Checks documents one by one, finds their pictures, and collects what pages cannot show.

    The name of a picture is a path that starts in the folder of the document's file. In a set-up, uploads
    have no folders, so if `is_set_up` is true, the last part of the name is enough. `pictures` maps the names
    to the pictures.
    """

    def __init__(self, faults: Faults, *, is_set_up: bool) -> None:
        self.pictures: dict[str, PictureContent] = {}
        self._faults = faults
        self._is_set_up = is_set_up
        self._refused: set[Path] = set()
        self._lost: list[Sentence] = []

    def check(self, document: DocumentContent, default: str) -> None:
        """Add the faults and the pictures of a document. `default` is the markup of the study."""
        texts = texts_of(document, document.sources, default)
        if not self._is_readable(document, texts):
            return
        self._check_citations(document, texts[0][1])
        for text, kind in texts:
            found = {name for name in picture_names(text, kind) if self._find(document, name)}
            for lost in lost_parts(text, kind, found):
                values = {"place": str(document.where), "lost": lost.sentence(document.id)}
                self._lost.append(Sentence("{place}: {lost}", values))

    def notices(self) -> Iterator[Sentence]:
        """Yield a notice for each of the first parts that pages cannot show, and the number of the others."""
        yield from self._lost[:_MOST_NAMED]
        if len(self._lost) > _MOST_NAMED:
            yield Sentence(_MORE[0], {"number": len(self._lost) - _MOST_NAMED}, _MORE[1])

    def _is_readable(self, document: DocumentContent, texts: list[tuple[str, Markup]]) -> bool:
        for text, markup in texts:
            if is_too_deep(text, markup):
                fault = _(
                    "The text has too many lists, quotes or other elements inside each other. Simplify it."
                )
            elif markup != Markup.TEXT and not read_document(text, markup).has_content:
                fault = _("A page would show nothing of this text. Correct the text, or remove the document.")
            else:
                continue
            self._faults.add(document.where, "text", fault)
            return False
        return True

    def _check_citations(self, document: DocumentContent, markup: Markup) -> None:
        number = len(document.sources)
        if not number:
            return
        wrong = [cited for cited in cited_numbers(document.text, markup) if not 1 <= cited <= number]
        if wrong:
            text = _(
                "The answer cites source {cited}, but the number of its sources is {number}. Correct the"
                " marker, or add the source."
            )
            self._faults.add(document.where, "text", text, cited=str(wrong[0]), number=number)

    def _find(self, document: DocumentContent, name: str) -> bool:
        """Return whether the picture exists. Add it, or a fault if pages cannot show it."""
        path = self._path(Path(document.where.file).parent, name)
        if path is None:
            return False
        if name in self.pictures and self.pictures[name].path == path:
            return True
        if path in self._refused:
            return True
        if fault := picture_fault(path):
            self._refused.add(path)
            self._faults.add(document.where, "text", fault)
            return True
        picture = PictureContent(name, path, sha256(path.read_bytes()).hexdigest(), document.where)
        known = self.pictures.setdefault(name, picture)
        if known.sha256 != picture.sha256:
            text = _(
                "The picture {name} is another one than in {place}. Give the two pictures different names."
            )
            self._faults.add(document.where, "text", text, name=shown(name), place=str(known.where))
        return True

    def _path(self, folder: Path, name: str) -> Path | None:
        """Return the path of a picture in the folder of its document, or None."""
        places = [folder / name, folder / plain_name(name)] if self._is_set_up else [folder / name]
        for place in places:
            try:
                if place.is_file() and place.resolve().is_relative_to(folder.resolve()):
                    return place
            except (OSError, RuntimeError, ValueError):  # the name is too long, or links form a loop
                continue
        return None


def picture_fault(path: Path) -> Sentence | None:
    """Return why a file cannot be shown as a picture, or None."""
    values = {"name": path.name, "number": PICTURE_MEGABYTES}
    try:
        with path.open("rb") as file:
            content = file.read((PICTURE_MEGABYTES << 20) + 1)
    except OSError as error:
        text = _("The picture {name} cannot be read: {problem}. Correct its permissions.")
        return Sentence(text, {"name": path.name, "problem": str(error.strerror)})
    if len(content) > PICTURE_MEGABYTES << 20:
        return Sentence(_("The picture {name} is larger than {number} MB. Make it smaller."), values)
    if picture_type(content) is None:
        text = _("The file {name} is not a PNG, JPEG, GIF or WebP picture. Convert it to one of these.")
        return Sentence(text, values)
    return None
