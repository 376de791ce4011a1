"""Upload handling: files are streamed to disk, up to the maximum size."""

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler

# Size of the other fields of a form, in bytes.
_SPARE = 64 * 1024


class WithinBounds(TemporaryFileUploadHandler):
    """An upload handler that drops the file of a request that is too long."""

    too_long = False

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *_: Any) -> None:  # noqa: N803
        """Check the announced length of the request; servers read no further than that."""
        self.too_long = _is_too_long(content_length)

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Start a file, or drop it if the request is too long."""
        if self.too_long:
            raise SkipFile
        super().new_file(*args, **kwargs)


def is_too_long(request: Any) -> bool:
    """Return whether a request is larger than the maximum size."""
    return _is_too_long(int(request.headers.get("Content-Length") or 0))


def _is_too_long(content_length: int) -> bool:
    return bool(content_length > settings.PRIVACY["restore_megabytes"] * 1024 * 1024 + _SPARE)
