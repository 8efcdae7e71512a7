"""What pages call the numbers that workers give, depending on the study's scale, such as magnitudes."""

from django.utils.translation import gettext as _

from judging.models import Study
from judging.protocol.scales import scale_of


def name_of_number(study: Study) -> str:
    """Return the name of one number, such as the heading of a column."""
    return _(scale_of(study).words.number)


def name_of_numbers(study: Study) -> str:
    """Return the name of several numbers, such as the heading of a section."""
    return _(scale_of(study).words.numbers)
