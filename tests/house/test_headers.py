"""The headers of every kind of answer: pages, the API, the admin, static files and what goes wrong.

Over https, the same and what is for https alone, as a site started with `PLUMBLINE_HTTPS=1` sends it.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoDbBlocker

from judging.core.pages.middleware import HeadersMiddleware
from tests.factories import make_study
from tests.people.conftest import browser_of, make_people
from tests.support.databases import configured, copy_sqlite_image

ROOT: Final = Path(__file__).resolve().parents[2]
EVERYWHERE: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
Ask = Callable[[dict[str, Client]], Any]
KINDS: Final[dict[str, tuple[int, Ask]]] = {
    "front page": (200, lambda of: of["nobody"].get("/")),
    "worker": (200, lambda of: of["nobody"].get("/s/study/")),
    "log-in": (200, lambda of: of["nobody"].get("/console/login/")),
    "log-in needed": (302, lambda of: of["nobody"].get("/console/")),
    "console": (200, lambda of: of["admin"].get("/console/studies/study/")),
    "console refused": (403, lambda of: of["owner"].get("/console/people/")),
    "export": (200, lambda of: of["admin"].get("/console/studies/study/export/units.csv")),
    "api": (200, lambda of: of["admin"].get("/api/v1/studies/")),
    "api refused": (401, lambda of: of["nobody"].get("/api/v1/studies/")),
    "api missing": (404, lambda of: of["nobody"].get("/api/v1/nothing/")),
    "admin": (200, lambda of: of["admin"].get("/admin/")),
    "static": (200, lambda of: of["nobody"].get("/static/site.css")),
    "static missing": (404, lambda of: of["nobody"].get("/static/nothing.css")),
    "probe": (200, lambda of: of["nobody"].get("/healthz")),
    "missing": (404, lambda of: of["nobody"].get("/nothing/")),
    "wrong host": (400, lambda of: of["nobody"].get("/", headers={"host": "evil.example"})),
    "wrong characters": (
        400,
        lambda of: of["nobody"].post("/s/study/", "a=b", content_type="text/plain; charset=utf-16"),
    ),
    "csrf": (403, lambda of: of["strict"].post("/console/login/", {"username": "x"})),
    "no cookie": (403, lambda of: of["nobody"].post("/s/study/judge/", {"magnitude": "5"})),
    "other method": (405, lambda of: of["nobody"].put("/console/login/")),
    "broken": (500, lambda of: of["broken"].get("/")),
}


@pytest.fixture
def browsers(db: None, monkeypatch: pytest.MonkeyPatch) -> dict[str, Client]:
    people = make_people(make_study(), make_study(slug="other", opened=False))

    class Broken(Client):
        """A visitor to whom every page is broken."""

        def get(self, *given: Any, **named: Any) -> Any:
            monkeypatch.setattr("django.template.base.Template.render", _break_once())
            return super().get(*given, **named)

    return {
        "nobody": Client(),
        "strict": Client(enforce_csrf_checks=True),
        "broken": Broken(raise_request_exception=False),
        "owner": browser_of(people["owner"]),
        "admin": browser_of(people["admin"]),
    }


def _break_once() -> Callable[..., str]:
    from django.template.base import Template

    whole, broken = Template.render, list[int]()

    def render(*given: Any, **named: Any) -> str:
        if not broken:
            broken.append(1)
            raise RuntimeError("A page is broken.")
        return str(whole(*given, **named))

    return render


def directives(policy: str) -> set[str]:
    return {part.strip() for part in policy.split(";")}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_answer_has_them_all(browsers: dict[str, Client], kind: str) -> None:
    status, ask = KINDS[kind]
    answer: HttpResponse = ask(browsers)
    assert answer.status_code == status
    assert {name: answer.get(name) for name in EVERYWHERE} == EVERYWHERE
    assert directives(answer["Content-Security-Policy"]) == directives(POLICY)
    features = answer["Permissions-Policy"].split(", ")
    assert {"camera=()", "geolocation=()", "microphone=()", "payment=()"} <= set(features)
    assert all(re.fullmatch(r"[a-z-]+=\(\)", feature) for feature in features)
    for name in ("Server", "X-Powered-By", "Access-Control-Allow-Origin", "Strict-Transport-Security"):
        assert name not in answer
    if kind not in {"static", "static missing", "wrong host", "wrong characters"}:
        assert "no-store" in answer["Cache-Control"]
    body = b"" if answer.streaming else answer.content
    assert b"Traceback" not in body
    assert b"Django" not in body or kind == "admin"


@pytest.mark.parametrize("kind", ["missing", "wrong host", "csrf", "broken"])
def test_what_goes_wrong_is_a_page_with_a_way_on(browsers: dict[str, Client], kind: str) -> None:
    page = KINDS[kind][1](browsers).content.decode()
    assert page.count("<h1>") == 1
    assert '<a href="/">' in page


def test_the_middleware_takes_nothing_from_a_page() -> None:
    page = HttpResponse("page", headers={"X-Own": "1"})
    answer = HeadersMiddleware(lambda request: page)(None)  # type: ignore[arg-type]  # it reads no request
    assert (answer.content, answer["X-Own"]) == (b"page", "1")


# --- over https --------------------------------------------------------------------------------------------

_ASK = """
import json, django
django.setup()
from django.test import Client
from django.contrib.auth import get_user_model
get_user_model().objects.create_superuser("ada", password="a-plumb-line-of-93")
far = {"secure": True, "headers": {"host": "judging.example.org"}}
browser = Client()
asked = {"plain": browser.get("/", headers={"host": "judging.example.org"})}
asked["page"] = browser.get("/console/login/", **far)
asked["in"] = browser.post("/console/login/", {"username": "ada", "password": "a-plumb-line-of-93"}, **far)
asked["static"] = browser.get("/static/site.css", **far)
asked["missing"] = browser.get("/nothing/", **far)
print(json.dumps({
    name: {
        "status": one.status_code,
        "headers": dict(one.headers.items()),
        "cookies": [cookie.OutputString() for cookie in one.cookies.values()],
    }
    for name, one in asked.items()
}))
"""


@pytest.fixture(scope="module")
def over_https(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    run_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Any]:
    var = tmp_path_factory.mktemp("https")
    with django_db_blocker.unblock():
        copy_sqlite_image(configured(""), var / "plumbline.sqlite3", run_folder)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PLUMBLINE_")}
    for name in ("DATABASE_URL", "REDIS_URL"):
        kept.pop(name, None)
    variables = {
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "PLUMBLINE_HTTPS": "1",
        "PLUMBLINE_ALLOWED_HOSTS": "judging.example.org",
        "PLUMBLINE_SECRET_KEY": "only-for-this-test!" * 3,
        "PLUMBLINE_VAR": str(var),
        "PLUMBLINE_NO_VENV": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", _ASK], cwd=ROOT, env=kept | variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.slow
def test_over_https_browsers_are_told_to_stay_there(over_https: dict[str, Any]) -> None:
    assert over_https["plain"]["status"] == 301
    assert over_https["plain"]["headers"]["Location"] == "https://judging.example.org/"
    for name in ("page", "in", "static", "missing"):
        headers = over_https[name]["headers"]
        assert headers["Strict-Transport-Security"] == "max-age=31536000", name
        assert {key: headers[key] for key in EVERYWHERE} == EVERYWHERE, name
        assert directives(headers["Content-Security-Policy"]) == directives(POLICY), name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("https", "preload", "everywhere"), [("1", "1", True), ("1", "0", False), ("0", "1", False)]
)
def test_other_hosts_of_the_domain_are_spoken_for_on_request_alone(
    https: str, preload: str, everywhere: bool, tmp_path: Path
) -> None:
    code = "from deploy import settings as s; print(s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD)"
    variables = {"PLUMBLINE_HTTPS": https, "PLUMBLINE_HSTS_PRELOAD": preload, "PLUMBLINE_VAR": str(tmp_path)}
    output = subprocess.check_output(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ | variables, text=True
    )
    assert output == f"{everywhere} {everywhere}\n"


@pytest.mark.slow
def test_over_https_cookies_come_from_this_host_alone(over_https: dict[str, Any]) -> None:
    cookies = {
        over_http.partition("=")[0]: over_http
        for name in ("page", "in")
        for over_http in over_https[name]["cookies"]
        if "expires=Thu, 01 Jan 1970" not in over_http
    }
    assert set(cookies) == {"__Host-csrftoken", "__Host-sessionid"}
    for cookie in cookies.values():
        for flag in ("Secure", "HttpOnly", "SameSite=Lax", "Path=/"):
            assert flag in cookie.split("; "), cookie
        assert "Domain" not in cookie
