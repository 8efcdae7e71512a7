"""The template variable that says whether the visitor is an admin."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from judging.core import access


def visitor(request: HttpRequest) -> dict[str, object]:
    """Return the variable `administers`. It is lazy, so that workers' pages do not look up the user."""
    return {"administers": SimpleLazyObject(lambda: access.may_administer(request.user))}
