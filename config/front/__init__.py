"""Public pages, the demo tour, and the start page of staff."""
