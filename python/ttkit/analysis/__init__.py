"""Facts about a program that passes ask for.  They read IR and never change it (docs/analyses.md)."""
