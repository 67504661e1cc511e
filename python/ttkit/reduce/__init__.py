"""Makes IR and kernels that show a mistake small (`tt-reduce`): `reducer` says how."""
