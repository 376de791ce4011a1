"""Compression of responses; WhiteNoise compresses static files beforehand."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressWholeAnswers(GZipMiddleware):
    """Django's GZipMiddleware, which pads against BREACH, without compressing streams."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response, compressed if it is not a stream and the client accepts it."""
        if response.streaming:
            return response
        return super().process_response(request, response)
