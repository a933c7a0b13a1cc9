"""Multiple-choice questions by level: so many hops from what is asked about to the answer (KNIGHT)."""
