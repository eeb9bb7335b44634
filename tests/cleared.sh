#!/bin/sh
# cleared.sh FOLDER COMMAND...: runs a test and removes its folder when it has passed: the plants of all tests together take 25 GB
# (60 GB with sanitizers), and have filled a disk. TAKT_KEEP_TESTS=1 in the environment keeps them.
folder=$1
shift
"$@"
code=$?
[ $code -ne 0 ] || [ -n "${TAKT_KEEP_TESTS:-}" ] || rm -rf "$folder"
exit $code
