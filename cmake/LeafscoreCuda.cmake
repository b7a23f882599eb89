# The language CUDA, for builds with LEAFSCORE_CUDA. Only these look for it.
include(CheckLanguage)

# Machine code of 8.0 also runs on the rest of 8.x. What comes after 9.x has no machine code here: its driver
# compiles the PTX of 9.0, once, when a kernel is first used.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
endif()
if(CCACHE_PROGRAM AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

set(needs_cuda "LEAFSCORE_CUDA needs NVIDIA's CUDA Toolkit, 12.0 or later (developer.nvidia.com/cuda-downloads); \
name its nvcc by -D CMAKE_CUDA_COMPILER=... where that is not on the PATH")
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "${needs_cuda}. No nvcc that works was found.")
endif()
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
  message(FATAL_ERROR "${needs_cuda}. ${CMAKE_CUDA_COMPILER} is ${CMAKE_CUDA_COMPILER_VERSION}.")
endif()
find_package(CUDAToolkit 12.0 REQUIRED)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
# Debian 12's CMake does not know yet that nvcc speaks C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
endif()
