"""What conversations are about."""
