#!/bin/sh
# Turns our plain comments into Doxygen's: /// before a name, ///< behind one, @returns for RETURNS: and so on.
# The comment at the top of a file is about the file, and lines set in by three blanks are code.
exec sed -E '
  s|([^ /]) +// |\1  ///< |
  s|^( *)// ?|\1/// |
  s/(REQUIRES|RETURNS|ERRORS|COST|THREADS): +/@\L\1 /
  s|^/// {3,}|///     |
  1s|^///|/// @file\n///|' "$1"
