"""What everybody meets first: public pages, the look into the demo, the start page of staff."""
