"""A benchmark and a model in, scores with their floors out."""
