// Linked into a program, its malloc and free end the program with code 99 where the real-time thread calls them between
// start and stop (in_realtime_section). For emitted plants: LDFLAGS="heap_guard.o -Wl,-z,muldefs" takt build ...; they
// are linked statically, where the C library has these functions, too.

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "runtime/executive/realtime_section.hpp"

extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

static void check(const char* call) {
  if (!takt::in_realtime_section) return;
  const char* text = " in the real-time section\n";
  if (write(STDERR_FILENO, call, std::strlen(call)) > 0 && write(STDERR_FILENO, text, std::strlen(text)) > 0) _exit(99);
  _exit(99);
}

void* malloc(std::size_t size) {
  check("malloc");
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  check("calloc");
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  check("realloc");
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  check("memalign");
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  check("aligned_alloc");
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  check("posix_memalign");
  void* found = __libc_memalign(alignment, size);
  if (found == nullptr) return ENOMEM;
  *memory = found;
  return 0;
}
void free(void* memory) {
  if (memory != nullptr) check("free");
  __libc_free(memory);
}

}  // extern "C"
