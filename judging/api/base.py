"""What all addresses of the API have in common."""

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
"""What a parameter may say: an empty one, which might stand for everything or for nothing, is refused."""


class ApiView(APIView):
    """A view that refuses parameters it does not know: a misspelt filter must not mean “everything”."""

    http_method_names = ["get", "head"]
    parameters: tuple[str, ...] = ()

    def known_parameters(self) -> list[str]:
        """The names that may stand in the query string."""
        return list(self.parameters)

    def perform_authentication(self, request: Request) -> None:
        """Find out who asks, and count the request: a request that is refused after this counts too."""
        try:
            super().perform_authentication(request)
        finally:
            super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: the framework asks after the permissions, and `perform_authentication` has counted."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        known = self.known_parameters()
        faults = {name: _fault(name, values, known) for name, values in request.query_params.lists()}
        if any(faults.values()):
            raise ValidationError({name: [fault] for name, fault in faults.items() if fault})


class StudyView(ApiView):
    """A view below the address of a study."""

    def study(self) -> Study:
        """The study in the address; NotFound alike for one that is not there and one not to be seen."""
        study = Study.objects.filter(slug=self.kwargs["slug"]).first()
        if study is None or not access.may_see(self.request.user, study):
            raise NotFound("There is no such study.")
        return study


class NothingHere(APIView):
    """Every address that is none of the API's."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound("There is nothing at this address. Addresses end with a slash, but for files.")


def _fault(name: str, values: list[str], known: list[str]) -> str:
    """What is wrong with a parameter, whatever it is for; "" where nothing is."""
    if name not in known:
        return f"There is no such parameter here.{_nearest(name, known)}"
    if len(values) > 1:
        return "This parameter may be given only once."
    return (
        ""
        if re.fullmatch(TEXT, values[0])
        else "The value is empty or holds a NUL. Write one, or leave the parameter out."
    )


def _nearest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f" Did you mean {close[0]}?" if close else f" Known: {', '.join(known)}." if known else ""
