#!/bin/bash
# The entry point that BenchKit, the runner of the Model Checking Contest, calls in the folder
# of a model. What to do and what may be used stands in the environment:
#
#   BK_EXAMINATION          LTLCardinality, LTLFireability, StateSpace, ...
#   BK_TIME_CONFINEMENT     seconds
#   BK_MEMORY_CONFINEMENT   mebibytes
#   BK_BIN_PATH             where the tool's binaries lie
#
# The program is $BRINE, or `brine` in BK_BIN_PATH, or `brine` on the path.

brine=${BRINE:-${BK_BIN_PATH:+${BK_BIN_PATH%/}/brine}}
"${brine:-brine}" mcc .

# 0: all answered; 3: some could not be, and the lines say so. Otherwise nothing was printed:
# bad input, or the program is missing.
case $? in
0 | 3) ;;
*) echo CANNOT_COMPUTE ;;
esac
