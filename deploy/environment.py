"""Reading settings from environment variables; a wrong one is named in one line, at the start."""

import os
import re
import secrets
import tomllib
from email.utils import parseaddr
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

_SHORTEST_KEY = 50
_SHORTEST_TOKEN = 20
_REDIS_SCHEMES: Final = {"redis": "redis", "rediss": "rediss", "valkey": "redis", "valkeys": "rediss"}
"""Valkey speaks the protocol of Redis, and our clients know it by that name alone."""


_MAIL_PORTS: Final = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


class MailServer(NamedTuple):
    """Where e-mail is handed in; `scheme` is smtp (in the clear), smtp+tls (STARTTLS) or smtps."""

    scheme: str
    host: str
    port: int
    user: str
    password: str


def text(name: str, *, default: str) -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str) -> bool:
    """`1` or `0`; unset is 0. Raises ImproperlyConfigured for anything else."""
    value = text(name, default="0")
    if value not in {"0", "1"}:
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to 1 or 0.")
    return value == "1"


def whole(name: str, *, default: int, least: int) -> int:
    """A whole number. Raises ImproperlyConfigured for anything else, and for one below `least`."""
    value = text(name, default=str(default))
    if not (value.isascii() and value.isdigit() and int(value) >= least):
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to a whole number, {least} or more.")
    return int(value)


def choice(name: str, *, of: tuple[str, ...]) -> str:
    """One of a few words, the first where it is unset. Raises ImproperlyConfigured for anything else."""
    value = text(name, default=of[0])
    if value not in of:
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to {' or '.join(of)}.")
    return value


def token(name: str) -> str:
    """What a program must bring to be let in; empty where unset. Raises ImproperlyConfigured if short."""
    value = text(name, default="")
    if value and (len(value) < _SHORTEST_TOKEN or not re.fullmatch(r"[\x21-\x7e]+", value)):
        raise ImproperlyConfigured(
            f"{name} can be guessed or not be sent: use at least {_SHORTEST_TOKEN} random letters and digits."
        )
    return value


def report_address(name: str) -> str:
    """Where faults are reported to, as Sentry gives it; empty where it is unset.

    Raises ImproperlyConfigured for anything else.
    """
    value = text(name, default="")
    if value and not re.fullmatch(r"https?://\w+(:\w*)?@[\w.-]+(:\d+)?(/[\w/-]*)?/\d+", value):
        raise ImproperlyConfigured(
            f"{name} is no address of a project: copy it from Sentry, as https://key@host/1."
        )
    return value


def release(folder: Path) -> str:
    """The version that the pyproject.toml in a folder states."""
    with (folder / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def names(name: str, *, default: list[str]) -> list[str]:
    """Values separated by commas."""
    value = text(name, default="")
    return [part.strip() for part in value.split(",") if part.strip()] if value else default


def folder(name: str, *, default: Path, mode: int) -> Path:
    """A folder, made with that mode where it is missing. Raises ImproperlyConfigured where that fails."""
    path = Path(text(name, default=str(default)))
    try:
        if not path.is_dir():
            path.mkdir(parents=True, exist_ok=True)
            path.chmod(mode)
    except OSError as error:
        raise ImproperlyConfigured(f"{name}: the folder {path} cannot be made: {error.strerror}.") from error
    return path


def database(name: str, *, default: str) -> dj_database_url.DBConfig:
    """The settings of the database that a URL names. Raises ImproperlyConfigured unless it is one we know."""
    url = text(name, default=default)
    if url.partition(":")[0] not in {"postgres", "postgresql", "sqlite"}:
        raise ImproperlyConfigured(
            f"{name} names no database that we know: write postgres://user:password@host/name or sqlite:///path."
        )
    try:
        return dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} cannot be read as a URL: {error}.") from error


def redis(name: str) -> str:
    """The address of a Redis or Valkey server, as redis:// or rediss://; an empty text where it is unset.

    Raises ImproperlyConfigured for any other address, and for one without a host.
    """
    url = text(name, default="")
    if not url:
        return ""
    scheme, separator, rest = url.partition("://")
    try:
        parts = urlsplit(url)
        known = bool(separator and parts.hostname and parts.port != 0)
    except ValueError:
        known = False
    database = parts.path.strip("/") if known else ""
    if not known or scheme not in _REDIS_SCHEMES or not (database.isdecimal() or database == ""):
        raise ImproperlyConfigured(
            f"{name} names no server that we know: write redis://host:6379/0 or valkey://:password@host:6379/0."
        )
    return f"{_REDIS_SCHEMES[scheme]}://{rest}"


def mail_server(name: str) -> MailServer | None:
    """The server that a URL names, its port by default that of the scheme; None where it is unset.

    Raises ImproperlyConfigured for anything but an SMTP server, and for a user without a password.
    """
    url = text(name, default="")
    if not url:
        return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    known = parts.scheme in _MAIL_PORTS and host and port != 0 and parts.path in {"", "/"}
    if not known or parts.query or parts.fragment or bool(parts.username) != bool(parts.password):
        raise ImproperlyConfigured(
            f"{name} names no mail server that we know: write smtp+tls://user:password@host:587, smtps:// or"
            " smtp://, with %40 for an @ in user or password."
        )
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.scheme, host, port or _MAIL_PORTS[parts.scheme], user, password)


def site_url(name: str, *, hosts: list[str], https: bool, needed_by: str) -> str:
    """Return where people reach the site, without a slash at the end; unset, it is the first host served.

    Raise ImproperlyConfigured for anything but a web address without a path, and for a host that only says
    which names are served, as `.example.org` does, where the variable `needed_by` is set.
    """
    scheme = "https" if https else "http"
    value = text(name, default="").rstrip("/")
    if not value and hosts[0].lstrip(".*") == hosts[0]:
        return f"{scheme}://{hosts[0]}"
    if not value and not text(needed_by, default=""):
        return f"{scheme}://localhost"
    if not re.fullmatch(r"https?://([\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:]+\])(:[0-9]{1,5})?", value, re.ASCII):
        raise ImproperlyConfigured(
            f"{name} is {value!r}: write where people reach the site, such as https://judging.example.org;"
            f" the e-mails of {needed_by} hold it."
        )
    return value


def sender(name: str, *, needed_by: str) -> str:
    """The address that e-mail comes from, as a@b.org or Name <a@b.org>; empty where it is unset, and may be.

    Raises ImproperlyConfigured for another text, and for none where the variable `needed_by` is set.
    """
    value = text(name, default="")
    if not value and not text(needed_by, default=""):
        return ""
    try:
        validate_email(parseaddr(value)[1])
    except ValidationError:
        raise ImproperlyConfigured(
            f"{name} is {value!r}: write the address that e-mail comes from, such as"
            f" Plumbline <plumbline@example.org>; {needed_by} needs it."
        ) from None
    return value


def secret_key(name: str, *, kept_in: Path) -> str:
    """The key of the environment, else one made at the first start and kept in a file only we can read."""
    given = text(name, default="")
    if given:
        if len(given) < _SHORTEST_KEY:
            raise ImproperlyConfigured(
                f"{name} is too short: use at least {_SHORTEST_KEY} random characters."
            )
        return given
    try:
        with os.fdopen(os.open(kept_in, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
    except FileExistsError:
        pass
    return kept_in.read_text()
