"""People in the loop: what they are asked, how they answer, how far they agree, and what becomes of it."""
