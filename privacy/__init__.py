"""Privacy: exporting, importing, restoring and deleting a user's data."""
