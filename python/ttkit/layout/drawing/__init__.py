"""Pictures of layouts: text as Triton's layout tool prints it, SVG and HTML."""
