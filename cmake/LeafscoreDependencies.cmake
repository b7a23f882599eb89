# Every dependency comes from the system; a missing one is named with its Debian package.
# Nothing is downloaded.
include(CMakeFindDependencyMacro)

# leafscore_find(NAME PACKAGE [find_package arguments...])
macro(leafscore_find name debian_package)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "leafscore needs ${name}: install the Debian package ${debian_package} "
                        "(apt-get install ${debian_package})")
  endif()
endmacro()

leafscore_find(TBB libtbb-dev)
leafscore_find(simdjson libsimdjson-dev)
leafscore_find(fmt libfmt-dev)
leafscore_find(CLI11 libcli11-dev)
leafscore_find(yaml-cpp libyaml-cpp-dev)
leafscore_find(ZLIB zlib1g-dev)
leafscore_find(ICU libicu-dev COMPONENTS uc)
leafscore_find(RapidJSON rapidjson-dev)
leafscore_find(PkgConfig pkg-config)
pkg_check_modules(ZSTD QUIET IMPORTED_TARGET libzstd)
if(NOT ZSTD_FOUND)
  message(FATAL_ERROR "leafscore needs zstd: install the Debian package libzstd-dev "
                      "(apt-get install libzstd-dev)")
endif()
if(LEAFSCORE_BUILD_TESTS)
  leafscore_find(GTest libgtest-dev)
endif()
if(LEAFSCORE_BUILD_BENCH)
  leafscore_find(benchmark libbenchmark-dev)
endif()
