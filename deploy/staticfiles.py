"""Static files under names that hold a hash of what is in them, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedOnceCollected(CompressedManifestStaticFilesStorage):
    """Hashed, compressed names where `collectstatic` has run; before that, as in a checkout, the plain ones.

    A file that came after the last `collectstatic` keeps its plain name instead of breaking the page.
    """

    def stored_name(self, name: str) -> str:
        """The name that pages refer to a file by."""
        return self.hashed_files.get(self.hash_key(self.clean_name(name)), name)
