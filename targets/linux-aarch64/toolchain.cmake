# Cross-compiling for 64-bit ARM Linux with Debian's g++-aarch64-linux-gnu; tests run under qemu-user (no binfmt needed).
#   cmake -S . -B build/aarch64 --toolchain targets/linux-aarch64/toolchain.cmake
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
find_program(TAKT_QEMU_USER qemu-aarch64-static)
if(TAKT_QEMU_USER)
  # -L: the C library comes with the cross compiler.
  set(CMAKE_CROSSCOMPILING_EMULATOR ${TAKT_QEMU_USER} -L /usr/aarch64-linux-gnu)
endif()
