"""A template loader that removes the indentation of HTML templates."""

import re
from typing import Final

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION: Final = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    """A loader that removes indentation from HTML templates, because large tables repeat it in every cell.

    This changes only the source of a template. The values in a page, such as documents, keep their spaces.
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the source of a template without its indentation. Line numbers stay the same."""
        source = super().get_contents(origin)
        return _INDENTATION.sub("", source) if origin.name.endswith(".html") else source
