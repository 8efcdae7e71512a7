"""A visitor of the site without a browser: it reads the forms that were served, fills them in and sends them.

Whatever a form holds goes back with it, hidden fields and all; a field that a page does not offer cannot be
filled. The same visitor goes through Django's test client, `Visitor(through_client())`, and over real HTTP,
`Visitor(through_http("http://127.0.0.1:8000"))`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from itertools import cycle
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
from django.test import Client

from tests.support.html import compact
from tests.support.http_client import HttpClient

MOST_REDIRECTS = 5
TEXT_INPUTS = {"hidden", "text", "password", "search", "email", "number"}


@dataclass(frozen=True)
class Reply:
    """What came back for one request: its headers with each cookie in a line of its own, and every byte."""

    status: int
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """The value of a header, or an empty text."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    @property
    def cookies(self) -> list[str]:
        """The `Set-Cookie` lines."""
        return [value for key, value in self.headers if key.lower() == "set-cookie"]


Transport = Callable[[str, str, dict[str, str] | None], Reply]
"""Method, path and fields of a form → the reply, without following where it leads."""


def through_client(client: Client | None = None) -> Transport:
    """Through Django's test client; it checks the CSRF token as the site does."""
    client = client or Client(enforce_csrf_checks=True)

    def request(method: str, path: str, data: dict[str, str] | None) -> Reply:
        response = client.post(path, data or {}) if method == "POST" else client.get(path)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        cookies = tuple(("Set-Cookie", morsel.OutputString()) for morsel in response.cookies.values())
        return Reply(response.status_code, path, (*response.headers.items(), *cookies), body)

    return request


def through_http(address: str, http: httpx.Client | None = None) -> Transport:
    """Over real HTTP to the site at `address`; cookies are kept as a browser keeps them."""
    http = http or HttpClient(timeout=30)

    def request(method: str, path: str, data: dict[str, str] | None) -> Reply:
        response = http.request(method, urljoin(address, path), data=data, follow_redirects=False)
        headers = tuple(response.headers.multi_items())
        return Reply(response.status_code, path, headers, response.content)

    return request


def turn_about(addresses: Sequence[str], http: httpx.Client | None = None) -> Transport:
    """As `through_http`, each request to the next address, as a balancer does; cookies know no ports."""
    http = http or HttpClient(timeout=30)
    turns = cycle([through_http(address, http) for address in addresses])

    def request(method: str, path: str, data: dict[str, str] | None) -> Reply:
        return next(turns)(method, path, data)

    return request


@dataclass
class Form:
    """A form as served: where it goes, what it holds, and what can be chosen and pressed."""

    action: str = ""
    method: str = "get"
    fields: dict[str, str] = field(default_factory=dict)
    hidden: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def offers(self, name: str) -> bool:
        """Whether a visitor could send something under this name."""
        return name in self.fields or name in self.choices or name in {key for key, _ in self.buttons}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self._textarea: tuple[Form, str] | None = None
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tags.append((tag, attributes))
        if tag in {"script", "style", "title", "form", "textarea"}:
            self._inside.append(tag)
        if tag == "form":
            self.forms.append(Form(attributes.get("action", ""), attributes.get("method", "get").lower()))
        elif "form" in self._inside:
            self._read_control(self.forms[-1], tag, attributes)

    def _read_control(self, form: Form, tag: str, attributes: dict[str, str]) -> None:
        name, value = attributes.get("name", ""), attributes.get("value", "")
        kind = attributes.get("type", "text" if tag == "input" else "submit")
        if tag == "button" and kind == "submit":
            form.buttons.append((name, value))
        elif tag == "textarea":
            form.fields[name] = ""
            self._textarea = form, name
        elif tag == "input" and kind in {"radio", "checkbox"}:
            form.choices.setdefault(name, []).append(value)
        elif tag == "input" and kind in TEXT_INPUTS:
            form.fields[name] = value
            if kind == "hidden":
                form.hidden[name] = value

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            self._inside.remove(tag)
        if tag == "textarea":
            self._textarea = None

    def handle_data(self, data: str) -> None:
        if self._textarea:
            form, name = self._textarea
            # A line end right behind the tag belongs to the tag.
            form.fields[name] += data if form.fields[name] else data.removeprefix("\n")
        elif not {"script", "style", "title"}.intersection(self._inside):
            self.text.append(data)


class Page:
    """A served page, read: its text as people see it, its tags and its forms."""

    def __init__(self, reply: Reply) -> None:
        reader = _Reader()
        reader.feed(reply.body.decode())
        reader.close()
        self.reply = reply
        self.status = reply.status
        self.path = urlsplit(reply.url).path
        self.forms = reader.forms
        self.tags = reader.tags
        self.text = " ".join(" ".join(reader.text).split())

    @cached_property
    def html(self) -> str:
        """The page without the white space that a browser does not show."""
        return compact(self.reply.body.decode())

    @property
    def step(self) -> str:
        """The last word of the address: `judge`, `units`, … The numbers behind it name the form."""
        return next(part for part in reversed(self.path.split("/")) if part and not part.isdigit())

    def form_with(self, name: str, value: str | None = None) -> Form:
        """The first form with a button or a field of this name (and, for a button, of this value)."""
        for form in self.forms:
            if (name, value) in form.buttons or (value is None and form.offers(name)):
                return form
        raise AssertionError(f"{self.path} offers no form with {name}={value}:\n{self.text}")

    def presses(self) -> list[str]:
        """The values of all `action` buttons on the page, in their order."""
        return [value for form in self.forms for name, value in form.buttons if name == "action"]

    def asks(self) -> bool:
        """Whether there is a form."""
        return bool(self.forms)

    def value(self, name: str) -> str:
        """What stands in a field."""
        return self.form_with(name).fields[name]

    def line(self) -> float:
        """The length of the practice line that is shown."""
        (line,) = self.lines()
        return line

    def lines(self) -> list[float]:
        """The lengths of the practice lines that are shown, in their order."""
        shown = (attributes for tag, attributes in self.tags if tag == "line")
        return [float(line["x2"]) - float(line["x1"]) for line in shown]

    def told(self) -> list[str]:
        """The names of what the page tells beside its step: how a unit ended, that there is no work, …"""
        return [attributes["data-told"] for _, attributes in self.tags if "data-told" in attributes]

    def why(self) -> str:
        """The code of the reason why there is no work, or an empty text."""
        return next((attributes["data-why"] for _, attributes in self.tags if "data-why" in attributes), "")

    def links(self) -> list[str]:
        return [attributes["href"] for tag, attributes in self.tags if tag == "a" and "href" in attributes]


class Visitor:
    """Somebody at the site: `page` is what they see, `seen` every reply they ever got, redirects too."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.seen: list[Reply] = []
        self.page: Page

    def open(self, path: str) -> Page:
        """Go to an address, and on to wherever it leads."""
        return self._arrive(self.request("GET", path))

    def send(self, press: str | None = None, **typed: Any) -> Page:
        """Fill in a form of this page and send it: the one with the button `press`, else the first.

        With `press`, the button's value goes with it, as a browser sends it.
        """
        form = self.page.form_with("action", press) if press else self.page.forms[0]
        return self._arrive(self.request("POST", self.target(form), self.filled(form, press, **typed)))

    def target(self, form: Form) -> str:
        return urljoin(self.page.reply.url, form.action) if form.action else self.page.reply.url

    def filled(self, form: Form, press: str | None = None, **typed: Any) -> dict[str, str]:
        """What a form would send with these fields filled in."""
        unknown = [name for name in typed if not form.offers(name)]
        assert not unknown, f"{self.page.path} has no field {unknown}: {self.page.text}"
        data = form.fields | {name: str(value) for name, value in typed.items()}
        return data | {"action": press} if press else data

    def post(self, path: str, data: dict[str, str]) -> Page:
        """Send any fields anywhere, as a script would, and go on to wherever it leads."""
        return self._arrive(self.request("POST", path, data))

    def request(self, method: str, path: str, data: dict[str, str] | None = None) -> Reply:
        """One request and its reply, without following where it leads."""
        reply = self._transport(method, path, data)
        self.seen.append(reply)
        return reply

    def _arrive(self, reply: Reply) -> Page:
        for _ in range(MOST_REDIRECTS):
            if not reply.header("Location"):
                break
            reply = self.request("GET", urljoin(reply.url, reply.header("Location")))
        assert not reply.header("Location"), f"{reply.url} leads round in a circle"
        self.page = Page(reply)
        return self.page
