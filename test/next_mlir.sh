#!/usr/bin/env bash
# Builds ttkit with newer wheels of MLIR and LLVM than pyproject.toml pins, tests it, and says what broke.
#
#   test/next_mlir.sh FOLDER [NAME=VERSION...]
#
# FOLDER gets a copy of the committed tree, with its own .venv.  Of each pinned package pip is asked for the newest
# version, previews included; NAME=VERSION says another, such as xtc-mlir-dev=22.1.8.3.  Exits 0 without a newer version
# and if everything passes, 1 if something broke.
set -euo pipefail
folder=$1
shift
pip=(python3 -m pip --disable-pip-version-check)
changes=()
while IFS== read -r name _ pinned; do
  wanted=$(printf '%s\n' "$@" | sed -n "s/^$name=//p")
  [ -n "$wanted" ] || wanted=$("${pip[@]}" index versions --pre "$name" 2> /dev/null | sed -n 's/^Available versions: \([^,]*\).*/\1/p')
  echo "$name: $pinned is pinned, ${wanted:-unknown} is tried"
  [ -z "$wanted" ] || [ "$wanted" = "$pinned" ] || changes+=(-e "s/$name==$pinned/$name==$wanted/")
done < <(grep -oE 'xtc-[a-z-]+==[0-9.a-z]+' pyproject.toml | sort -u)
if [ ${#changes[@]} = 0 ]; then
  echo "no newer wheels: nothing to try"
  exit 0
fi
rm -rf "$folder"
mkdir -p "$folder"
git archive HEAD | tar -x -C "$folder"
cd "$folder"
sed -i "${changes[@]}" pyproject.toml
broken=0
if ! make build > build.log 2>&1; then
  echo "the build broke:"
  grep -E "error:|Error " build.log | sort | uniq -c | sort -rn | head -40
  exit 1
fi
make lit > lit.log 2>&1 || broken=1
make unit > unit.log 2>&1 || broken=1
grep -hE "^(FAIL|TIMEOUT|UNRESOLVED|FAILED|ERROR)" lit.log unit.log || true
tail -qn 1 lit.log unit.log
exit $broken
