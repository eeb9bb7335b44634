// Threads of a run have the stack that is asked for.

#include "runtime/executive/realtime_thread.hpp"

#include <catch2/catch.hpp>
#include <cstddef>

namespace {

constexpr std::size_t frame = std::size_t{24} << 20;

/// A frame larger than the stack that threads have unless asked otherwise.
[[gnu::noinline]] std::size_t pages_of_large_frame() {
  volatile char bytes[frame];
  std::size_t pages = 0;
  for (std::size_t at = 0; at < frame; at += 4096) bytes[at] = 1;
  for (std::size_t at = 0; at < frame; at += 4096) pages += static_cast<std::size_t>(bytes[at]);
  return pages;
}

}  // namespace

TEST_CASE("a thread has the stack that its plant needs") {
  REQUIRE(takt::RealtimeSettings{}.stack_size < frame);
  std::size_t pages = 0;
  const takt::RealtimeTask task{.work = [&pages] { pages = pages_of_large_frame(); }};
  takt::run_realtime_threads({.stack_size = 2 * frame}, {&task, 1});
  CHECK(pages == frame / 4096);
}
