"""The selection rules: a file of kernels for each, and what else is known of them in ``core.search.rules.table``."""
