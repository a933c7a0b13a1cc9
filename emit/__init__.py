"""A validated graph in, the product out: `graph/*.json` and a page to look at."""
