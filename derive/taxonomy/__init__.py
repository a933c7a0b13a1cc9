"""Two trees from one graph, definitions and questions for them, and what a model knows of each part."""
