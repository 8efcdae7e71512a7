"""A client for the parts of Prolific's API that a study needs: submissions, bonuses, messages and webhooks.

Source: https://docs.prolific.com/api-reference, read on 2026-11-25. If Prolific is busy or does not
answer, the client repeats a request only if taking effect twice would do no harm. For example, the client
never repeats a payment or a message.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import httpx

from judging.core.services.errors import RefusedError
from judging.platforms.operations import Submission, UnansweredError

_TRIES: Final = 4
_LONGEST_WAIT: Final = 30.0
_BUSY: Final = (429, 500, 502, 503, 504)
_MOST_PAGES: Final = 1_000


@dataclass(frozen=True)
class Client:
    """Prolific's API at the address `api`, with the token of an account.

    All methods raise RefusedError if Prolific refuses a request. They raise UnansweredError if Prolific does
    not answer, reports a server error, or sends an answer that does not match its documentation.
    """

    api: str
    token: str
    seconds: float = 30.0
    """How many seconds to wait for an answer."""
    pause: Callable[[float], None] = time.sleep

    def submissions(self, study: str) -> Iterator[Submission]:
        """Yield all submissions of a study on Prolific."""
        address: str | None = _path("studies", study, "submissions")
        for _ in range(_MOST_PAGES):
            if not address:
                return
            answer = self._json(self._send("GET", address))
            yield from (_submission(row) for row in _field(answer, "results", list))
            following = (answer.get("_links") or {}).get("next") or {}
            address = following.get("href") if isinstance(following, dict) else None
        raise UnansweredError("Prolific's list of submissions does not end. Try again later.")

    def approve(self, submission: str) -> None:
        """Approve a submission, so that Prolific pays its reward. A second request changes nothing."""
        self._send("POST", _path("submissions", submission, "transition"), {"action": "APPROVE"})

    def set_up_bonuses(self, study: str, lines: str) -> tuple[str, float]:
        """Set up bonuses from lines of the form `submission,amount`. Prolific does not pay them yet.

        Return the id of the bonuses, and the amount that Prolific will charge, in cents.
        """
        body = {"study_id": study, "csv_bonuses": lines}
        answer = self._json(self._send("POST", _path("submissions", "bonus-payments"), body))
        return str(_field(answer, "id", str)), float(_field(answer, "total_amount", (int, float)))

    def pay_bonuses(self, bonuses: str) -> None:
        """Pay bonuses that are set up. Call this only once, because each call pays the participants again."""
        self._send("POST", _path("bulk-bonus-payments", bonuses, "pay"), repeats=False)

    def message(self, participant: str, study: str, text: str) -> None:
        """Send a message to a participant of a study."""
        body = {"recipient_id": participant, "study_id": study, "body": text}
        self._send("POST", _path("messages"), body, repeats=False)

    def create_secret(self, workspace: str) -> str:
        """Create the secret that signs the messages of a workspace. It replaces the previous secret."""
        body = {"workspace_id": workspace}
        answer = self._json(self._send("POST", _path("hooks", "secrets"), body, repeats=False))
        return str(_field(answer, "value", str))

    def subscribe(self, workspace: str, address: str, event: str = "submission.status.change") -> str:
        """Subscribe an address to messages about submissions, and return the id of the subscription."""
        body = {"workspace_id": workspace, "event_type": event, "target_url": address}
        answer = self._send("POST", _path("hooks", "subscriptions"), body, repeats=False)
        subscription = str(_field(self._json(answer), "id", str))
        secret = answer.headers.get("X-Hook-Secret", "")
        if not secret:
            raise UnansweredError(
                "Prolific did not send the secret that confirms the subscription. Try again."
            )
        self._send("POST", _path("hooks", "subscriptions", subscription), {"secret": secret})
        return subscription

    def _send(
        self, method: str, address: str, body: dict[str, Any] | None = None, *, repeats: bool = True
    ) -> httpx.Response:
        # Following a link to the next page must not send the token to another host.
        api = httpx.URL(self.api)
        url = api.join(address)
        if (url.scheme, url.netloc) != (api.scheme, api.netloc):
            raise RefusedError(
                f"Prolific sent a link to another host, {url.host}. Nothing was requested there."
            )
        tries = _TRIES if repeats else 1
        for attempt in range(1, tries + 1):
            try:
                answer = httpx.request(
                    method,
                    url,
                    json=body,
                    headers={"Authorization": f"Token {self.token}"},
                    timeout=self.seconds,
                )
            except httpx.HTTPError as error:
                if attempt == tries:
                    raise UnansweredError(
                        f"Prolific did not answer: {error}. Check the connection, and try again."
                    ) from error
                self.pause(2.0**attempt)
                continue
            if answer.status_code not in _BUSY or attempt == tries:
                break
            self.pause(_wait(answer, attempt))
        if answer.is_success:
            return answer
        error_class = UnansweredError if answer.status_code >= 500 else RefusedError
        raise error_class(
            f"Prolific refused {method} {url.path} with status {answer.status_code}: {_reason(answer)}"
        )

    def _json(self, answer: httpx.Response) -> dict[str, Any]:
        try:
            content = answer.json()
        except ValueError:
            content = None
        if not isinstance(content, dict):
            raise UnansweredError(
                f"Prolific's answer from {answer.url.path} is not a JSON object. Try again later."
            )
        return content


def _path(*parts: str) -> str:
    """Return the path of a resource. Percent-encode the ids, because they can come from a worker's link."""
    return "".join(["/api/v1/", *(f"{quote(part, safe='')}/" for part in parts)])


def _wait(answer: httpx.Response, attempt: int) -> float:
    """Return how many seconds to wait: as many as Prolific asks for, or 2 ** `attempt`, up to a limit."""
    asked = answer.headers.get("Retry-After", "")
    seconds = float(asked) if asked.isascii() and asked.isdigit() else 2.0**attempt
    return min(seconds, _LONGEST_WAIT)


def _field(content: dict[str, Any], name: str, kind: type | tuple[type, ...]) -> Any:
    value = content.get(name)
    if not isinstance(value, kind):
        raise UnansweredError(f"Prolific's answer has no valid {name}. Its API may have changed.")
    return value


def _submission(row: object) -> Submission:
    if not isinstance(row, dict):
        raise UnansweredError("Prolific's list of submissions has an entry that is not an object.")
    participant = row.get("participant_id") or row.get("participant") or ""
    return Submission(str(_field(row, "id", str)), str(participant), str(_field(row, "status", str)))


def _reason(answer: httpx.Response) -> str:
    """Return Prolific's explanation of an error, on one line."""
    return " ".join(answer.text.split())[:300] or "it gives no reason"
