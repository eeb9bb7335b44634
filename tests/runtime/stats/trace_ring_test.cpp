#include "runtime/stats/trace_ring.hpp"

#include <catch2/catch.hpp>
#include <set>

namespace {

using takt::KeptPlaces;
using takt::TraceEvent;
using takt::TraceRing;

/// Two events for each macro-step.
void fill(TraceRing& ring, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t k = from; k < to; ++k)
    for (std::uint32_t i = 0; i < 2; ++i) ring.add({.begin = 10 * k + i, .macro_step = k, .number = i});
}

std::multiset<std::uint64_t> macro_steps(const TraceRing& ring) {
  std::multiset<std::uint64_t> found;
  for (const TraceRing::Block& block : ring.blocks())
    for (const TraceEvent& event : block.events) found.insert(event.macro_step);
  return found;
}

}  // namespace

TEST_CASE("a ring that is not full holds everything in order") {
  const KeptPlaces places;
  TraceRing ring({.block = 8, .blocks = 3}, places);
  CHECK(ring.blocks().empty());
  CHECK(ring.added() == 0);
  fill(ring, 0, 10);
  CHECK(ring.added() == 20);
  std::uint64_t expected = 0;
  for (const TraceRing::Block& block : ring.blocks()) {
    CHECK(block.first == expected);
    for (const TraceEvent& event : block.events) {
      CHECK(event.begin == 10 * (expected / 2) + expected % 2);
      ++expected;
    }
  }
  CHECK(expected == 20);
}

TEST_CASE("a ring that wraps keeps the newest, and knows how many there were") {
  const KeptPlaces places;
  TraceRing ring({.block = 8, .blocks = 3}, places);
  fill(ring, 0, 1001);
  CHECK(ring.added() == 2002);
  const auto found = macro_steps(ring);
  CHECK(found.size() == 8 + 8 + 2);  // two whole blocks and what is in the third
  CHECK(*found.begin() == 1001 - 9);
  CHECK(*found.rbegin() == 1000);
}

TEST_CASE("the surroundings of a place stay after the ring has wrapped") {
  KeptPlaces places;
  const std::uint64_t around = KeptPlaces::before + KeptPlaces::after + 1;
  TraceRing ring({.block = 2 * around, .blocks = 3, .spare = 4}, places);
  fill(ring, 0, 200);
  places.note(199);
  fill(ring, 200, 300);
  places.note(299);
  places.note(300);  // lies in the surroundings of the last
  CHECK(places.count() == 2);
  fill(ring, 300, 5000);
  const auto found = macro_steps(ring);
  for (const std::uint64_t place : {199, 299})
    for (std::uint64_t k = place - KeptPlaces::before; k <= place + KeptPlaces::after; ++k) CHECK(found.count(k) == 2);
  CHECK(found.count(100) == 0);
  CHECK(found.count(4999) == 2);
  CHECK(found.size() <= 4 * 2 * around + 3 * 2 * around);
  std::uint64_t end = 0;
  for (const TraceRing::Block& block : ring.blocks()) {
    CHECK(block.first >= end);
    end = block.first + block.events.size();
  }
  CHECK(end == ring.added());
}

TEST_CASE("without spare blocks later places are lost, the first stay") {
  KeptPlaces places;
  TraceRing ring({.block = 22, .blocks = 3, .spare = 2}, places);
  for (std::uint64_t k = 0; k < 10'000; ++k) {
    if (k % 100 == 50) places.note(k);
    fill(ring, k, k + 1);
  }
  CHECK(places.count() == KeptPlaces::most);
  const auto found = macro_steps(ring);
  CHECK(found.count(50) == 2);
  CHECK(found.count(1050) == 0);
  CHECK(found.count(9999) == 2);
}
