"""A template loader that removes the indentation of HTML templates."""

import re
from typing import Final

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION: Final = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    """Remove indentation from HTML templates: large tables would repeat it in every cell.

    Only the source of a template is changed. Values that it shows, such as documents, keep their spaces.
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the source of a template; line numbers stay the same."""
        source = super().get_contents(origin)
        return _INDENTATION.sub("", source) if origin.name.endswith(".html") else source
