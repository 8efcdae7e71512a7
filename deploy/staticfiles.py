"""Static files whose names contain a hash of their content, so that browsers can cache them permanently."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from deploy.private import share_new_files

if TYPE_CHECKING:  # whitenoise has no annotations, so mypy sees the Django class that it extends.
    from django.contrib.staticfiles.storage import (
        ManifestStaticFilesStorage as CompressedManifestStaticFilesStorage,
    )
else:
    from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedOnceCollected(CompressedManifestStaticFilesStorage):
    """A storage that uses hashed names if `collectstatic` has run, and plain names if not, as in a checkout.

    A file that was added after the last `collectstatic` keeps its plain name, so that pages still work.
    """

    def stored_name(self, name: str) -> str:
        """Return the name under which pages link to a file."""
        return self.hashed_files.get(self.hash_key(self.clean_name(name)), name)

    def post_process(self, *args: Any, **options: Any) -> Iterator[Any]:
        """Let whitenoise create hashed and compressed copies that every account can read."""
        previous_umask = share_new_files()
        try:
            yield from super().post_process(*args, **options)
        finally:
            os.umask(previous_umask)
