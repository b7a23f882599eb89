#!/usr/bin/env bash
# Unpacks what Debian's arm64 packages hold of the libraries that leafscore is built with, for cmake/arm64.cmake.
# Needs no root and changes nothing outside the folder: some of the packages exclude those of the machine's own
# architecture, so that they could not be installed side by side.
# Usage: cmake/arm64_sysroot.sh FOLDER
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
list=$(dirname "$0")/debian-packages.txt

# Its second line and on are the folder's key: what was asked for when it was made.
mapfile -t packages < <(sed -nE 's/^build ((lib|rapidjson|zlib).*-dev)$/\1/p' "$list")
[[ ! -f $folder/packages || $(<"$folder/packages") != "${packages[*]}" ]] || exit 0

apt=$folder/apt
rm -rf "$folder"
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
touch "$apt/status"
as_arm64=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Debug::NoLocking=1
  -o Dir::State="$apt/state" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache")
"${as_arm64[@]}" update
"${as_arm64[@]}" install -y --download-only --no-install-recommends "${packages[@]}"
for package in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$package" "$folder"; done
rm -r "$apt"
echo "${packages[*]}" > "$folder/packages"
