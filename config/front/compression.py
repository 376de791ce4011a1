"""Compressing what is sent; files of STATIC_ROOT are compressed by WhiteNoise beforehand."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressWholeAnswers(GZipMiddleware):
    """Django's, which adds random bytes against BREACH; streams go out as they are written."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The answer, compressed where it is whole and the client takes it."""
        if response.streaming:
            return response
        return super().process_response(request, response)
