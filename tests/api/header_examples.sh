#!/usr/bin/env bash
# Turns the examples of the public C++ interface into the tests of a source: the blocks of a header's comments that follow an
# empty comment line and are set in by three blanks, and the ```cpp blocks of a page. Each is a test of its own, with the names
# of tests/api/example_folder.h in scope, and compilers report errors at its place in the header or page.
# Usage: header_examples.sh FILE... > SOURCE. RETURNS: 0; 1 if a file has no example, except export.h, which has nothing to show.
set -euo pipefail

echo '// Made by tests/api/header_examples.sh.'
echo '#include "tests/api/example_folder.h"'
awk '
  function test_name(path) {
    sub(/.*\//, "", path)
    gsub(/[^A-Za-z0-9]/, "_", path)
    return path
  }
  function begin() {
    in_example = 1
    printf "\nTEST_F(HeaderExamples, %s_%d) {\n#line %d \"%s\"\n", test_name(FILENAME), ++of_file, FNR, FILENAME
  }
  function end() {
    if (in_example) print "}"
    in_example = 0
  }
  function end_file() {
    end()
    if (file == "" || of_file > 0 || file ~ /\/export\.h$/) return
    print "header_examples: " file " has no example; see include/leafscore/plan.h for one" > "/dev/stderr"
    lacking = 1
  }
  FNR == 1 { end_file(); file = FILENAME; of_file = 0; after_blank = 0; is_page = FILENAME ~ /\.md$/ }
  is_page && in_example && /^```$/ { end(); next }
  is_page && /^```cpp$/ { getline; begin() }
  is_page {
    # An example that names the header to include is compiled with it already.
    if (in_example) print /^#include/ ? "" : $0
    next
  }
  {
    is_comment = /^ *\/\//
    text = $0
    sub(/^ *\/\/ ?/, "", text)
    is_code = is_comment && text ~ /^  +[^ ]/
    if (!in_example && is_code && after_blank) begin()
    if (in_example && !is_code && !(is_comment && text == "")) end()
    if (in_example) print text
    after_blank = is_comment && text == ""
  }
  END {
    end_file()
    exit lacking
  }' "$@"
