# For the scripts beside it. Sets `leafscore` and goes to the folder of the outputs.
# Usage: source transcript.sh LEAFSCORE FOLDER
leafscore=$(realpath "$1")
cd "$2"

# Runs leafscore and writes the command and its standard output to a file, as documentation shows them. Fails unless
# it exits as it should.
# Usage: tell FILE EXIT_STATUS ARGUMENTS...
tell() {
  local file=$1 wanted=$2 status=0
  shift 2
  echo "\$ leafscore $*" >"$file"
  "$leafscore" "$@" >>"$file" || status=$?
  [[ $status -eq $wanted ]]
}
