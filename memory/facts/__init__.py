"""The profile: facts, how each is believed, when each holds, and what a person does to them."""
