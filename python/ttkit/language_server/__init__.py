"""The language server `tt-lsp`: MLIR's own, and what it lacks, beside it.

    editor <-> relay.py <-> MLIR's server (C++)      diagnostics, definitions, uses, completion, hovering
                        <-> analysis.py              documentation, layouts, hints, what the passes of RUN lines say

Both run in processes of their own: input that kills one of them costs one answer, not the session.
"""
