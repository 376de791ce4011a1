"""The limit of concurrent answer streams, for pages and the API."""

from django.conf import settings

from accounts.support.sse import Streams
from conversations import scheduling

ANSWERS = Streams("answer", lambda: settings.STREAMS_PER_PERSON, scheduling.working, threads=500)
