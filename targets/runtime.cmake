# The runtime alone, for the machine of the compiler that is given: included by the project that `takt build --target` makes
# (codegen/emit/build/target_runtime.cpp). Leaves the package in out/runtime of the build folder.
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
add_custom_target(package ALL ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --prefix ${CMAKE_BINARY_DIR}/out/runtime)
add_dependencies(package ${takt_runtime_libraries})
