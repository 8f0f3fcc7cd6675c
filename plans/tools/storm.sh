#!/bin/bash
# Storm about a net: storm.sh MODEL FORMULA
#
# The net as a decision process without chance, so that "with probability 1 whatever the scheduler"
# is "in all runs". The last line is VERDICT holds, violated or unknown. Needs PyPI's package stormpy
# in the Python that is called storm-python.
set -eu
. "$(dirname "$0")/translated.sh"
translated prism "$1" "$2"
storm-python "$here/storm.py" "$work/model" "$(asked)"
