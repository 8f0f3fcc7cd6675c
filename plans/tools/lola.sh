#!/bin/bash
# LoLA about a net: lola.sh MODEL FORMULA
#
# What it prints tells the verdict (plans/tools/formulas.toml).
set -eu
. "$(dirname "$0")/translated.sh"
translated lola "$1" "$2"
sed 1d "$work/model" > "$work/net.lola"
lola --formula="$(asked)" "$work/net.lola"
