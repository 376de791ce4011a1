"""What was disputed and how it was settled. The only room that may change a remembered value."""
