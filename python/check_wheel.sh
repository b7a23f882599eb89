#!/usr/bin/env bash
# Installs a wheel where nothing else is, and scores with the package and the command, which must agree.
# Usage: python/check_wheel.sh WHEEL [PYTHON]
set -euo pipefail
wheel=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"${2:-python3}" -m venv --without-pip environment
"${2:-python3}" -m pip --python environment/bin/python install --quiet --no-deps --no-index --disable-pip-version-check "$wheel"
# Without compilers, and without the libraries' paths.
clean=(env -i "HOME=$folder" "PATH=$folder/environment/bin")
# The answer has letters in other forms, which ICU's data tells.
echo '{"id": "a", "expected": {"a": "cafe"}, "actual": {"a": "ｃａｆé"}}' > pairs.jsonl
echo '{"evaluators": [{"type": "records", "normalise": ["accents"]}]}' > config.json
command=$("${clean[@]}" leafscore score pairs.jsonl -q --config config.json)
package=$("${clean[@]}" python -c "
import json
import leafscore as ls
record = json.loads(open('pairs.jsonl').read())
scorer = json.load(open('config.json'))['evaluators'][0]
print(ls.score_pair(record['expected'], record['actual'], scorer).score)")
echo "command: $command"
echo "package: $package"
[[ $command == *'"score": 1,'* && $package == 1.0 ]]
if grep -qw avx2 /proc/cpuinfo && "${clean[@]}" leafscore --version | grep -F '[portable]'; then
  echo "check_wheel: the command does not find this machine's instruction sets" >&2
  exit 1
fi
libraries=$("${clean[@]}" python -c "
import leafscore
print('\n'.join(sorted({line.split()[-1] for line in open('/proc/self/maps') if '.so' in line})))")
if grep -E '/(libicu|libtbb|libsimdjson|libfmt|libyaml)' <<<"$libraries" | grep -v "^$folder"; then
  echo "check_wheel: these libraries are the system's" >&2
  exit 1
fi
echo "check_wheel: $(basename "$wheel") works without the system's libraries"
