#!/bin/bash
# Spin about a net: spin.sh MODEL FORMULA MEBIBYTES
#
# Translates (cargo xtask translate), makes the checker, compiles and runs it; the last line is
# VERDICT holds, violated or unknown. Needs spin and a C compiler (Debian: spin, gcc).
set -eu
. "$(dirname "$0")/translated.sh"
model=$(realpath "$1") formula=$2 mebibytes=$3
translated promela "$model" "$formula"
cd "$work"
spin -a model > spin.txt || { cat spin.txt >&2; exit 2; }
# One process: there is nothing for partial orders to reduce.
gcc -O1 -w -DNOREDUCE -DVECTORSZ=65536 -DMEMLIM="$mebibytes" -o pan pan.c
# -a: acceptance cycles; -E: a net may end; -n: no list of what was not reached.
./pan -a -E -n -m10000000 > pan.txt || true
cat pan.txt

# The model has no assertions of its own: one that is violated is the formula.
# A search that was cut off found nothing; it does not prove that there is nothing.
if grep -q -e "max search depth too small" -e "out of memory" -e "reached -DMEMLIM" pan.txt; then
    echo "VERDICT unknown"
elif grep -q "errors: 0$" pan.txt; then
    echo "VERDICT holds"
elif grep -q "acceptance cycle\|assertion violated\|end state in claim reached" pan.txt; then
    echo "VERDICT violated"
else
    echo "VERDICT unknown"
fi
