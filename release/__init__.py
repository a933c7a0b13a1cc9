"""Packages a graph and what was derived from it for downstream teams, checks such packages and compares them."""
