#!/usr/bin/env bash
# Builds the command with profile-guided optimization in build/release-pgo, by g++: a first build counts which branches its
# runs take, and the second one is compiled by these counts. Usage: cmake/release_pgo.sh JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/release-pgo
leafscore=$folder/cli/leafscore
runs=$folder/runs

build() {  # build FLAGS: both builds are in one folder, as the counts lie beside the objects
  # Without ccache, which would have to know the counts of each source.
  cmake --preset release -B "$folder" -D CMAKE_CXX_FLAGS="$1" -D CCACHE_PROGRAM=OFF \
    -D LEAFSCORE_BUILD_TESTS=OFF -D LEAFSCORE_BUILD_BENCH=OFF
  cmake --build "$folder" -j "$jobs" --target leafscore_cli
}
run() {  # 1 is the status of a verdict, such as that of compare
  "$leafscore" "$@" &> "$runs/log" || [[ $? -eq 1 ]] || { cat "$runs/log" >&2; return 1; }
}

jobs=${1:-$(nproc)}
${CXX:-c++} --version | grep -q 'Free Software Foundation' ||
  { echo "$0: the profiles are those of g++; name it with CXX" >&2; exit 2; }
find "$folder" -name '*.gcda' -delete 2> /dev/null || true
build "-fprofile-generate -fprofile-update=atomic"

rm -rf "$runs" && mkdir -p "$runs"
for profile in invoices tickets multilingual long-text mixed; do
  run generate --pairs 2000 --profile "$profile" -o "$runs/$profile.jsonl"
  for scorer in json_similarity exact_match levenshtein json_diff static_json; do
    for threads in 1 2; do
      run score "$runs/$profile.jsonl" -s "$scorer" --threads "$threads" -o "$runs/$profile-$scorer-$threads.jsonl"
    done
  done
  run lint "$runs/$profile.jsonl" -s exact_match
done
for scorer in exact_match json_similarity; do
  run compare "$runs"/tickets-"$scorer"-{1,2}.jsonl
  run leaderboard "$runs"/tickets-"$scorer"-{1,2}.jsonl
done

build "-fprofile-use -fprofile-partial-training -Wno-missing-profile"
echo "$leafscore"
