#!/bin/bash
# NuSMV or nuXmv about a net: nuxmv.sh PROGRAM MODEL FORMULA
#
# What it prints about the formula tells the verdict (plans/tools/formulas.toml).
set -eu
. "$(dirname "$0")/translated.sh"
translated smv "$2" "$3"
"$1" "$work/model"
