"""The notes beside the profile: made, merged, proposed, faded, counted."""
