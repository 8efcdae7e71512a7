"""Facts about the visitor for every template, answered by `access`."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from judging.core import access


def visitor(request: HttpRequest) -> dict[str, object]:
    """Return `administers`, which is lazy: workers' pages never look up the logged-in user."""
    return {"administers": SimpleLazyObject(lambda: access.may_administer(request.user))}
