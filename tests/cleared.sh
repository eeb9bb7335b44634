#!/bin/sh
# cleared.sh FOLDER COMMAND...: runs a test and removes its folder when it has passed. Used in builds with sanitizers, whose plants
# are so large (60 GB for all tests) that they fill a disk.
folder=$1
shift
"$@"
code=$?
[ $code -ne 0 ] || rm -rf "$folder"
exit $code
