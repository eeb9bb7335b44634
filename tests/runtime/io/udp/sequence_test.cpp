#include "runtime/io/udp/sequence.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <set>

#include "runtime/io/udp/lateness.hpp"

using namespace takt::udp;
using Is = Sequence::Is;

namespace {

/// Numbers of frames in the order in which they arrive: some lost, some doubled, each up to `reach` places late.
std::vector<std::uint64_t> arrivals(std::mt19937& random, std::uint64_t first, std::uint64_t count, double reach) {
  std::vector<std::pair<double, std::uint64_t>> sent;
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (std::uint64_t n = first; n < first + count; ++n) {
    if (share(random) < 0.05) continue;
    const double late = share(random) < 0.1 ? reach * share(random) : 0.0;
    sent.emplace_back(static_cast<double>(n) + late, n);
    if (share(random) < 0.01) sent.emplace_back(static_cast<double>(n) + reach * share(random), n);
  }
  std::stable_sort(sent.begin(), sent.end());
  std::vector<std::uint64_t> numbers;
  for (const auto& [when, n] : sent) numbers.push_back(n);
  return numbers;
}

/// The same counted by sets, by numbers that never begin again.
Sequence::Counts counted_by_sets(const std::vector<std::uint64_t>& numbers) {
  Sequence::Counts counts;
  const auto follows = [&](std::size_t k) {  // one of the four before it
    return std::find(numbers.begin() + static_cast<std::ptrdiff_t>(k - std::min<std::size_t>(k, 4)),
                     numbers.begin() + static_cast<std::ptrdiff_t>(k),
                     numbers[k] - 1) != numbers.begin() + static_cast<std::ptrdiff_t>(k);
  };
  std::size_t k = 1;
  while (!follows(k)) ++k;
  counts.doubtful = k, counts.begun = 1;
  std::uint64_t newest = numbers[k];
  const std::uint64_t oldest = newest - 1;
  std::set<std::uint64_t> seen{oldest, newest};
  for (++k; k < numbers.size(); ++k) {
    if (!seen.insert(numbers[k]).second)
      ++counts.doubled;
    else if (numbers[k] < newest)
      ++counts.overtaken;
    newest = std::max(newest, numbers[k]);
  }
  for (std::uint64_t n = oldest; n <= newest; ++n) counts.lost += seen.contains(n) ? 0U : 1U;
  return counts;
}

}  // namespace

TEST_CASE("lost, overtaken and doubled frames are counted exactly, over the end of every counter") {
  std::mt19937 random(11);
  for (const std::size_t bytes : {1U, 2U, 4U, 8U})
    for (int trial = 0; trial < 20; ++trial) {
      const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
      const std::uint64_t first = trial % 2 == 0 || bytes == 1 || bytes == 8 ? 1'000 : mask - 500;  // soon at its end
      const std::vector<std::uint64_t> numbers = arrivals(random, first, 5'000, bytes == 1 ? 20.0 : 300.0);
      Sequence sequence(bytes);
      for (const std::uint64_t n : numbers) (void)sequence.take(n & mask);
      const Sequence::Counts expected = counted_by_sets(numbers), found = sequence.counts();
      INFO("bytes " << bytes << ", trial " << trial);
      CHECK(found.lost == expected.lost);
      CHECK(found.overtaken == expected.overtaken);
      CHECK(found.doubled == expected.doubled);
      CHECK((found.doubtful == expected.doubtful && found.begun == 1));
    }
}

TEST_CASE("a sender that was started again is followed after two frames, soon after its beginning, too") {
  for (const std::uint64_t before : {20U, 1'000U, 100'000U}) {
    Sequence sequence(4);
    for (std::uint64_t n = 0; n < before; ++n) (void)sequence.take(n);
    std::uint64_t taken = 0;
    for (std::uint64_t n = 0; n < 50; ++n) taken += sequence.take(n) == Is::next ? 1U : 0U;
    INFO("before " << before);
    CHECK(taken >= 46);
    CHECK((sequence.counts().begun == 2 && sequence.counts().lost == 0));
  }
}

TEST_CASE("two senders: frames of the first are taken, those of the other counted") {
  Sequence sequence(4);
  for (std::uint64_t n = 0; n < 1'000; ++n) {
    const Is first = sequence.take(n), other = sequence.take(700'000 + n);
    CHECK((n < 2 || first == Is::next));
    CHECK(other == Is::doubtful);
  }
  CHECK((sequence.counts().begun <= 1 && sequence.counts().lost == 0));
}

TEST_CASE("a counter in the other byte order, one that stands still, and one that counts otherwise are never taken") {
  for (const std::size_t bytes : {2U, 4U, 8U}) {
    Sequence sequence(bytes);
    for (std::uint64_t n = 0; n < 1'000; ++n) CHECK(sequence.take(swapped(n, bytes)) != Is::next);
    CHECK(sequence.counts().swapped > 900);
  }
  Sequence still(4), in_tens(4);
  for (std::uint64_t n = 0; n < 1'000; ++n) {
    CHECK(still.take(5) != Is::next);
    CHECK(in_tens.take(10 * n) != Is::next);
  }
  CHECK((still.counts().begun == 0 && in_tens.counts().begun == 0));
}

TEST_CASE("a cable that was unplugged for long: what lies between is lost") {
  Sequence sequence(4);
  for (std::uint64_t n = 0; n < 10; ++n) (void)sequence.take(n);
  CHECK(sequence.take(100'000) == Is::doubtful);
  CHECK(sequence.take(100'001) == Is::next);
  CHECK(sequence.counts().lost == 99'990);  // 10 to 99,999
}

TEST_CASE("late is what was longer on its way than the quickest, whatever the sender's clock says") {
  using takt::WallDuration;
  using takt::WallTime;
  constexpr std::int64_t ms = 1'000'000;
  Lateness lateness(WallDuration{5 * ms});
  std::uint64_t late = 0;
  for (std::int64_t k = 0; k < 60'000; ++k) {
    const std::int64_t sent = k * ms + k * 50;  // a clock that is 50 ppm fast, 3 ms in all
    const std::int64_t delay = k % 100 == 7 ? 20 * ms : k % 3 * ms / 10;
    late += lateness.is_late(lateness.take(WallTime{k * ms + delay}, sent - 123'456'789'012'345)) ? 1U : 0U;
  }
  CHECK(late == 600);
  // Stamps that stand still are late for ever; none of these is undefined.
  for (const std::int64_t stamp :
       {std::numeric_limits<std::int64_t>::min(), std::int64_t{0}, std::numeric_limits<std::int64_t>::max()})
    CHECK(lateness.take(WallTime{90'000 * ms}, stamp).ns() >= 0);
}
