"""Sessions whose keys are stored as hashes: a stolen database or cache opens nobody's console."""

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


def stored(key: str) -> str:
    """Return what the database and the cache know a session by whose cookie holds this key."""
    return salted_hmac("plumbline.session", key, algorithm="sha256").hexdigest()[:40]


class SessionStore(_Store):
    """Django's own, in the database, and read from the cache where there is one for all processes."""

    @property
    def cache_key(self) -> str:
        # Django's stubs leave this method out, which Django's own cache_key calls too.
        key = self._get_or_create_session_key()  # type: ignore[attr-defined]
        return f"{self.cache_key_prefix}{stored(key)}"

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        session = None
        if self.session_key:
            sessions = self.model.objects.filter(expire_date__gt=timezone.now())
            session = sessions.filter(session_key=stored(self.session_key)).first()
        if session is None:
            self._session_key = None
        return session

    def exists(self, session_key: str | None) -> bool:
        return bool(session_key and super().exists(stored(session_key)))

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        session = super().create_model_instance(data)
        session.session_key = stored(session.session_key)
        return session

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            super().delete(stored(key))
