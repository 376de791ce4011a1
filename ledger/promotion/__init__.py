"""Promoting what users say to facts: the gates of the profile, and proposals for approval."""
