"""A document in, its chapters and sections out, no character lost."""
