"""Rate limit of API requests per user, and its response headers."""

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
    # This module is itself imported by DRF's settings.
    from rest_framework.views import APIView

log = structlog.get_logger(__name__)
# The counting period in seconds.
PERIOD = 60


class PersonThrottle(BaseThrottle):
    """Allows `API_LIMIT` requests per user and minute; headers say how many are left.

    Requests are counted by clock minute in the hot cache: with Redis for all processes, else in
    each process.
    """

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Count the request and set the headers. Raises Throttled above the limit."""
        limit = int(settings.API_LIMIT)
        if limit <= 0 or not request.user.is_authenticated:
            return True
        # A service that acts for many users counts as one caller.
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
    """Return the count for the key including this request; 1 if the cache is down."""
    with best_effort(lambda error: log.warning("not_counted", error=type(error).__name__)):
        cache = caches["hot"]
        cache.add(key, 0, timeout=2 * PERIOD)
        return int(cache.incr(key))
    return 1
