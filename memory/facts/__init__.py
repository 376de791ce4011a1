"""Facts of the user's profile: saving, trust, validity periods, and changes by hand."""
