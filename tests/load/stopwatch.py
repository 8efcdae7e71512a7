"""What every request took, kept by what it was for."""

from array import array
from collections import Counter, defaultdict
from dataclasses import dataclass

from tests.load.connection import Answer

FETCH, STORE = "page fetched", "answer stored"


@dataclass(frozen=True)
class Times:
    """Milliseconds of one kind of request."""

    number: int
    p50: float
    p95: float
    p99: float
    longest: float


class Stopwatch:
    """Requests since it was started. Only a document's page is fetched, and only an answer is stored."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin again, as after warming up."""
        self.milliseconds: dict[str, array[float]] = defaultdict(lambda: array("d"))
        self.stored_at: array[float] = array("d")
        self.faults: Counter[str] = Counter()

    def note(self, method: str, path: str, answer: Answer, began: float, ended: float) -> None:
        """One request and its answer, at these times of one clock, in seconds."""
        kind = "other"
        if "/judge/" in path:
            stored = method == "POST" and answer.status == 302
            kind = STORE if stored else FETCH if method == "GET" and answer.status == 200 else "other"
            if stored:
                self.stored_at.append(ended)
        if answer.status >= 400:
            self.fault(str(answer.status))
        self.milliseconds[kind].append((ended - began) * 1000)

    def fault(self, what: str) -> None:
        """A request that was not answered, or not well."""
        self.faults[what] += 1

    def times(self, *kinds: str) -> Times:
        """Percentiles by the nearest rank, of these kinds of requests together."""
        values = sorted(value for kind in kinds for value in self.milliseconds.get(kind, ()))
        at = [values[max(0, -(-len(values) * q // 100) - 1)] if values else 0.0 for q in (50, 95, 99, 100)]
        return Times(len(values), *(round(value, 1) for value in at))
