"""Reading the measures that somebody asks a report for, before anything is computed."""

from typing import Final

from evaluation.errors import InputError
from evaluation.measures import parse

MOST_MEASURES: Final = 20
LONGEST: Final = 1000
MEASURES: Final = ("nDCG@10", 'ERR(gmax="topic")@10')


def asked_measures(text: str, *, of_magnitudes: bool = False) -> tuple[list[str], list[str]]:
    """Return the measures in a text, one a line, each once and in its own notation; and its faults.

    With `of_magnitudes`, a measure that needs `gmax` for magnitudes and lacks it is a fault.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines or len(lines) > MOST_MEASURES or len(text) > LONGEST:
        return [], [f"Write 1 to {MOST_MEASURES} measures, one a line, such as nDCG@10."]
    measures, faults = [], []
    for number, line in lines:
        try:
            measure = parse(line)
        except InputError as fault:
            faults.append(f"Line {number}: {fault}.")
            continue
        measures.append(str(measure))
        if of_magnitudes and measure.needs_whole_gains:
            by_topic = measure.with_gmax_of_topic()
            faults.append(
                f"Line {number}: magnitudes are not whole numbers, so {measure} needs gmax. "
                f"Write {by_topic} for the largest gain of each topic."
            )
    return list(dict.fromkeys(measures)), faults
