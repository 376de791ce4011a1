"""The pages of the profile, memories, sharing, activity and roles."""
