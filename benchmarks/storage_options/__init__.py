"""Five ways to keep what is remembered across conversations, beside the product's own."""
