"""Claims in, one graph out: section, then book, then subject."""
