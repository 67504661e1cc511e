"""The tt, ttg and ttng dialects as MLIR's bindings present a dialect: a module each, with op classes and builders."""
