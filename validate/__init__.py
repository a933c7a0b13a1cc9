"""A merged graph in, findings out: schema, evidence, acyclicity."""
