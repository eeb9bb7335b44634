# The runtime alone, for the machine of the compiler that is given: included by the project that `takt build --target` makes
# (codegen/emit/build/target_runtime.cpp). Leaves the package in out/runtime of the build folder.
#
# It is there with a cross compiler alone. Takt itself has one configuration (tools/required.cmake); what other machines have no packages for is left
# out here, and only here:
#   runtime/fmu, runtime/fmu_export  an FMU is called by takt-fmu-host, which is dynamic, as FMUs are; `takt build --target` refuses plants with FMUs,
#                                    and FMUs for another machine are compiled from the sources that they pack
#   runtime/offline                  needs static SUNDIALS and KLU of that machine; methods adaptive and bdf are refused, too
#   deflate.cpp of runtime/io/record needs static zlib of that machine (zlib1g-dev:arm64); recordings are not compressed without it
set(TAKT_RUNTIME_ALONE ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
include(GNUInstallDirs)
find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
include(${CMAKE_CURRENT_LIST_DIR}/platform.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/options.cmake)
add_subdirectory(${TAKT_ROOT}/runtime runtime)
include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)
add_custom_target(packaged_runtime ALL ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --prefix ${CMAKE_BINARY_DIR}/out/runtime)
add_dependencies(packaged_runtime ${takt_runtime_libraries})
