"""Records what Triton specializes the calls of test/unit/specialization_cases.py for, in test/data/specialization.json.

    PYTHON_WITH_TRITON test/oracle/record_specialization.py

No GPU is needed.  test/unit/test_specialization.py compares ttkit with the file.
"""

import importlib.util
import json
import sys
import tempfile
from pathlib import Path

TEST = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TEST / "unit"))

import specialization_cases as cases  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import make_backend  # noqa: E402
from triton.runtime.jit import create_function_from_signature  # noqa: E402
from triton.tools.tensor_descriptor import TensorDescriptor  # noqa: E402


def load(made, folder):
    """The cases' kernels as a module, from a file in the folder."""
    path = Path(folder) / "kernels.py"
    path.write_text(cases.source_of(made))
    spec = importlib.util.spec_from_file_location("kernels", path)
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(jit=triton.jit, tl=tl, options=[case["options"] for case in made])
    sys.modules["kernels"] = module
    spec.loader.exec_module(module)
    return module


def main():
    made = cases.make_cases()
    backend = make_backend(GPUTarget("cuda", 90, 32))
    results = []
    with tempfile.TemporaryDirectory() as folder:
        module = load(made, folder)
        scope = cases.environment(tl, triton.jit, TensorDescriptor, module.helper)
        for index, case in enumerate(made):
            function = getattr(module, f"kernel{index}")
            arguments = [eval(text, scope) for text in case["arguments"]]
            try:
                binder = create_function_from_signature(function.signature, function.params, backend)
                bound, specialization, options = binder(*arguments)
                _, signature, constants, attributes = function._pack_args(backend, {}, bound, specialization, options)
                results.append({**case, **cases.described(signature, constants, attributes)})
            except (TypeError, OverflowError, KeyError) as error:
                results.append({**case, "error": type(error).__name__})
    lines = ",\n".join(json.dumps(result) for result in results)
    (TEST / "data" / "specialization.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
