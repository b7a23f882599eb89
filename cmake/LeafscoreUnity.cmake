# Whole builds in less than half the time, with LEAFSCORE_UNITY: the sources of several folders compiled as one, headers
# precompiled, and fewer of g++'s own collections of garbage, at 1.5 GB of memory a compiler. Builds after small changes
# take longer so.
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

# g++ takes all but the first file of a group for headers, which may not use unnamed namespaces.
set(leafscore_unity_options $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=200> $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000>
  "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")  # without which no compiler cache knows them

# leafscore_unity(TARGET FOLDER [GROUPS GROUP...] [HEADERS HEADER...]): compiles the sources of each group of folders below
# FOLDER as one, and likewise those of each folder that is in no group, with the common headers and HEADERS precompiled. A
# group is a string of folders with spaces between. So no two sources of a group may give a name of their own to two things.
function(leafscore_unity target folder)
  cmake_parse_arguments(PARSE_ARGV 2 unity "" "" "GROUPS;HEADERS")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_precompile_headers(${target} PRIVATE ${leafscore_common_headers} ${unity_HEADERS})
  target_compile_options(${target} PRIVATE ${leafscore_unity_options})
  foreach(group ${unity_GROUPS})
    separate_arguments(names UNIX_COMMAND "${group}")
    list(GET names 0 first)
    foreach(name ${names})
      set(group_of_${name} ${first})
    endforeach()
  endforeach()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${folder} OUTPUT_VARIABLE file)
    cmake_path(GET file PARENT_PATH name)
    if(DEFINED group_of_${name})
      set(name ${group_of_${name}})
    endif()
    string(MAKE_C_IDENTIFIER "${name}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "of_${group}")
  endforeach()
endfunction()
