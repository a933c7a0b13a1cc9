"""Textbook files in, `Document`s out: one engine a file."""
