"""How long recall takes on a site of any size: measured through the product's own functions."""
