# Installation, and the same layout inside the build tree.
#   bin/takt, share/takt/{library,...}, lib/cmake/takt/taktConfig.cmake, include/takt/{runtime,targets,...}
include(${CMAKE_SOURCE_DIR}/targets/package.cmake)
# What plants and exported FMUs link, whether takt links it or not: `--target takt` is enough to build a plant.
add_dependencies(takt ${takt_exported})

# takt, and processes beside plants or beside takt.
install(TARGETS takt takt-fmu-host takt-host-link takt-dds RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/config/ DESTINATION ${CMAKE_INSTALL_DATADIR}/takt
        PATTERN "__pycache__" EXCLUDE)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/${package}/taktConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/${package}/taktConfigVersion.cmake DESTINATION ${package})

# Sources of the runtime: it is compiled for other machines (`takt build --target`), and FMUs carry parts of it.
set(place ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_INCLUDEDIR}/takt)
file(MAKE_DIRECTORY ${place})
foreach(folder runtime targets)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/takt/${folder}
          FILES_MATCHING PATTERN "*.cpp" PATTERN "*.hpp" PATTERN "*.cmake" PATTERN "*.js" PATTERN "CMakeLists.txt")
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${place}/${folder} SYMBOLIC)
endforeach()
install(DIRECTORY ${TAKT_FMI_INCLUDE}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/takt/fmi FILES_MATCHING PATTERN "fmi[23]*.h")
file(CREATE_LINK ${TAKT_FMI_INCLUDE} ${place}/fmi SYMBOLIC)

# The same inside the build tree.
export(EXPORT takt NAMESPACE takt:: FILE ${CMAKE_BINARY_DIR}/${package}/taktTargets.cmake)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_DATADIR})
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/config ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_DATADIR}/takt SYMBOLIC)
include(${CMAKE_SOURCE_DIR}/tools/package/debian.cmake)
