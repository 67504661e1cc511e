# find_package(ttkit): kernels ahead of time in a CMake project.
#
#   find_package(ttkit REQUIRED)          # with CMAKE_PREFIX_PATH from `ttkit aot --cmake-dir`
#   ttkit_add_kernel(add SOURCE k.py
#     SIGNATURES "*fp32:16, *fp32:16, i32:16, 1024" "*fp32, *fp32, i32, 1024"
#     GRID "(n + 1023) / 1024" TARGETS sm_80 sm_90a)
#   target_link_libraries(program PRIVATE add)
#
# makes the static library `add` with the kernel's C, whose users include add.h, or add.hpp in C++.  The kernel is compiled again when
# SOURCE changes, or a file of DEPENDS.
find_program(TTKIT_EXECUTABLE ttkit HINTS ENV VIRTUAL_ENV PATH_SUFFIXES bin)
if(NOT TTKIT_EXECUTABLE)
  set(ttkit_FOUND FALSE)
  set(ttkit_NOT_FOUND_MESSAGE "the command ttkit is not in the search path: set TTKIT_EXECUTABLE")
  return()
endif()
find_package(Threads REQUIRED)
# cuda.h comes with the wheels that ttkit installs; a CUDA toolkit's is as good.
file(GLOB _ttkit_wheel_headers "${CMAKE_CURRENT_LIST_DIR}/../../nvidia/cu*/include")
find_path(TTKIT_CUDA_INCLUDE cuda.h HINTS ${_ttkit_wheel_headers} ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES include
          NO_SYSTEM_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH)
# The driver, or a toolkit's stub where there is none.
find_library(TTKIT_LIBCUDA NAMES cuda libcuda.so.1 HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES lib64/stubs lib/stubs)
if(NOT TTKIT_CUDA_INCLUDE)
  set(ttkit_FOUND FALSE)
  set(ttkit_NOT_FOUND_MESSAGE "there is no cuda.h: set TTKIT_CUDA_INCLUDE to its folder")
  return()
endif()

function(ttkit_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 kernel "" "SOURCE;KERNEL;GRID" "SIGNATURES;TARGETS;NUM_WARPS;NUM_STAGES;OPTIONS;DEPENDS")
  foreach(needed SOURCE GRID SIGNATURES TARGETS)
    if(NOT kernel_${needed})
      message(FATAL_ERROR "ttkit_add_kernel(${name}): ${needed} is missing")
    endif()
  endforeach()
  if(kernel_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ttkit_add_kernel(${name}): unknown arguments ${kernel_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT kernel_KERNEL)
    set(kernel_KERNEL ${name})
  endif()
  get_filename_component(source "${kernel_SOURCE}" ABSOLUTE)
  list(JOIN kernel_TARGETS "," targets)
  set(arguments "${source}" --kernel-name ${kernel_KERNEL} --out-name ${name} --grid "${kernel_GRID}" --target ${targets} --cpp)
  foreach(signature IN LISTS kernel_SIGNATURES)
    list(APPEND arguments --signature "${signature}")
  endforeach()
  foreach(option IN LISTS kernel_OPTIONS)
    list(APPEND arguments --option "${option}")
  endforeach()
  if(kernel_NUM_WARPS)
    list(JOIN kernel_NUM_WARPS "," warps)
    list(APPEND arguments --num-warps ${warps})
  endif()
  if(kernel_NUM_STAGES)
    list(JOIN kernel_NUM_STAGES "," stages)
    list(APPEND arguments --num-stages ${stages})
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.ttkit")
  file(MAKE_DIRECTORY "${folder}")
  set(made "${folder}/${name}.c" "${folder}/${name}.h" "${folder}/${name}.hpp")
  add_custom_command(
    OUTPUT ${made}
    COMMAND "${TTKIT_EXECUTABLE}" aot ${arguments} --out-path "${folder}/${name}"
    DEPENDS "${source}" ${kernel_DEPENDS}
    COMMENT "Compiling the kernel ${name}"
    VERBATIM)
  add_library(${name} STATIC ${made})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PUBLIC "${folder}")
  target_include_directories(${name} SYSTEM PUBLIC "${TTKIT_CUDA_INCLUDE}")
  target_link_libraries(${name} PUBLIC Threads::Threads)
  if(TTKIT_LIBCUDA)
    target_link_libraries(${name} PUBLIC "${TTKIT_LIBCUDA}")
  endif()
endfunction()
set(ttkit_FOUND TRUE)
