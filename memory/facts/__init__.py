"""The profile: facts, their trust, when each holds, and changes by hand."""
