"""Operation of the site: environment, checks, probes, backup, pruning and the management
commands."""
