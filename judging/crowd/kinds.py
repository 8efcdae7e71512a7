"""The kinds of simulated workers: how they behave in a study on the site.

`evaluation.crowds` draws everything about a worker that shapes the judgments: numbers, care and time. A kind
adds what exists only on the site, such as practice lines, questions and going back. Only `presses_back`
follows a published figure. In the original study (Turpin et al., SIGIR 2015), workers went back in fewer than
3 % of the units.
"""

from dataclasses import dataclass
from typing import Final

from evaluation.crowds import Workers


@dataclass(frozen=True)
class Kind:
    """A kind of worker.

    `eye` is the standard deviation of ln magnitude for practice lines. `words_per_second` is the reading
    speed for pages without a document. The other numbers are the probabilities of these events:

    - `understands`: the worker answers a question correctly;
    - `stays`: the worker takes another unit;
    - `slips`: the worker types an invalid number for a document before a valid one;
    - `presses_back`: the worker goes back to the previous document once in a unit;
    - `breaks_off`: the worker leaves the page during a unit, perhaps for good;
    - `gives_back`: the worker returns a unit.
    """

    name: str
    about: str
    eye: float
    words_per_second: float
    understands: float
    stays: float = 0.8
    presses_back: float = 0.015
    breaks_off: float = 0.02
    gives_back: float = 0.01
    slips: float = 0.005


READER: Final = Kind(
    name="reader",
    about="reads nearly every document",
    eye=0.06,
    words_per_second=3.6,
    understands=0.96,
)
CARELESS: Final = Kind(
    name="careless",
    about="judges more than one document in ten without reading it",
    eye=0.2,
    words_per_second=8.0,
    understands=0.8,
    stays=0.65,
    breaks_off=0.06,
    gives_back=0.03,
    slips=0.01,
)
SPAMMER: Final = Kind(
    name="spammer",
    about="never reads a document, and sometimes inverts the numbers after a failed check",
    eye=0.3,
    words_per_second=40.0,
    understands=0.6,
    stays=0.7,
    breaks_off=0.04,
    gives_back=0.0,
    slips=0.03,
)

KINDS: Final = {kind.name: kind for kind in (READER, CARELESS, SPAMMER)}
CARELESS_LAPSES: Final = 0.1
"""A worker is careless if the chance of judging a document without reading it is above this value."""


def kind_of(worker: Workers) -> Kind:
    """Return the kind of a single worker."""
    if not worker.reads[0]:
        return KINDS["spammer"]
    return KINDS["careless" if worker.lapses[0] > CARELESS_LAPSES else "reader"]
