"""The benchmark's task families: each file finds its questions, right answers and looser readings in the graph."""
