"""The most characters that a worker's answer may have; a longer one is asked for again and never stored."""

from typing import Final

LONGEST_NUMBER: Final = 200
LONGEST_REASON: Final = 5000
