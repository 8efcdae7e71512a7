"""A model that stands in for real ones: an HTTP server that speaks the chat-completions protocol.

It judges documents by their text: `worth` gives the true value of a text. A bias, an exponent and noise
distort the value, as real judges do. `faults` are what goes wrong with the next requests, one for each.
"""

import json
import re
import time
from collections import deque
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final

from tests.support.listening import Listening, Request, reply

FENCED: Final = re.compile(r"<<<TEXT (?P<nonce>\w+)>>>\n(?P<text>.*?)\n<<<END (?P=nonce)>>>", re.DOTALL)
_OPTION: Final = re.compile(r"^([A-Z])\. (.*)$", re.MULTILINE)
_ORDER: Final = re.compile(r"ORDER: answer (\S+)")
KEY: Final = "sk-stand-in-0123456789-secret"
"""The key that the server wants."""


class StandIn(Listening):
    """A good judge, unless told otherwise.

    `right` maps the text of each question to the words of the right answer. `scale` says what it answers for
    documents: magnitude, 0-100, grades or preference. An obeying judge does what documents order. A judge
    that follows places prefers the first document of a pair whatever it says.
    """

    def __init__(
        self, worth: Callable[[str], float], right: dict[str, str], *, scale: str = "magnitude"
    ) -> None:
        self.worth = worth
        self.right = right
        self.scale = scale
        self.bias, self.exponent, self.noise = 1.0, 1.0, 0.0
        self.obeys = False
        self.follows_place = 0.0
        self.is_blind = False
        """Whether all lines look the same to it."""
        self.knows = True
        """Whether it answers the questions about topics rightly."""
        self.inverts = 0
        """How many of the next questions about documents it answers the wrong way round."""
        self.faults: deque[str] = deque()
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.counts_tokens = True
        super().__init__()

    @property
    def url(self) -> str:
        return f"{self.address}/v1"

    @property
    def prompts(self) -> list[str]:
        """Return the messages of each request, as text."""
        return [json.dumps(request["messages"]) for request in self.requests]

    def fail_next(self, faults: Iterable[str]) -> None:
        self.faults.extend(faults)

    def answer(self, request: Request, body: bytes) -> None:
        assert request.path == "/v1/chat/completions"
        asked = json.loads(body)
        self.requests.append(asked)
        self.keys.append(request.headers["Authorization"])
        fault = self.faults.popleft() if self.faults else ""
        if fault in _FAULTS:
            _FAULTS[fault](request)
            return
        text, extra = self._say(asked["messages"]), {}
        if fault == "refusal":
            text, extra = None, {"refusal": "I will not judge this."}
        elif fault == "polite refusal":
            text = "I'm sorry, but I can't help with that."
        elif fault == "unparsable":
            text = "Reason: It is about bats.\nAnswer: quite a lot"
        elif fault == "no lines":
            text = "This document is about bats, and so is the topic."
        elif fault == "key":
            text = f"Reason: Your key is {KEY}.\nAnswer: 7"
        elif fault == "address":
            text = f"Reason: Sent by {self.url}.\nAnswer: 7"
        elif fault == "length":
            text = "Reason: It is about bats.\nAnswer: 1"
        elif fault == "slow":
            time.sleep(1.5)
        ended = "length" if fault == "length" else "stop"
        reply(request, 200, self._completion(text, extra, ended), {"Content-Type": "application/json"})

    def _completion(self, text: str | None, extra: dict[str, Any], ended: str) -> bytes:
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        message = {"role": "assistant", "content": text, **extra}
        completion = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "stand-in",
            "choices": [{"index": 0, "message": message, "finish_reason": ended}],
        }
        return json.dumps(completion | ({"usage": usage} if self.counts_tokens else {})).encode()

    def _say(self, messages: list[dict[str, str]]) -> str:
        asked = messages[1]["content"]
        if asked.startswith("Practice"):
            return f"Answer: {self._line(asked)}"
        if "Only one answer is right." in asked:
            return f"Answer: {self._choose(asked)}"
        return self._judge(asked)

    def _line(self, asked: str) -> str:
        rows = [len(row) for row in re.findall(r"#+", asked)]
        if self.scale == "preference":
            first, second = rows[-2:]
            longer = "The first line" if first > second or self.is_blind else "The second line"
            return _letter(asked, longer)
        if self.scale == "grades":
            place = int(re.search(r"How long is line (\d)", asked)[1])
            step = 0 if self.is_blind else round(sorted(rows).index(rows[place - 1]) * 3 / 2)
            return "ABCD"[step]
        return "5" if self.is_blind else f"{rows[-1]}"

    def _choose(self, asked: str) -> str:
        right = next(words for question, words in self.right.items() if question in asked)
        letters = {words: letter for letter, words in _OPTION.findall(asked)}
        return letters[right] if self.knows else next(value for key, value in letters.items() if key != right)

    def _judge(self, asked: str) -> str:
        # The documents come last, after the earlier answers, but before the answers to revise.
        asked_for = asked.split("You can revise")[0]
        texts = [fenced["text"] for fenced in FENCED.finditer(asked_for)]
        if self.scale == "preference":
            return self._compare(asked, *texts[-2:])
        text = texts[-1]
        if self.obeys and (order := _ORDER.search(text)):
            return f"Reason: I was told so.\nAnswer: {order[1]}"
        worth = self._seen(text)
        if self.inverts:
            self.inverts -= 1
            worth = 100 / worth
        if self.scale == "grades":
            return f"Reason: {text[:40]}\nAnswer: {min(3, max(0, round(worth / 33)))}"
        if self.scale == "0-100":
            worth = min(100.0, worth)
        return f"Reason: So says “{text[:40]}”.\n**Answer:** {worth:.2f}"

    def _compare(self, asked: str, first: str, second: str) -> str:
        follows = Random(asked).random() < self.follows_place
        a, b = self._seen(first), self._seen(second)
        best = (
            "The first document" if follows or a > b else "The second document" if a < b else "Both equally"
        )
        return f"Reason: {first[:20]} and {second[:20]}.\nAnswer: {_letter(asked, best)}"

    def _seen(self, text: str) -> float:
        value = self.bias * self.worth(text) ** self.exponent
        return float(value * 2.718281828 ** Random(text).gauss(0, self.noise))


def _letter(asked: str, words: str) -> str:
    return next(letter for letter, option in _OPTION.findall(asked) if option == words)


def _cut(request: Request) -> None:
    request.send_response(200)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b'{"id": "1", "choi')
    request.close_connection = True


def _close(request: Request) -> None:
    request.close_connection = True
    request.connection.close()


def _told(status: int, data: bytes, headers: dict[str, str] | None = None) -> Callable[[Request], None]:
    return lambda request: reply(
        request, status, data, {"Content-Type": "application/json", **(headers or {})}
    )


_FAULTS: Final[dict[str, Callable[[Request], None]]] = {
    "429": _told(429, b'{"error": {"message": "slow down"}}', {"Retry-After": "0.2"}),
    "500": _told(500, b"{}", {"Retry-After": "0.1"}),
    "503": _told(503, b"{}", {"Retry-After": "0.1"}),
    "400": _told(400, b'{"error": {"message": "context length exceeded"}}'),
    "401": _told(401, f'{{"error": {{"message": "Incorrect API key: {KEY}"}}}}'.encode()),
    "cut": _cut,
    "closed": _close,
    "wrong JSON": _told(200, b'{"choices": [{'),
    "other JSON": _told(200, b'{"result": "fine"}'),
    "empty choices": _told(200, b'{"choices": []}'),
    "a list": _told(200, b"[1, 2]"),
}
