"""Static files under names that hold a hash of what is in them, so that browsers may keep them for ever."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from deploy.private import share_new_files

if TYPE_CHECKING:  # whitenoise has no annotations; this is the class that its own extends
    from django.contrib.staticfiles.storage import (
        ManifestStaticFilesStorage as CompressedManifestStaticFilesStorage,
    )
else:
    from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedOnceCollected(CompressedManifestStaticFilesStorage):
    """Hashed, compressed names where `collectstatic` has run; before that, as in a checkout, the plain ones.

    A file that came after the last `collectstatic` keeps its plain name instead of breaking the page.
    """

    def stored_name(self, name: str) -> str:
        """The name that pages refer to a file by."""
        return self.hashed_files.get(self.hash_key(self.clean_name(name)), name)

    def post_process(self, *args: Any, **options: Any) -> Iterator[Any]:
        """As the library does, with compressed copies that a web server of another account can read."""
        before = share_new_files()
        try:
            yield from super().post_process(*args, **options)
        finally:
            os.umask(before)
