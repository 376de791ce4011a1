"""Tools that take something away: facts and notes, or a turn."""
