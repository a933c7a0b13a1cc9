"""The shared vocabulary of all rooms: documents, sections, claims, graphs, and how stages run."""
