"""Sessions stored under hashes of their keys, so that nobody can log in with a stolen database or cache."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.sessions.backends import cached_db, db
from django.contrib.sessions.base_session import AbstractBaseSession
from django.utils import timezone
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    _Store = cached_db.SessionStore
else:
    _Store = cached_db.SessionStore if settings.REDIS_URL else db.SessionStore


def hash_key(key: str) -> str:
    """Return the hash of a session key from a cookie. The database and the cache store only this hash."""
    return salted_hmac("plumbline.session", key, algorithm="sha256").hexdigest()[:40]


class SessionStore(_Store):
    """Store sessions in the database, and also in the cache if all processes share one cache."""

    @property
    def cache_key(self) -> str:
        """Return the key of this session in the cache."""
        # Django's own cache_key calls this method too, but Django's stubs leave it out.
        key = self._get_or_create_session_key()  # type: ignore[attr-defined]
        return f"{self.cache_key_prefix}{hash_key(key)}"

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        session = None
        if self.session_key:
            sessions = self.model.objects.filter(expire_date__gt=timezone.now())
            session = sessions.filter(session_key=hash_key(self.session_key)).first()
        if session is None:
            self._session_key = None
        return session

    def exists(self, session_key: str | None) -> bool:
        """Return whether a session is stored for a cookie with this key."""
        return bool(session_key and super().exists(hash_key(session_key)))

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        """Return the database row of this session. The key of the row is the hash of the session's key."""
        session = super().create_model_instance(data)
        session.session_key = hash_key(session.session_key)
        return session

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session whose cookie has this key. By default, delete this session."""
        if key := session_key or self.session_key:
            super().delete(hash_key(key))
