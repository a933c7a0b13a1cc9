"""A finished graph in, what can be made from it out: benchmark, training data."""
