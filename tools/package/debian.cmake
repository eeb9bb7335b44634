# The Debian package: `cpack -G DEB` in the build folder (tools/release.sh calls it). What it holds is what an installation holds, tools/install.cmake.
#
# Takt compiles every plant, so the package depends on a compiler, CMake, ninja and static zlib. Only methods adaptive and bdf link static SUNDIALS and KLU,
# whose packages bring MPI and PETSc: these are recommended.
set(documents ${CMAKE_INSTALL_DATADIR}/doc/takt)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${documents} RENAME copyright)
install(FILES ${CMAKE_SOURCE_DIR}/config/manual/changes.md DESTINATION ${documents})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The authors of Takt <takt@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Flattens and partitions models of electric, thermal, fluid, gas and mechanical networks into fixed-step solvers, runs them
in real time on isolated cores, and joins them with ECUs on CAN, FMUs and other hosts. The command is takt.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ (>= 4:12), cmake (>= 3.25), ninja-build, zlib1g-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ccache, libsundials-dev, libsuitesparse-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ngspice, can-utils, cyclonedds-tools, g++-aarch64-linux-gnu")
include(CPack)
