# Sourced by ./heddle and ./test: installs missing Debian packages and builds a preset.
# Both functions talk on standard error only and end the script with code 70 if they cannot do their work.
# Looking for files instead of asking dpkg keeps the check fast and lets other distributions bring the same files.

# What each purpose needs, as lines of: package, then a command or a file that shows it is there.
packages_for_build='
g++                  c++
cmake                cmake
ninja-build          ninja
clang-19             clang-19
llvm-19-dev          /usr/lib/llvm-19/lib/cmake/llvm/LLVMConfig.cmake
libcli11-dev         /usr/include/CLI/CLI.hpp
libfmt-dev           /usr/include/fmt/core.h
nlohmann-json3-dev   /usr/include/nlohmann/json.hpp
libgtest-dev         /usr/include/gtest/gtest.h
'
packages_for_test="$packages_for_build
gcc                  gcc
python3              python3
clang-format-19      clang-format-19
"
packages_for_bench="$packages_for_test
valgrind             valgrind
"
packages_for_fuzz="$packages_for_test
libclang-rt-19-dev   /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-x86_64.a
"
packages_for_tidy="$packages_for_test
clang-tidy-19        clang-tidy-19
"

missing_packages() {  # PURPOSE
  local list=packages_for_$1 package evidence
  while read -r package evidence; do
    [[ -n $package ]] || continue
    case $evidence in
      /*) [[ -e $evidence ]] || echo "$package" ;;
      *) command -v "$evidence" >/dev/null || echo "$package" ;;
    esac
  done <<<"${!list}"
}

require_packages() {  # PURPOSE
  local missing log
  missing=$(missing_packages "$1")
  [[ -n $missing ]] || return 0
  missing=${missing//$'\n'/ }
  if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    {
      echo "heddle: these Debian 12 packages are missing: $missing"
      echo "heddle: install them, for example with: sudo apt-get install $missing"
    } >&2
    exit 70
  fi
  echo "heddle: installing $missing" >&2
  log=$(mktemp)
  # The package lists may be missing or old: fetch them only if the first try fails.
  # shellcheck disable=SC2086
  if ! apt_install $missing >"$log" 2>&1 && ! { apt-get update && apt_install $missing; } >>"$log" 2>&1; then
    tail -n 15 "$log" >&2
    rm -f "$log"
    echo "heddle: apt-get could not install: $missing" >&2
    exit 70
  fi
  rm -f "$log"
  missing=$(missing_packages "$1")
  if [[ -n $missing ]]; then
    echo "heddle: installed, but still not found: ${missing//$'\n'/ }" >&2
    exit 70
  fi
}

apt_install() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" </dev/null; }

# Configures (if need be) and builds. The stamp is as old as the start of the build, so that a file that changes
# while the build runs counts as newer.
build_preset() {  # ROOT PRESET TARGET...
  local root=$1 preset=$2 build=$1/build/$2
  shift 2
  mkdir -p "$build"
  : >"$build/.stamp.new"
  if [[ ! -f $build/build.ninja ]]; then
    echo "heddle: configuring ($preset)" >&2
    if ! (cd "$root" && cmake --preset "$preset") >"$build/configure.log" 2>&1; then
      tail -n 30 "$build/configure.log" >&2
      echo "heddle: cmake failed; the whole output is in $build/configure.log" >&2
      exit 70
    fi
  fi
  echo "heddle: building ($preset); the first time takes a few minutes" >&2
  if [[ -t 2 ]]; then
    ninja -C "$build" "$@" 2>&1 | tee "$build/build.log" >&2
  else
    ninja -C "$build" "$@" >"$build/build.log" 2>&1
  fi || {
    [[ -t 2 ]] || grep -v '^\[' "$build/build.log" | tail -n 60 >&2
    echo "heddle: the build failed; the whole output is in $build/build.log" >&2
    exit 70
  }
  mv "$build/.stamp.new" "$build/.stamp"
}
