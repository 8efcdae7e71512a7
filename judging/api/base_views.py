"""The base classes of the API's views."""

import re
from difflib import get_close_matches
from typing import Any, Final

from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from judging.core import access
from judging.models import Study

TEXT: Final = r"^[^\x00]+$"
"""The pattern of a parameter's value. It refuses an empty value, whose meaning would be unclear."""


class ApiView(APIView):
    """A view that refuses unknown parameters. Otherwise, a misspelt filter would return all rows."""

    http_method_names = ["get", "head"]
    parameters: tuple[str, ...] = ()

    def known_parameters(self) -> list[str]:
        """Return the names of the query parameters that the view accepts."""
        return list(self.parameters)

    def perform_authentication(self, request: Request) -> None:
        """Authenticate the request, and count it towards the rate limits even if authentication fails."""
        try:
            super().perform_authentication(request)
        finally:
            super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Do nothing, because `perform_authentication` has already counted the request."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        known = self.known_parameters()
        faults = {name: _fault(name, values, known) for name, values in request.query_params.lists()}
        if any(faults.values()):
            raise ValidationError({name: [fault] for name, fault in faults.items() if fault})


class StudyView(ApiView):
    """The base class of views whose address names a study."""

    def study(self) -> Study:
        """Return the study that the address names.

        Raise NotFound if there is no such study, or if the account cannot see it.
        """
        study = Study.objects.filter(slug=self.kwargs["slug"]).first()
        if study is None or not access.may_see(self.request.user, study):
            raise NotFound("There is no such study, or you do not have access to it.")
        return study


class UnknownAddress(APIView):
    """Responds with 404 to any address that the API does not have."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound(
            "There is nothing at this address. All addresses except those of files end with a slash."
        )


def _fault(name: str, values: list[str], known: list[str]) -> str:
    """Return an error message for a parameter, or "" if the parameter is valid."""
    if name not in known:
        return f"This parameter is unknown.{_nearest(name, known)}"
    if len(values) > 1:
        return "This parameter occurs more than once. Use it once."
    return (
        ""
        if re.fullmatch(TEXT, values[0])
        else "The value is empty or contains a NUL character. Correct it, or remove the parameter."
    )


def _nearest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return (
        f" Did you mean {close[0]}?" if close else f" Use one of these: {', '.join(known)}." if known else ""
    )
