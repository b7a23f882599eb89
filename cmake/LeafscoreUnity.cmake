# Whole builds in less than half the time, with LEAFSCORE_UNITY: a folder's sources compiled as one, headers precompiled, and
# fewer of g++'s own collections of garbage, at 250 MB of memory a compiler. Builds after small changes take longer so.
if(NOT LEAFSCORE_UNITY)
  function(leafscore_unity)
  endfunction()
  return()
endif()

# What most sources include, and of what they share the most expensive. Without LEAFSCORE_UNITY each source is compiled
# with what it includes itself.
set(leafscore_common_headers
  <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <cstdint> <cstring> <deque> <filesystem> <functional> <limits>
  <map> <memory> <mutex> <numeric> <optional> <set> <span> <string> <string_view> <system_error> <thread>
  <unordered_map> <utility> <vector> <fmt/format.h>)

# g++ takes all but the first file of a folder for headers, which may not use unnamed namespaces.
set(leafscore_unity_options $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=200> $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000>
  "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")  # without which no compiler cache knows them

# leafscore_unity(TARGET FOLDER [HEADERS...]): compiles the sources of each folder below FOLDER as one, with the common
# headers and HEADERS precompiled. So no two sources of a folder may give a name of their own to two things.
function(leafscore_unity target folder)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_precompile_headers(${target} PRIVATE ${leafscore_common_headers} ${ARGN})
  target_compile_options(${target} PRIVATE ${leafscore_unity_options})
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${folder} OUTPUT_VARIABLE file)
    cmake_path(GET file PARENT_PATH group)
    string(MAKE_C_IDENTIFIER "${group}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "of_${group}")
  endforeach()
endfunction()
