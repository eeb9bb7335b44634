# The runtime as a CMake package, for emitted plants: lib/cmake/takt/taktConfig.cmake, lib/takt, include/takt/runtime.
# Targets, after find_package(takt):
#   takt::runtime  everything an emitted plant links
#   takt::plant    takt::runtime, linked statically into one file that runs alone (dynamic under a sanitizer,
#                  which has no static runtime)
# and but for the runtime alone (runtime.cmake)
#   takt::offline  solvers that choose their steps
#   takt::fmu_cs, takt::fmu_me, takt::fmi2_cs to takt::fmi3_me  what the library of an exported FMU links
include(CMakePackageConfigHelpers)

# Every library below runtime/ belongs to it.
takt_targets_below(${TAKT_ROOT}/runtime takt_runtime_libraries)
add_library(takt_runtime INTERFACE)
add_library(takt::runtime ALIAS takt_runtime)
target_link_libraries(takt_runtime INTERFACE takt_options ${takt_runtime_libraries})
set(takt_exported takt_options takt_runtime takt_plant ${takt_runtime_libraries})
if(NOT TAKT_RUNTIME_ALONE)
  list(APPEND takt_exported takt_offline takt_fmu_cs takt_fmu_me takt_fmi2_cs takt_fmi2_me takt_fmi3_cs takt_fmi3_me)
endif()

add_library(takt_plant INTERFACE)
add_library(takt::plant ALIAS takt_plant)
target_link_libraries(takt_plant INTERFACE takt_runtime)
if(NOT TAKT_SANITIZE)
  target_link_options(takt_plant INTERFACE -static)
endif()

# takt_math is exported as takt::math.
foreach(target ${takt_exported})
  string(REPLACE "takt_" "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/takt)
install(TARGETS ${takt_exported} EXPORT takt ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/takt)
install(EXPORT takt NAMESPACE takt:: FILE taktTargets.cmake DESTINATION ${package})
# A folder that is a link would be installed as that link, which dangles once its sources are gone.
file(REAL_PATH ${TAKT_ROOT}/runtime runtime_folder)
install(DIRECTORY ${runtime_folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/takt/runtime
        FILES_MATCHING PATTERN "*.hpp")
file(WRITE ${CMAKE_BINARY_DIR}/taktConfig.cmake.in [=[
@PACKAGE_INIT@
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/taktTargets.cmake)
check_required_components(takt)
]=])
configure_package_config_file(${CMAKE_BINARY_DIR}/taktConfig.cmake.in ${CMAKE_BINARY_DIR}/${package}/taktConfig.cmake
                              INSTALL_DESTINATION ${package})
install(FILES ${CMAKE_BINARY_DIR}/${package}/taktConfig.cmake DESTINATION ${package})
