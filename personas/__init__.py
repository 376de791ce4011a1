"""What kind of professional you are. This room is prepared; nothing lives in it yet."""
