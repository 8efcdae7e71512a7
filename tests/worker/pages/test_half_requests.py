"""What the WSGI application does with a request that breaks off: nothing, whatever the server makes of it."""

from io import BytesIO
from urllib.parse import urlencode

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.http import UnreadablePostError

from deploy.wsgi import refuse_incomplete_bodies

BODY = urlencode({"magnitude": "12", "justification": "It says so.", "action": "next"}).encode()


def read(sent: bytes, *, announced: int | str, kind: str = "application/x-www-form-urlencoded") -> dict:
    """The fields that Django reads of what was sent."""
    results = {}

    def application(environ, start_response):
        request = WSGIRequest(environ)
        results.update(request.POST.dict(), files=dict(request.FILES))
        return []

    environ = {
        "REQUEST_METHOD": "POST",
        "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": str(announced),
        "wsgi.input": BytesIO(sent),
    }
    refuse_incomplete_bodies(application)(environ, lambda *_: None)
    return results


def test_a_whole_form_is_read() -> None:
    assert read(BODY, announced=len(BODY))["justification"] == "It says so."
    assert read(b"", announced="")["files"] == {}


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_half_a_form_is_none(share: float) -> None:
    with pytest.raises(UnreadablePostError):
        read(BODY[: int(share * len(BODY))], announced=len(BODY))


@pytest.mark.parametrize("share", [0.5, 0.999])
def test_half_a_file_is_none(share: float) -> None:
    head = b'--X\r\nContent-Disposition: form-data; name="file"; filename="run.txt"\r\n\r\n'
    body = head + b"401 Q0 D1 1 2.5 tag\r\n" * 20_000 + b"\r\n--X--\r\n"
    kind = "multipart/form-data; boundary=X"
    assert read(body, announced=len(body), kind=kind)["files"]
    with pytest.raises(UnreadablePostError):
        read(body[: int(share * len(body))], announced=len(body), kind=kind)
