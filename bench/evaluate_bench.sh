#!/usr/bin/env bash
# Times `leafscore evaluate` over many trajectory files against reading the same files alone.
# Usage: evaluate_bench.sh LEAFSCORE [FILES [ROUNDS [SCORER]]]
# Prints, for each contestant, the fastest of the rounds (5) in milliseconds; they run in turn. The files (about
# 2 kB each, 100 a folder) and the reports lie in a temporary folder, which is removed. Before anything is timed,
# the counts of the aggregate are checked.
set -euo pipefail
leafscore=$1 files=${2:-100000} rounds=${3:-5} scorer=${4:-static_json}
scenarios=100
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkdir "$folder/runs"
seq -f "$folder/runs/part_%05.0f" 0 $(((files - 1) / 100)) | xargs mkdir
awk -v files="$files" -v scenarios=$scenarios -v folder="$folder" 'BEGIN {
  text = "The vibration of the chiller rose while its flow fell, so the pump was checked first. "
  for (s = 0; s < scenarios; s++)
    printf "{\"id\": %d, \"type\": \"iot\", \"expected_answer\": \"{\\\"energy\\\": %d, \\\"site\\\": \\\"MAIN\\\"}\"}\n",
      s, s % 7 > (folder "/scenarios.jsonl")
  for (i = 0; i < files; i++) {
    name = sprintf("%s/runs/part_%05d/run_%06d.json", folder, i / 100, i)
    printf "{\"run_id\": \"run_%06d\", \"scenario_id\": %d, \"runner\": \"agent\", \"model\": \"m%d\", ",
      i, i % scenarios, i % 3 > name
    printf "\"question\": \"%s\", \"answer\": \"{\\\"energy\\\": %d, \\\"site\\\": \\\"main\\\"}\", ", text, i % 5 > name
    printf "\"trajectory\": {\"turns\": [" > name
    for (turn = 0; turn < 6; turn++)
      printf "%s{\"index\": %d, \"text\": \"%s%s\", \"tool_calls\": [{\"name\": \"tool_%d\", \"input\": {\"site\": \"MAIN\"}}], \"input_tokens\": %d, \"output_tokens\": %d, \"duration_ms\": %d.5}",
        turn ? ", " : "", turn, text, text, (i + turn) % 4, 900 + i % 100, 40 + turn, 1000 + i % 977 > name
    printf "]}}" > name
    close(name)
  }
}'

read_alone() { find "$folder/runs" -name '*.json' -print0 | xargs -0 cat > /dev/null; }
read_in_parallel() { find "$folder/runs" -name '*.json' -print0 | xargs -0 -n 5000 -P "$(nproc)" cat > /dev/null; }
evaluate() {
  "$leafscore" evaluate --trajectories "$folder/runs" --scenarios "$folder/scenarios.jsonl" \
    --scorer-default "$scorer" --reports-dir "$folder/reports" --details none --quiet "$@"
}
evaluate_on_one_thread() { evaluate --aggregate-only --threads 1; }
evaluate_without_run_reports() { evaluate --aggregate-only; }
evaluate_with_run_reports() { evaluate; }

evaluate_with_run_reports
grep -q "\"scored\": $files,$" "$folder/reports/_aggregate.json" || { echo "not every run was scored"; exit 1; }
[[ $(find "$folder/reports" -name 'run_*.json' | wc -l) == "$files" ]] || { echo "reports are missing"; exit 1; }

contestants=(read_alone read_in_parallel evaluate_on_one_thread evaluate_without_run_reports
  evaluate_with_run_reports)
declare -A fastest
for ((round = 0; round < rounds; ++round)); do
  for contestant in "${contestants[@]}"; do
    rm -rf "$folder/reports"
    begin=$(date +%s%N)
    "$contestant"
    time_ms=$((($(date +%s%N) - begin) / 1000000))
    if [[ -z ${fastest[$contestant]:-} ]] || ((time_ms < fastest[$contestant])); then
      fastest[$contestant]=$time_ms
    fi
  done
done
echo "$files files, $(du -sh --apparent-size "$folder/runs" | cut -f1), fastest of $rounds rounds, $(nproc) CPUs"
for contestant in "${contestants[@]}"; do
  echo "$contestant ${fastest[$contestant]} ms, $((100 * fastest[$contestant] / fastest[read_alone]))% of read_alone"
done
