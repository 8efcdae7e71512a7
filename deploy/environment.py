"""Read settings from environment variables.

An invalid value raises ImproperlyConfigured, with one line that names the variable.
"""

import os
import re
import secrets
import tomllib
from email.utils import parseaddr
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

_SHORTEST_KEY = 50
_SHORTEST_TOKEN = 20
_REDIS_SCHEMES: Final = {
    "redis": "redis",
    "rediss": "rediss",
    "valkey": "redis",
    "valkeys": "rediss",
    "unix": "unix",
}
"""The URL schemes that `redis` accepts, each with the Redis scheme that replaces it.

Valkey uses the Redis protocol, and the client libraries know only the Redis schemes.
"""

_MAIL_PORTS: Final = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


class MailServer(NamedTuple):
    """The server that sends e-mail. `scheme` is smtp (not encrypted), smtp+tls (STARTTLS) or smtps."""

    scheme: str
    host: str
    port: int
    user: str
    password: str


def text(name: str, *, default: str) -> str:
    """Return the variable without surrounding white space, or the default if it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def flag(name: str) -> bool:
    """Return True for 1, and False for 0 or an unset variable. Raise ImproperlyConfigured otherwise."""
    value = text(name, default="0")
    if value not in {"0", "1"}:
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to 1 or 0.")
    return value == "1"


def whole_number(name: str, *, default: int, least: int) -> int:
    """Return the variable as a whole number.

    Raise ImproperlyConfigured for other values, and for numbers below `least`.
    """
    value = text(name, default=str(default))
    if not (value.isascii() and value.isdigit() and int(value) >= least):
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to a whole number of at least {least}.")
    return int(value)


def choice(name: str, *, options: tuple[str, ...]) -> str:
    """Return the variable, or the first option if it is unset.

    Raise ImproperlyConfigured for a value that is not one of the options.
    """
    value = text(name, default=options[0])
    if value not in options:
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to {' or '.join(options)}.")
    return value


def token(name: str) -> str:
    """Return the token with which a program authenticates, or "" if the variable is unset.

    Raise ImproperlyConfigured if the token is too short or has characters that an HTTP header cannot contain.
    """
    value = text(name, default="")
    if value and (len(value) < _SHORTEST_TOKEN or not re.fullmatch(r"[\x21-\x7e]+", value)):
        raise ImproperlyConfigured(
            f"{name} is too short or has invalid characters."
            f" Use at least {_SHORTEST_TOKEN} random letters and digits."
        )
    return value


def report_address(name: str) -> str:
    """Return the DSN of the Sentry project that gets error reports, or "" if the variable is unset.

    Raise ImproperlyConfigured if the value is not a DSN.
    """
    value = text(name, default="")
    if value and not re.fullmatch(r"https?://\w+(:\w*)?@[\w.-]+(:\d+)?(/[\w/-]*)?/\d+", value):
        raise ImproperlyConfigured(
            f"{name} is not the DSN of a Sentry project. Copy the DSN from Sentry, such as https://key@host/1."
        )
    return value


def release(folder: Path) -> str:
    """Return the version in the pyproject.toml of a folder."""
    with (folder / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def names(name: str, *, default: list[str]) -> list[str]:
    """Return the items of the variable's comma-separated list, or the default if the variable is unset."""
    value = text(name, default="")
    return [part.strip() for part in value.split(",") if part.strip()] if value else default


def folder(name: str, *, default: Path, mode: int) -> Path:
    """Return the path of a folder, and create the folder with this mode if it is missing.

    Raise ImproperlyConfigured if the folder cannot be created.
    """
    path = Path(text(name, default=str(default)))
    try:
        if not path.is_dir():
            path.mkdir(parents=True, exist_ok=True)
            path.chmod(mode)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}: cannot create the folder {path}: {error.strerror}."
            f" Create it, or set {name} to another folder."
        ) from error
    return path


def existing_folder(name: str) -> Path | None:
    """Return the path of the folder in the variable, or None if the variable is unset.

    Raise ImproperlyConfigured if there is no such folder.
    """
    path = text(name, default="")
    if path and not Path(path).is_dir():
        raise ImproperlyConfigured(f"{name}: {path} is not a folder. Set {name} to a folder that exists.")
    return Path(path) if path else None


def database(name: str, *, default: str) -> dj_database_url.DBConfig:
    """Return Django's settings for the database at the URL in the variable, or at the default URL.

    Raise ImproperlyConfigured for an invalid URL or a database other than PostgreSQL and SQLite.
    """
    url = text(name, default=default)
    if url.partition(":")[0] not in {"postgres", "postgresql", "sqlite"}:
        raise ImproperlyConfigured(
            f"{name} is not the URL of a PostgreSQL or SQLite database."
            " Set it to postgres://user:password@host/name or sqlite:///path."
        )
    try:
        return dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} is not a valid URL: {error}. Set it to postgres://user:password@host/name or sqlite:///path."
        ) from error


def redis(name: str) -> str:
    """Return the URL of a Redis or Valkey server, or "" if the variable is unset.

    The scheme of the result is `redis`, `rediss` or `unix`, even for a Valkey server. Raise
    ImproperlyConfigured if the value is not the URL of such a server, or has neither a host nor a socket.
    """
    url = text(name, default="")
    if not url:
        return ""
    scheme, separator, rest = url.partition("://")
    try:
        parts = urlsplit(url)
        is_valid = bool(separator) and _has_place(parts)
    except ValueError:
        is_valid = False
    if not is_valid or scheme not in _REDIS_SCHEMES:
        raise ImproperlyConfigured(
            f"{name} is not the URL of a Redis or Valkey server."
            " Set it to unix:///path/of/socket?db=0 or valkey://:password@host:6379/0."
        )
    return f"{_REDIS_SCHEMES[scheme]}://{rest}"


def _has_place(parts: SplitResult) -> bool:
    """Return whether the URL of a Redis server names a socket or a host, and has a valid database number."""
    if parts.scheme == "unix":
        number = dict(parse_qsl(parts.query, keep_blank_values=True)).get("db", "0")
        return bool(parts.path.strip("/")) and not parts.hostname and number.isdecimal()
    database = parts.path.strip("/")
    return bool(parts.hostname and parts.port != 0) and (database.isdecimal() or database == "")


def broker(url: str) -> str | None:
    """Return the URL of a Redis server in the form that Celery needs, or None for ""."""
    if not url.startswith("unix://"):
        return url or None
    number = dict(parse_qsl(urlsplit(url).query)).get("db", "0")
    return f"redis+socket://{url.removeprefix('unix://').partition('?')[0]}?virtual_host={number}"


def is_open_to_all(url: str) -> bool:
    """Return whether every program that reaches a Redis server can use it.

    The password keeps other programs out, and so does a socket, by the rights of its file.
    """
    parts = urlsplit(url)
    return parts.scheme != "unix" and not parts.password


def mail_server(name: str) -> MailServer | None:
    """Return the mail server whose URL is in the variable, or None if the variable is unset.

    Each scheme has a default port. Raise ImproperlyConfigured if the value is not the URL of an SMTP server,
    or if the URL has a user without a password or a password without a user.
    """
    url = text(name, default="")
    if not url:
        return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    is_valid = parts.scheme in _MAIL_PORTS and host and port != 0 and parts.path in {"", "/"}
    if not is_valid or parts.query or parts.fragment or bool(parts.username) != bool(parts.password):
        raise ImproperlyConfigured(
            f"{name} is not the URL of a mail server. Set it to smtp+tls://user:password@host:587,"
            " or use smtps:// or smtp://. Write an @ in the user or the password as %40."
        )
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.scheme, host, port or _MAIL_PORTS[parts.scheme], user, password)


def site_url(name: str, *, hosts: list[str], https: bool, needed_by: str) -> str:
    """Return the public URL of the site, without a slash at the end. By default, use the first host.

    If the first host is a pattern such as `.example.org`, use localhost instead. `needed_by` names a variable
    that requires a public URL. If that variable is set, raise ImproperlyConfigured for such a pattern. Also
    raise ImproperlyConfigured if the value is not a URL, or has a path.
    """
    scheme = "https" if https else "http"
    value = text(name, default="").rstrip("/")
    if not value and hosts[0].lstrip(".*") == hosts[0]:
        return f"{scheme}://{hosts[0]}"
    if not value and not text(needed_by, default=""):
        return f"{scheme}://localhost"
    if not re.fullmatch(r"https?://([\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:]+\])(:[0-9]{1,5})?", value, re.ASCII):
        raise ImproperlyConfigured(
            f"{name} is {value!r}, which is not a web address. Set it to the public address of the site,"
            f" such as https://judging.example.org. With {needed_by}, e-mails link to it."
        )
    return value


def link(name: str) -> str:
    """Return the web address in the variable, or "" if the variable is unset.

    Raise ImproperlyConfigured if the value is not a web address.
    """
    value = text(name, default="")
    if value and not (re.fullmatch(r"https?://[^\s/?#]+[^\s]*", value)):
        raise ImproperlyConfigured(
            f"{name} is {value!r}, which is not a web address. Set it to an address such as"
            " https://docs.example.org/."
        )
    return value


def private_link(name: str) -> str:
    """Return the web address in the variable, without a slash at the end, or "" if the variable is unset.

    Raise ImproperlyConfigured if the value is not a web address. The error does not quote the value, because
    such an address can contain a password.
    """
    value = text(name, default="").rstrip("/")
    if value and not re.fullmatch(r"https?://[^\s/?#]+[^\s?#]*", value):
        raise ImproperlyConfigured(
            f"{name} is not a web address. Set it to an address such as https://models.example.org/v1."
        )
    return value


def private_text(name: str) -> str:
    """Return the secret in the variable, or "" if the variable is unset.

    Raise ImproperlyConfigured if it has characters that an HTTP header cannot contain. The error does not
    quote the value.
    """
    value = text(name, default="")
    if not re.fullmatch(r"[\x21-\x7e]*", value):
        raise ImproperlyConfigured(
            f"{name} has invalid characters. Use only ASCII letters, digits and signs."
        )
    return value


def sender(name: str, *, needed_by: str) -> str:
    """Return the sender of e-mails, as a@b.org or Name <a@b.org>, or "" if the variable is unset.

    `needed_by` names a variable that requires a sender. Raise ImproperlyConfigured for an invalid sender, and
    for a missing sender if that variable is set.
    """
    value = text(name, default="")
    if not value and not text(needed_by, default=""):
        return ""
    try:
        validate_email(parseaddr(value)[1])
    except ValidationError:
        raise ImproperlyConfigured(
            f"{name} is {value!r}, which is not an e-mail address. Set it to the sender of the e-mails,"
            f" such as Plumbline <plumbline@example.org>. {needed_by} requires it."
        ) from None
    return value


def secret_key(name: str, *, key_file: Path) -> str:
    """Return the key in the variable, or else the key in `key_file`, which is created if it is missing.

    Only the site's account can read the file. Raise ImproperlyConfigured if the key in the variable is too
    short.
    """
    key = text(name, default="")
    if key:
        if len(key) < _SHORTEST_KEY:
            raise ImproperlyConfigured(
                f"{name} is too short. Use at least {_SHORTEST_KEY} random characters."
            )
        return key
    try:
        with os.fdopen(os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
    except FileExistsError:
        pass
    return key_file.read_text()
