"""Where workers come from and go back to: plain links, and crowd platforms described by study settings."""

from judging.models import Study
from judging.platforms.base import Arrival, Platform
from judging.platforms.direct import LINK, Direct
from judging.platforms.generic import Generic

_PLATFORMS: dict[str, Platform] = {"direct": Direct(), "generic": Generic()}

__all__ = ["LINK", "Arrival", "Platform", "platform_of"]


def platform_of(study: Study) -> Platform:
    return _PLATFORMS[study.platform]
