"""`ttkit upgrade-report`: the places of a program that another version of Triton understands differently.

`sources.py` reads the sources by the rules of `usage.py`; `kernels.py` builds each kernel that a script launches by the
rules of both versions, and compares; `changes.py` says what it may find; `report.py` writes the findings.
"""
