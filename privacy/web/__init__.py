"""Pages and API of the privacy package."""
