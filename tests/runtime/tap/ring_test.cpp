#include "runtime/tap/ring.hpp"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>
#include <vector>

#include "runtime/io/shared_array.hpp"

using namespace takt;

namespace {

/// Wide enough to tear.
struct Wide {
  std::uint64_t number = 0, copies[7] = {};
};
Wide wide(std::uint64_t number) {
  Wide value{.number = number};
  for (std::uint64_t& copy : value.copies) copy = number;
  return value;
}
bool is_whole(const Wide& value) {
  for (const std::uint64_t copy : value.copies)
    if (copy != value.number) return false;
  return true;
}
using WideRing = RingMemory<Wide, 64>;

/// The other side may need this CPU.
bool otherwise_yield(bool done) {
  if (!done) ::sched_yield();
  return done;
}

pid_t forked(auto&& child) {
  const pid_t process = ::fork();
  if (process == 0) {
    child();
    ::_exit(0);
  }
  return process;
}
int wait_for(pid_t process) {
  int status = -1;
  (void)::waitpid(process, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("a ring gives back what was pushed, in order, and refuses what does not fit") {
  RingMemory<int, 4> memory;
  RingWriter writer(memory);
  RingReader reader(memory);
  int out = 0;
  for (int round = 0; round < 5; ++round) {  // it comes round
    for (int k = 0; k < 4; ++k) REQUIRE(writer.try_push(10 * round + k));
    CHECK_FALSE(writer.try_push(99));
    for (int k = 0; k < 4; ++k) {
      REQUIRE(reader.pop(out));
      CHECK(out == 10 * round + k);
    }
    CHECK_FALSE(reader.pop(out));
  }
}

TEST_CASE("several entries are pushed whole or not at all, also where the ring comes round") {
  RingMemory<int, 8> memory;
  RingWriter writer(memory);
  RingReader reader(memory);
  const std::vector<int> five{1, 2, 3, 4, 5};
  REQUIRE(writer.try_push(std::span(five)));
  CHECK_FALSE(writer.try_push(std::span(five)));
  CHECK(reader.available() == 5);
  reader.drop(5);
  REQUIRE(writer.try_push(std::span(five)));
  REQUIRE(reader.available() == 5);
  for (std::size_t k = 0; k < 5; ++k) CHECK(reader.peek(k) == five[k]);
}

TEST_CASE("nonsense in the other side's index reads as full, or empty") {
  RingMemory<int, 4> memory;
  RingWriter writer(memory);
  RingReader reader(memory);
  memory.read.store(12345);
  CHECK_FALSE(writer.try_push(1));
  memory.written.store(77);
  CHECK(reader.available() == 0);
  reader.drop_all();
  CHECK(reader.available() == 0);
}

TEST_CASE("values cross between processes whole and in order") {
  SharedArray<WideRing> shared(1);
  constexpr std::uint64_t count = 200'000;
  const pid_t producer = forked([&] {
    RingWriter writer(shared[0]);
    for (std::uint64_t k = 1; k <= count;) k += otherwise_yield(writer.try_push(wide(k))) ? 1 : 0;
  });
  RingReader reader(shared[0]);
  std::uint64_t next = 1, torn = 0, wrong = 0;
  while (next <= count) {
    Wide value;
    if (!otherwise_yield(reader.pop(value))) continue;
    torn += is_whole(value) ? 0 : 1;
    wrong += value.number == next++ ? 0 : 1;
  }
  CHECK(wait_for(producer) == 0);
  CHECK(torn == 0);
  CHECK(wrong == 0);
}

TEST_CASE("a producer that dies in the middle of a push has pushed nothing, and another one goes on") {
  SharedArray<WideRing> shared(1);
  const pid_t dead = forked([&] {
    RingWriter writer(shared[0]);
    (void)writer.try_push(wide(1));
    RingWriter<WideRing>::Room room;
    (void)writer.find_room(3, room);
    std::memset(static_cast<void*>(room.first.data()), 0x5a, sizeof(Wide) + 5);  // some of it
    ::raise(SIGKILL);
  });
  CHECK(WTERMSIG(wait_for(dead)) == SIGKILL);
  RingReader reader(shared[0]);
  Wide value;
  REQUIRE(reader.pop(value));
  CHECK(value.number == 1);
  CHECK_FALSE(reader.pop(value));
  CHECK(wait_for(forked([&] {
          RingWriter writer(shared[0]);
          if (!writer.try_push(wide(2))) ::_exit(1);
        })) == 0);
  REQUIRE(reader.pop(value));
  CHECK(value.number == 2);
  CHECK(is_whole(value));
}

TEST_CASE("producers that are killed at any moment, one after another, leave only whole values in order") {
  SharedArray<WideRing> shared(1);
  RingReader reader(shared[0]);
  std::uint64_t last = 0, torn = 0, out_of_order = 0;
  for (int life = 0; life < 60; ++life) {
    const pid_t producer = forked([&] {
      RingWriter writer(shared[0]);
      for (std::uint64_t k = last + 1;;) k += otherwise_yield(writer.try_push(wide(k))) ? 1 : 0;
    });
    const std::uint64_t until = last + 500 + static_cast<std::uint64_t>(life) * 37;
    const auto take = [&] {
      Wide value;
      if (!reader.pop(value)) return false;
      torn += is_whole(value) ? 0 : 1;
      out_of_order += value.number == last + 1 ? 0 : 1;
      last = value.number;
      return true;
    };
    while (last < until) (void)otherwise_yield(take());
    ::kill(producer, SIGKILL);
    (void)wait_for(producer);
    while (take()) {
    }
  }
  CHECK(torn == 0);
  CHECK(out_of_order == 0);
  CHECK(last > 60 * 500);
}
