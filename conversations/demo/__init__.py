"""The demonstration: demo users, their logins, and two months of conversations made by real
turns.
"""
