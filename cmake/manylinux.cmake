# A toolchain file: builds for glibc 2.28 with the compiler and the static libraries of cmake/manylinux_libraries.sh.
cmake_path(SET libraries NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../build/manylinux)
set(CMAKE_C_COMPILER ${libraries}/bin/cc)
set(CMAKE_CXX_COMPILER ${libraries}/bin/c++)
set(CMAKE_AR ${libraries}/bin/ar)
set(CMAKE_RANLIB ${libraries}/bin/ranlib)

# This machine's own headers and libraries belong to a newer glibc.
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${libraries}/usr/include)
set(CMAKE_LIBRARY_ARCHITECTURE ${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${libraries})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/usr/lib/pkgconfig)

if(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL x86_64)
  set(CMAKE_CXX_STANDARD_LIBRARIES ${libraries}/usr/lib/cpuinfo.o)
endif()
