"""The pages of conversations, their API, and messages as a page shows them."""
