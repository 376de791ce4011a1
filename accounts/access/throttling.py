"""How many requests one person may send to the API, and the headers that tell it."""

import time
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.core.cache import caches
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.models import ApiToken
from accounts.support.best_effort import best_effort

if TYPE_CHECKING:
    # It loads the throttles itself.
    from rest_framework.views import APIView

log = structlog.get_logger(__name__)
# In seconds: the time for which requests are counted together.
PERIOD = 60


class PersonThrottle(BaseThrottle):
    """Lets a person send `API_LIMIT` requests in a minute and tells in headers what is left.

    Requests are counted by the minute of the clock, in the hot cache: with Redis for all processes
    together, else each process counts its own.
    """

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Count the request and set the headers. Raises Throttled for one too many."""
        limit = int(settings.API_LIMIT)
        if limit <= 0 or not request.user.is_authenticated:
            return True
        # A service that acts for many people is one caller.
        caller = request.auth.user_id if isinstance(request.auth, ApiToken) else request.user.pk
        minute, into = divmod(time.time(), PERIOD)
        count, reset = _count(f"api:{caller}:{minute:.0f}"), max(1, int(PERIOD - into))
        view.headers |= {
            "RateLimit-Limit": str(limit),
            "RateLimit-Remaining": str(max(0, limit - count)),
            "RateLimit-Reset": str(reset),
        }
        if count > limit:
            sentence = f"You sent more than {limit} requests in a minute. Wait, then try again."
            raise Throttled(wait=reset, detail=sentence)
        return True


def _count(key: str) -> int:
    """How often this was counted, this time included; 1 where the cache is away."""
    with best_effort(lambda error: log.warning("not_counted", error=type(error).__name__)):
        cache = caches["hot"]
        cache.add(key, 0, timeout=2 * PERIOD)
        return int(cache.incr(key))
    return 1
