"""A local server that speaks MTurk's HTTP as far as boto3's client needs it here."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.listening import Listening, Request, reply

PAGE = 2


class MTurk(Listening):
    """`assignments` maps ids to rows; `bonuses`, `approved` and `rejected` are what it was asked to do."""

    def __init__(self) -> None:
        self.assignments: dict[str, dict[str, str]] = {}
        self.reward = "0.90"
        self.bonuses: dict[str, dict[str, str]] = {}
        self.approved: list[str] = []
        self.rejected: list[tuple[str, str]] = []
        self.failing = ""
        """The operation that fails."""
        self.after = False
        """Whether a failing operation has its effect all the same."""
        super().__init__()

    def answer(self, request: Request, body: bytes) -> None:
        operation = request.headers["X-Amz-Target"].partition(".")[2]
        status, content = self.outcome(operation, json.loads(body))
        kind = {"Content-Type": "application/x-amz-json-1.1"}
        reply(request, status, json.dumps(content).encode(), kind)

    def add(self, assignment: str, worker: str, status: str = "Submitted") -> None:
        self.assignments[assignment] = {
            "AssignmentId": assignment,
            "WorkerId": worker,
            "HITId": "H1",
            "AssignmentStatus": status,
        }

    def outcome(self, operation: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if operation == self.failing and not self.after:
            return _error("The account has no money.", "AWS.MechanicalTurk.InsufficientFunds")
        answer = self.act(operation, body)
        return _error("Try later.", "Unknown") if operation == self.failing else answer

    def act(self, operation: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if operation == "ListAssignmentsForHIT":
            start = int(body.get("NextToken", 0))
            rows = list(self.assignments.values())
            content: dict[str, Any] = {"Assignments": rows[start : start + PAGE]}
            if start + PAGE < len(rows):
                content["NextToken"] = str(start + PAGE)
            return 200, content
        if operation == "GetHIT":
            return 200, {"HIT": {"HITId": body["HITId"], "Reward": self.reward}}
        if operation == "ApproveAssignment":
            self.assignments[body["AssignmentId"]]["AssignmentStatus"] = "Approved"
            self.approved.append(body["AssignmentId"])
        elif operation == "RejectAssignment":
            self.rejected.append((body["AssignmentId"], body["RequesterFeedback"]))
        elif operation == "SendBonus":
            if body["UniqueRequestToken"] in self.bonuses:
                return _error("This bonus was paid.", "AWS.MechanicalTurk.DuplicateRequest")
            self.bonuses[body["UniqueRequestToken"]] = body
        return 200, {}


def _error(message: str, code: str) -> tuple[int, dict[str, Any]]:
    return 400, {"__type": "RequestError", "Message": f"{message} ({code})", "TurkErrorCode": code}


@pytest.fixture
def mturk() -> Iterator[MTurk]:
    """A running stand-in."""
    server = MTurk()
    yield server
    server.stop()
