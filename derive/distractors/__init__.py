"""Distractors found by walking the graph away from what a question asks (KGGDG, recipe `derive=distractors`)."""
