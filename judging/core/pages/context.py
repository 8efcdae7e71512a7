"""What every template can ask about the visitor, answered by `access`."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from judging.core import access


def visitor(request: HttpRequest) -> dict[str, object]:
    """`administers`, read when it is asked: pages of workers never look who is logged in."""
    return {"administers": SimpleLazyObject(lambda: access.may_administer(request.user))}
