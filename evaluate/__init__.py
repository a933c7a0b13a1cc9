"""Asks a model the questions of a benchmark, scores what it answers, and reports beside rules that know nothing."""
