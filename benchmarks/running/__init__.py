"""Whole copies of the product as `manage.py up` starts them."""
