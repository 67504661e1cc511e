"""Analyses of programs for passes.  They read IR and never change it (docs/analyses.md)."""
