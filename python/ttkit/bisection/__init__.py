"""Finds what makes a result wrong: which kernel, which pass, which application of a pattern.

`launch_watch` watches the launches of a script, `applications` counts patterns, `reproducer` makes a finding a file.
"""
