"""Putting a copy back: what a file holds is looked at first, and restored by the worker.

The file is anybody's: nothing in it is believed. `opening` bounds it, `lines` judges every row,
`tables` says what is taken and what is not, `writing` writes it, all in one transaction.
"""
