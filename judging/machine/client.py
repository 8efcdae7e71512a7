"""The client of a model: one question to an OpenAI-compatible chat address, with retries and a limit of rate.

No other module reaches a model. The address and the key come from the settings. They are in no error and no
answer that this module returns.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypedDict
from urllib.parse import urlsplit

import openai
from django.conf import settings
from django.utils.translation import gettext as _
from openai.types.chat import ChatCompletionMessageParam

from judging.core.services.errors import RefusedError

_REMOVED: Final = "[removed]"
_SHORTEST_SECRET: Final = 8
"""Shorter keys are not secret. Local servers often take any, and answers could contain them by chance."""
_FIRST_WAIT: Final = 0.5
"""The seconds before a request is repeated for the first time. They double each time."""
_LONGEST_WAIT: Final = 3600.0
_LATER: Final = (408, 409, 429)
"""The statuses with which a server asks to repeat a request later."""
_REJECTED: Final = (400, 413, 422)
"""The statuses of a question that the server does not accept: it is too long, or its content is filtered."""
_SERVER_FAULT: Final = 500


class Message(TypedDict):
    """A message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Reply:
    """What a model answered.

    `is_refused` says that the server marked the answer as a refusal, and `is_cut` that it is incomplete. The
    tokens are None if the server did not count them. `unanswered` is the number of earlier requests for this
    answer that the server may have worked on, although their answers did not arrive.
    """

    text: str
    is_refused: bool = False
    is_cut: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None
    unanswered: int = 0


class NoReplyError(Exception):
    """The model gave no answer. The message says why, without the address or the key.

    `can_repeat` says that the same request may succeed later, and `after` says when, in seconds, if the
    server said so. `is_rejected` says that the server does not accept this question. `unanswered` is the
    number of requests that the server may have worked on.
    """

    def __init__(
        self,
        message: str,
        *,
        can_repeat: bool = False,
        after: float | None = None,
        is_rejected: bool = False,
        unanswered: int = 0,
    ) -> None:
        super().__init__(message)
        self.can_repeat = can_repeat
        self.after = after
        self.is_rejected = is_rejected
        self.unanswered = unanswered


class ModelClient:
    """Asks one model. `sleep` and `clock` are replaced in tests."""

    def __init__(
        self,
        *,
        url: str,
        key: str,
        timeout: float,
        retries: int,
        per_minute: float,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._retries = retries
        self._secrets = secrets_in(url, key)
        self._pause = 60.0 / per_minute
        self._sleep = sleep
        self._clock = clock
        self._next_at = 0.0
        # The client's own retries would pass the limits of the judge and the pause between requests.
        self._client = openai.OpenAI(base_url=url, api_key=key or "none", timeout=timeout, max_retries=0)

    def ask(
        self,
        messages: Sequence[Message],
        *,
        model: str,
        temperature: float,
        seed: int | None,
        most_tokens: int,
        before: Callable[[int], object] = lambda unanswered: None,
    ) -> Reply:
        """Return the answer of the model. Wait first, if the last question was asked too recently.

        Repeat the request after a timeout, a closed connection, or a status such as 429 or 503, and wait as
        long as the server says. `before` is called before each request with the number of earlier ones that
        the server may have worked on, and can raise an exception to stop. Raise NoReplyError if there is
        still no answer.
        """
        unanswered = 0
        for attempt in range(1 + self._retries):
            before(unanswered)
            self._wait()
            try:
                reply = self._ask_once(messages, model, temperature, seed, most_tokens)
            except NoReplyError as error:
                unanswered += error.unanswered
                error.unanswered = unanswered
                if not error.can_repeat or attempt == self._retries:
                    raise
                self._sleep(_FIRST_WAIT * 2**attempt if error.after is None else error.after)
            else:
                return replace(reply, unanswered=unanswered)
        raise AssertionError("the last attempt returns or raises")

    def _ask_once(
        self, messages: Sequence[Message], model: str, temperature: float, seed: int | None, most_tokens: int
    ) -> Reply:
        content: list[ChatCompletionMessageParam] = [_as_parameter(message) for message in messages]
        try:
            completion = self._client.chat.completions.create(
                model=model,
                messages=content,
                temperature=temperature,
                seed=openai.omit if seed is None else seed,
                max_tokens=most_tokens,
            )
            return self._read(completion)
        except openai.APITimeoutError:
            failed = NoReplyError(_("The model did not answer in time."), can_repeat=True, unanswered=1)
        except openai.APIConnectionError:
            fault = _("The connection to the model failed or broke.")
            failed = NoReplyError(fault, can_repeat=True, unanswered=1)
        except openai.APIStatusError as error:
            status = error.status_code
            failed = NoReplyError(
                _("The server of the model answered with the status {status}.").format(status=status),
                can_repeat=status in _LATER or status >= _SERVER_FAULT,
                after=_seconds(error.response.headers.get("retry-after")),
                is_rejected=status in _REJECTED,
                unanswered=int(status >= _SERVER_FAULT),
            )
        except (openai.OpenAIError, ValueError, TypeError, LookupError, AttributeError):
            fault = _("The server of the model answered with something that is not a chat completion.")
            failed = NoReplyError(fault, unanswered=1)
        # Without a cause, because the errors of the client quote addresses and what servers wrote.
        raise failed from None

    def _wait(self) -> None:
        now = self._clock()
        if now < self._next_at:
            self._sleep(self._next_at - now)
            now = self._next_at
        self._next_at = now + self._pause

    def _read(self, completion: Any) -> Reply:
        """Return the answer in a completion. Its fields can be missing, because the client does not check."""
        choice = completion.choices[0]
        text = choice.message.content
        refusal = getattr(choice.message, "refusal", None)
        if text is not None and not isinstance(text, str):
            raise TypeError("the content is no text")
        usage = completion.usage
        return Reply(
            text=self._clean(refusal or text or ""),
            is_refused=bool(refusal) or choice.finish_reason == "content_filter",
            is_cut=choice.finish_reason == "length",
            input_tokens=_count(getattr(usage, "prompt_tokens", None)),
            output_tokens=_count(getattr(usage, "completion_tokens", None)),
        )

    def _clean(self, text: str) -> str:
        """Return a text that the database can store, without address and key, which a server can repeat."""
        storable = text.encode("utf-8", "replace").decode().replace("\0", "")
        for secret in self._secrets:
            storable = storable.replace(secret, _REMOVED)
        return storable


def _as_parameter(message: Message) -> ChatCompletionMessageParam:
    match message["role"]:
        case "system":
            return {"role": "system", "content": message["content"]}
        case "user":
            return {"role": "user", "content": message["content"]}
        case _:
            return {"role": "assistant", "content": message["content"]}


def secrets_in(url: str, key: str) -> list[str]:
    """Return what must be in no stored text: the key, the address, and its host with and without the port."""
    parts = urlsplit(url)
    found = {key, url, url.rstrip("/"), parts.netloc, parts.hostname or ""}
    return sorted((text for text in found if len(text) >= _SHORTEST_SECRET), key=len, reverse=True)


def _seconds(text: str | None) -> float | None:
    """Return how long a server asks to wait, or None if it names no number of seconds."""
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return min(max(0.0, seconds), _LONGEST_WAIT) if seconds == seconds else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else None


def client_from_settings(*, timeout: float, retries: int, per_minute: float) -> ModelClient:
    """Return a client for the address in the settings. Raise RefusedError if there is no address."""
    if not settings.JUDGE_URL:
        raise RefusedError(
            _(
                "PLUMBLINE_JUDGE_URL is not set. Set it to the chat address of the model, such as"
                " http://127.0.0.1:8000/v1, and PLUMBLINE_JUDGE_KEY to its key."
            )
        )
    try:
        return ModelClient(
            url=settings.JUDGE_URL,
            key=settings.JUDGE_KEY,
            timeout=timeout,
            retries=retries,
            per_minute=per_minute,
        )
    except Exception:  # whatever the client raises for an address, it quotes it
        raise RefusedError(
            _("PLUMBLINE_JUDGE_URL is not a valid address. Write it like http://127.0.0.1:8000/v1.")
        ) from None
