#!/usr/bin/env bash
# Installs the Debian packages that leafscore is built with, and of those only what is missing.
# Usage: cmake/setup.sh [--ci] [--arm] [--demo] [--deb] [--manylinux] [--list]
#   --ci    also what only .ci/run needs
#   --arm   also what only `make test-arm` needs
#   --demo  also clang, which compiles `make demo` in two thirds of g++'s time
#   --deb   also what only `make deb` needs
#   --manylinux  also what only `make wheel-manylinux` needs
#   --list  print the packages and install nothing
set -euo pipefail

groups=build
list_only=no
for argument in "$@"; do
  case $argument in
    --ci) groups+="|ci" ;;
    --arm) groups+="|arm" ;;
    --demo) groups+="|demo" ;;
    --deb) groups+="|deb" ;;
    --manylinux) groups+="|manylinux" ;;
    --list) list_only=yes ;;
    *) echo "setup.sh: unknown option $argument (known: --ci, --arm, --demo, --deb, --manylinux, --list)" >&2; exit 2 ;;
  esac
done

mapfile -t packages < <(sed -nE "s/^($groups) //p" "$(dirname "$0")/debian-packages.txt")
if [[ $list_only == yes ]]; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup.sh: no apt-get here; install what these packages of Debian 12 hold: ${packages[*]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

if [[ $(id -u) -eq 0 ]]; then
  as_root=()
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
  as_root=(sudo)
else
  echo "setup.sh: neither root nor sudo; have root run this: apt-get install ${missing[*]}" >&2
  exit 1
fi

echo "setup.sh: installing ${missing[*]}"
as_root+=(env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes apt-get -qq -o Dpkg::Use-Pty=0)
# A repository of somebody else that fails is no reason to stop: the installation tells.
"${as_root[@]}" update </dev/null || true
"${as_root[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >/dev/null  # errors are told all the same
