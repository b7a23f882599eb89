# Installs this build, moves the installed tree (it must not depend on its place), then builds and runs the
# consumer against it twice: through find_package and through pkg-config.
# REQUIRES: -D BUILD_DIR, WORK_DIR, CXX, CXX_FLAGS, LIBDIR (relative to the prefix), PKG_CONFIG.
cmake_minimum_required(VERSION 3.25)

function(run)
  list(JOIN ARGV " " command)
  message(STATUS "${command}")
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/first)
file(RENAME ${WORK_DIR}/first ${prefix})
set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})  # for a shared library

run(${prefix}/bin/leafscore --version)

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build -G Ninja -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer)

set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
execute_process(COMMAND ${PKG_CONFIG} --cflags --static --libs leafscore OUTPUT_VARIABLE flags
                COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${CXX_FLAGS} ${flags}")
run(${CXX} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/main.cc ${flags} -o ${WORK_DIR}/consumer)
run(${WORK_DIR}/consumer)
