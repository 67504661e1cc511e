# `make demo` and `make test` set up everything they need; `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The build requirements of pyproject.toml, so that builds need no isolated environment (which would compile everything anew).
READ_REQUIRES := import sys; tomllib = __import__("tomllib" if sys.version_info >= (3, 11) else "pip._vendor.tomli", fromlist=["loads"]); \
  print(*tomllib.loads(open("pyproject.toml").read())["build-system"]["requires"], sep="\n")

.PHONY: help setup build demo test lit unit gpu lint types format docs wheel clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -c '$(READ_REQUIRES)' > $(VENV)/build-requires.txt
	$(BIN)/python -m pip install --quiet -r $(VENV)/build-requires.txt ninja==1.13.2 cmake==4.4.4
	touch $@

setup: $(STAMP)  ## make .venv with the build tools

build: setup  ## compile what changed and install ttkit into .venv, editable
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[test,lint]'

demo: build  ## kernels from Python source to cubin: each level shown, run, and the numbers checked
	$(BIN)/python examples/demo.py

test: build  ## all tests that need no GPU
	$(MAKE) --no-print-directory lit unit

lit:  ## FileCheck tests
	$(BIN)/lit test/lit examples --verbose --order=smart

unit:  ## pytest
	$(BIN)/python -m pytest -q test/unit

gpu:  ## pytest on a GPU; without a driver all is skipped
	$(BIN)/python -m pytest -q test/gpu

lint: build types  ## format check, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
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

format:  ## format the Python files
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: build  ## generate docs/reference from td files and pass docstrings
	$(BIN)/python docs/build_reference.py

wheel: setup  ## a wheel in dist/
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir dist .

clean:  ## remove what the build made, but not .venv
	rm -rf build dist
