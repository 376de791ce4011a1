"""What whoever runs the site sees of it: the page Health, and the gauges of `/metrics`."""
