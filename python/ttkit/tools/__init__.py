"""Triton's tools for kernels ahead of time, `compile` and `link`; `ttkit aot` does what both do."""
