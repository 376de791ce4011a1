"""What kind of professional somebody is: the personas there are, and who belongs to which."""
