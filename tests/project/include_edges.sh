#!/usr/bin/env bash
# Reads every #include of ours and fails on one that goes against the arrows of HACKING.md, "What may depend on
# what": an include stays in its folder or follows arrows. A library that belongs to some files only is held to
# the list below those arrows.
# Usage: include_edges.sh SOURCE_DIR. RETURNS: 0 all follow, 1 not.
set -euo pipefail
cd "$1"

section=$(sed -n '/^## What may depend on what$/,/^## /p' HACKING.md)
arrows=$(sed -nE 's/^ +([a-z]+) --> (.*)$/\1 \2/p' <<<"$section" | tr -d '&')
libraries=$(sed -nE 's/^\| `<([^`]+)>` \| ([^|]*) \|.*/\1 \2/p' <<<"$section" | tr -d '`,')
[[ -n $arrows && -n $libraries ]] || { echo "include_edges: HACKING.md draws no arrows"; exit 1; }

find engine corpus cli kernels -name '*.h' -o -name '*.cc' -o -name '*.cu' | sort |
  xargs grep -HE '^#include ["<]' | tr -d '\r' |
  awk -v arrows="$arrows" -v libraries="$libraries" '
    function folder(path,  part) {
      split(path, part, "/")
      return part[1] == "engine" ? part[2] : part[1]
    }
    BEGIN {
      lines = split(arrows, line, "\n")
      for (i = 1; i <= lines; i++) {
        words = split(line[i], word, " ")
        for (w = 2; w <= words; w++) leads[word[1], word[w]] = 1
        name[word[1]] = 1
        for (w = 2; w <= words; w++) name[word[w]] = 1
      }
      # Arrows may be followed one after the other.
      for (k in name) for (a in name) for (b in name) if ((a, k) in leads && (k, b) in leads) leads[a, b] = 1
      for (a in name) if ((a, a) in leads) { print "HACKING.md: the arrows lead from " a " back to " a; bad = 1 }
      for (i = split(libraries, line, "\n"); i > 0; i--) {
        words = split(line[i], word, " ")
        library[i] = word[1]
        for (w = 2; w <= words; w++) owners[i] = owners[i] " " word[w]
      }
    }
    {
      file = substr($0, 1, index($0, ":") - 1)
      included = $2
      gsub(/[">]|^</, "", included)
      ++count
      if ($2 ~ /^"/) {
        to = folder(included)
        if (to == "leafscore" || to == folder(file) || (folder(file), to) in leads) next
        print file ": includes " included ", against the arrows of HACKING.md"
        bad = 1
        next
      }
      for (i in library) {
        if (index(included, library[i]) != 1) continue
        split(owners[i], owner, " ")
        allowed = 0
        for (o in owner) allowed = allowed || index(file, owner[o]) == 1
        if (!allowed) { print file ": includes <" included ">, which belongs to" owners[i]; bad = 1 }
      }
    }
    END {
      if (count == 0) { print "include_edges: no includes found"; bad = 1 }
      if (!bad) print "include_edges: " count " includes, all along the arrows"
      exit bad
    }'
