"""Files that are sent here: put on the disk while they come, up to the largest that is taken.

A copy is the one file that anybody sends.
"""

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler

# What a form has beside its file.
_SPARE = 64 * 1024


class WithinBounds(TemporaryFileUploadHandler):
    """Passes over the file of a request that is too long; whoever reads it finds none."""

    too_long = False

    def handle_raw_input(
        self,
        input_data: Any,
        META: dict[str, str],  # noqa: N803
        content_length: int,
        boundary: Any,
        encoding: str | None = None,
    ) -> None:
        """Look at how long the request says that it is; a server reads no further than that."""
        self.too_long = is_too_long(content_length)

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin a file, or pass it over."""
        if self.too_long:
            raise SkipFile
        super().new_file(*args, **kwargs)


def is_too_long(content_length: int) -> bool:
    """Whether a request of so many bytes holds a larger file than any that is taken."""
    return bool(content_length > settings.PRIVACY["restore_megabytes"] * 1024 * 1024 + _SPARE)
