"""What pages call the numbers that workers give, depending on the study's scale, such as magnitudes."""

from django.utils.translation import gettext as _

from judging.models import Study
from judging.protocol.scales import scale_of, shown_answer


def name_of_number(study: Study) -> str:
    """Return the name of one number, such as the heading of a column."""
    return _(scale_of(study).words.number)


def name_of_numbers(study: Study) -> str:
    """Return the name of several numbers, such as the heading of a section."""
    return _(scale_of(study).words.numbers)


def label_of(study: Study, number: float | None) -> str:
    """Return the label of a number, such as “relevant” for a grade, or "" if the number has none."""
    if number is None:
        return ""
    text = f"{number:g}"
    label = shown_answer(text, study)
    return "" if label == text else label
