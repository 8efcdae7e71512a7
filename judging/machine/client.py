"""The client of a model: one question to an OpenAI-compatible chat address, with retries and a limit of rate.

No other module reaches a model. The address and the key come from the settings. They are in no error and no
answer that this module returns.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypedDict

import openai
from django.conf import settings
from django.utils.translation import gettext as _
from openai.types.chat import ChatCompletionMessageParam

from judging.core.services.errors import RefusedError

_REMOVED: Final = "[removed]"


class Message(TypedDict):
    """A message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Reply:
    """What a model answered.

    `is_refused` says that the server marked the answer as a refusal, and `is_cut` that it is incomplete. The
    tokens are None if the server did not count them.
    """

    text: str
    is_refused: bool = False
    is_cut: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None


class NoReplyError(Exception):
    """The model gave no answer. The message says why, without the address or the key."""


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
        self._key = key
        self._pause = 60.0 / per_minute
        self._sleep = sleep
        self._clock = clock
        self._next_at = 0.0
        self._client = openai.OpenAI(
            base_url=url, api_key=key or "none", timeout=timeout, max_retries=retries
        )

    def ask(
        self,
        messages: Sequence[Message],
        *,
        model: str,
        temperature: float,
        seed: int | None,
        most_tokens: int,
    ) -> Reply:
        """Return the answer of the model. Wait first, if the last question was asked too recently.

        The client itself repeats a request after a timeout, a closed connection, or a status such as 429 or
        503, and waits as long as the server says. Raise NoReplyError if there is still no answer.
        """
        self._wait()
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
            fault = _("The model did not answer in time.")
        except openai.APIConnectionError:
            fault = _("The connection to the model failed or broke.")
        except openai.APIStatusError as error:
            fault = _("The server of the model answered with the status {status}.").format(
                status=error.status_code
            )
        except (openai.OpenAIError, ValueError, TypeError, LookupError, AttributeError):
            fault = _("The server of the model answered with something that is not a chat completion.")
        # Without a cause, because the errors of the client quote addresses and what servers wrote.
        raise NoReplyError(fault) from None

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
        """Return a text that the database can store, without the key, in case that a server repeats it."""
        storable = text.encode("utf-8", "replace").decode().replace("\0", "")
        return storable.replace(self._key, _REMOVED) if self._key else storable


def _as_parameter(message: Message) -> ChatCompletionMessageParam:
    match message["role"]:
        case "system":
            return {"role": "system", "content": message["content"]}
        case "user":
            return {"role": "user", "content": message["content"]}
        case _:
            return {"role": "assistant", "content": message["content"]}


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
    return ModelClient(
        url=settings.JUDGE_URL,
        key=settings.JUDGE_KEY,
        timeout=timeout,
        retries=retries,
        per_minute=per_minute,
    )
