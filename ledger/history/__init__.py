"""The history of a user's facts and memories: log, timeline and latest changes."""
