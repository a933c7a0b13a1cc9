"""Grounded paths: ways through the graph from a question to its answer, and what they are worth to a reader."""
