#!/usr/bin/env bash
# Runs every kernel of the corpus under compute-sanitizer: memcheck, racecheck, initcheck, synccheck.
#
#   test/gpu/against_triton/compute_sanitizer.sh [FOLDER] [PARTS=3] [PRODUCTS=0]
#
# PRODUCTS: so many of random_products.py run, instead of the corpus.  TOOLS: the tools, separated by spaces.
# Needs compute-sanitizer, and a python3 in which `import ttkit` works; neither torch nor Triton.  FOLDER keeps cubins,
# which an earlier run or `cubins.py make` may have put there, and a log for each tool and part.  The tools run at the
# same time, each in PARTS processes.  Exit code 1 if a tool reports anything.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$(mktemp -d)} parts=${2:-3} products=${3:-0} tools=${TOOLS:-memcheck racecheck initcheck synccheck}
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -1)
[ -n "$sanitizer" ] || { echo "compute-sanitizer is not installed; it comes with the CUDA toolkit" >&2; exit 2; }
mkdir -p "$folder"
export TRITON_CACHE_DIR=$folder/cache
launched=("$here/cubins.py" launch "$folder")
if [ "$products" -gt 0 ]; then
  launched=("$here/random_products.py" --alone --count "$products" --part)
  for ((part = 0; part < parts; part++)); do  # compiles
    python3 "${launched[@]}" "$part/$parts" >"$folder/compile.$part.log" 2>&1 &
  done
  wait
elif ! ls "$folder"/*.cubin >/dev/null 2>&1; then
  capability=$(python3 -c 'from ttkit.runtime import Device; print(Device.current().capability)') || exit 2
  python3 "$here/cubins.py" make "$folder" "$capability" "$(nproc)" | tee "$folder/make.log" || exit 2
fi
for tool in $tools; do
  for ((part = 0; part < parts; part++)); do
    "$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 9 --print-limit 20 \
      python3 "${launched[@]}" "$part/$parts" >"$folder/$tool.$part.log" 2>&1 &
  done
done
wait
status=0
for tool in $tools; do
  for ((part = 0; part < parts; part++)); do
    log=$folder/$tool.$part.log
    ended=$(grep -c '^launched' "$log")
    clean=$(grep -cE 'ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards' "$log")
    if [ "$ended" = 1 ] && [ "$clean" -ge 1 ] && ! grep -q '^FAILED' "$log"; then
      echo "$tool $part/$parts: clean, $(grep '^launched' "$log")"
    else
      status=1
      echo "$tool $part/$parts: see $log"
      # The kernel whose name was printed last before a report is the one that it is of.
      grep -E '^(kernels|language|product)\.|^=========|^FAILED' "$log" | grep -B1 -A12 -E '=========.*(Invalid|Race|hazard|Uninitialized|Barrier|Error|error)' | head -40
      tail -3 "$log"
    fi
  done
done
exit $status
