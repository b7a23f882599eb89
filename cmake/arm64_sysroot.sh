#!/usr/bin/env bash
# Unpacks the libraries that leafscore is built with, as Debian has them for 64-bit ARM, for cmake/arm64.cmake. It needs
# no root and changes nothing outside the folder: installed, some of the packages would replace the machine's own
# (libsimdjson-dev, libyaml-cpp-dev).
# Usage: cmake/arm64_sysroot.sh FOLDER
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
list=$(dirname "$0")/debian-packages.txt

mapfile -t packages < <(sed -nE 's/^build ((lib|rapidjson|zlib).*-dev)$/\1/p' "$list")
[[ ! -f $folder/packages || $(<"$folder/packages") != "${packages[*]}" ]] || exit 0

apt=$folder/apt
rm -rf "$folder"
echo "arm64_sysroot.sh: getting ${#packages[@]} packages and what they need"
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
touch "$apt/status"
as_arm64=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Debug::NoLocking=1
  -o Dir::State="$apt/state" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache")
"${as_arm64[@]}" update
"${as_arm64[@]}" install -y --download-only --no-install-recommends "${packages[@]}"
for package in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$package" "$folder"; done
rm -r "$apt"
echo "${packages[*]}" > "$folder/packages"
