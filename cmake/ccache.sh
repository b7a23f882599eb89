#!/bin/sh
# Compiles through ccache. Usage: ccache.sh CCACHE SOURCE_DIR COMPILER ARGUMENT...
# Build folders share objects, as the wheel's and the tests' do, and so do clones, whose paths ccache takes from SOURCE_DIR
# on; debug information then names the folder of the first one.
export CCACHE_BASEDIR="$2" CCACHE_NOHASHDIR=1
# ccache has to know about precompiled headers.
export CCACHE_SLOPPINESS=pch_defines,time_macros
ccache=$1
shift 2
# A precompiled header that is there already stands for its sources when ccache has the preprocessor read them: ccache
# would then take one that was compiled of other sources for this one.
previous=
for argument; do
  case "$previous $argument" in "-o "*.gch | "-o "*.pch) rm -f "$argument" ;; esac
  previous=$argument
done
exec "$ccache" "$@"
