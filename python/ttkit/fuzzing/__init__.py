"""Random programs for a pass (`ttkit fuzz`): checked, made small, and kept as tests."""
