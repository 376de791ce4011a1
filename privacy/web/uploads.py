"""Files that are sent here: put on the disk while they come, up to the largest that is taken."""

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler

# What a form has beside its file.
_SPARE = 64 * 1024


class WithinBounds(TemporaryFileUploadHandler):
    """Passes over the file of a request that is too long; whoever reads it finds none."""

    too_long = False

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *_: Any) -> None:  # noqa: N803
        """Look at how long the request says that it is; a server reads no further than that."""
        self.too_long = _is_too_long(content_length)

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin a file, or pass it over."""
        if self.too_long:
            raise SkipFile
        super().new_file(*args, **kwargs)


def is_too_long(request: Any) -> bool:
    """Return whether a request holds a larger file than any that is taken."""
    return _is_too_long(int(request.headers.get("Content-Length") or 0))


def _is_too_long(content_length: int) -> bool:
    return bool(content_length > settings.PRIVACY["restore_megabytes"] * 1024 * 1024 + _SPARE)
