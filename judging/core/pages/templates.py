"""How the templates of pages are read: without the indentation of their lines."""

import re
from typing import Final

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION: Final = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    """Leaves the indentation out of templates of HTML: in a table it would be repeated with every cell.

    Only what the templates themselves say is cut. What they show, such as a document, keeps its blanks.
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the source of a template; its lines stay where they are."""
        source = super().get_contents(origin)
        return _INDENTATION.sub("", source) if origin.name.endswith(".html") else source
