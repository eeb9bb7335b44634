# What all parts of Takt are compiled with, on whatever machine and for whatever machine.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH TAKT_ROOT)

# One interface target carries warnings, sanitizers and floating-point rules. Only the floating-point rule leaves the
# house with an installation: results must be the same bits wherever a plant is compiled.
add_library(takt_options INTERFACE)
add_library(takt::options ALIAS takt_options)
target_compile_features(takt_options INTERFACE cxx_std_20)
target_include_directories(takt_options INTERFACE
  $<BUILD_INTERFACE:${TAKT_ROOT}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/takt>)
target_compile_options(takt_options INTERFACE -ffp-contract=off
  "$<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion>"
  # g++ 12 finds overlaps of 2^63 bytes in `"text" + string` (its bug 105329).
  $<BUILD_INTERFACE:$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>>
  # Needed by ccache for precompiled headers of g++.
  $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>>)
if(TAKT_SANITIZE)
  target_compile_options(takt_options INTERFACE
    "$<BUILD_INTERFACE:-fsanitize=${TAKT_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(takt_options INTERFACE $<BUILD_INTERFACE:-fsanitize=${TAKT_SANITIZE}>)
endif()

# Without the width of vectors Eigen computes the same bits on every instruction set; its blocked algorithms (products, LU of
# large matrices) still look at the size of caches and must decide nothing. Never in headers: plants build without Eigen.
function(takt_use_eigen target)
  target_include_directories(${target} SYSTEM PRIVATE ${EIGEN3_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE EIGEN_DONT_VECTORIZE EIGEN_MPL2_ONLY)
endfunction()

# Targets below a folder of the source tree, in order.
function(takt_targets_below directory result)
  get_property(found DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(folder ${folders})
    takt_targets_below(${folder} below)
    list(APPEND found ${below})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Three fifths of the time of a compiler go into its front end, most of it into headers, so sources of a target are compiled a few at a time. Sources whose own names meet
# those of their neighbours are named in their folder (SKIP_UNITY_BUILD_INCLUSION). Preset dev compiles each source by itself.
option(TAKT_TOGETHER "Compile sources of a target a few at a time" ON)

# takt_together(DIRECTORY COUNT): COUNT sources at a time, in every library and program below DIRECTORY.
function(takt_together directory count)
  # Beside its neighbours a name may shadow one of theirs, and g++ 12 takes members of std::optional for uninitialised.
  set(before "#pragma GCC diagnostic ignored \"-Wshadow\"")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    string(APPEND before "\n#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
  endif()
  takt_targets_below(${directory} targets)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(TAKT_TOGETHER AND type MATCHES "STATIC_LIBRARY|EXECUTABLE")
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count} UNITY_BUILD_CODE_BEFORE_INCLUDE "${before}")
    endif()
  endforeach()
endfunction()

# takt_embed(HEADER FILE...): texts, built in: a.cmake.in is a_cmake_in in HEADER, without the end of its last line. HEADER is in the binary folder, where the
# target that calls it looks.
function(takt_embed header)
  set(constants "")
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(REGEX REPLACE "\n$" "" text "${text}")
    string(MAKE_C_IDENTIFIER ${file} name)
    string(APPEND constants "inline constexpr std::string_view ${name} = R\"in(${text})in\";\n")
  endforeach()
  file(CONFIGURE OUTPUT ${header} @ONLY CONTENT [[#pragma once
#include <string_view>
namespace takt::codegen {
@constants@}
]])
endfunction()

# takt_optimised(DIRECTORY LEVEL): what is compiled below DIRECTORY in a release build; the default is -O3.
function(takt_optimised directory level)
  takt_targets_below(${directory} targets)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "STATIC_LIBRARY|EXECUTABLE")
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
    endif()
  endforeach()
endfunction()
