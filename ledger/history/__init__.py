"""What was done to a person's notes, and when: the log, the timeline, the newest changes."""
