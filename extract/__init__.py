"""A section in, claims with quoted evidence out."""
