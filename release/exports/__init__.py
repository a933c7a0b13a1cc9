"""A released graph in the forms of other tools; one file per form, each a function from a graph to bytes."""
