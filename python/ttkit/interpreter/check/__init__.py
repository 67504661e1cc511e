"""Results before and after passes, and random inputs and programs to get them with."""
