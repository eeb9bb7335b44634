# Debian's own compiler, named, for symmetry with the other platforms:
#   cmake -S . -B build/x86_64 --toolchain targets/linux-x86_64/toolchain.cmake
set(CMAKE_C_COMPILER gcc)
set(CMAKE_CXX_COMPILER g++)
