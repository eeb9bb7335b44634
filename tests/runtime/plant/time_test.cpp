#include "runtime/plant/time.hpp"

#include <catch2/catch.hpp>
#include <concepts>
#include <type_traits>

using namespace takt;

namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Subtractable = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept Advanced = requires(A a, B b) {
  a += b;
};
template <class A, class B>
concept Divisible = requires(A a, B b) {
  a / b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
}
|| requires(A a, B b) { a == b; };
template <class A, class B>
concept Unrelated = !Addable<A, B> && !Subtractable<A, B> && !Advanced<A, B> && !Divisible<A, B> && !Comparable<A, B> &&
                    !std::constructible_from<A, B> && !std::assignable_from<A&, B>;
template <class A>
concept UnrelatedToInteger = !Addable<A, std::int64_t> && !std::convertible_to<std::int64_t, A> &&
                             !std::convertible_to<A, std::int64_t> && !Comparable<A, std::int64_t>;
template <class T>
concept OnePace = requires(T t) {
  at_real_time(t);
};

// What is of one time line goes together.
static_assert(std::same_as<decltype(SimTime{} + SimDuration{}), SimTime>);
static_assert(std::same_as<decltype(WallTime{} - WallTime{}), WallDuration>);
static_assert(Advanced<SimTime, SimDuration> && Comparable<SimTime, SimTime>);

// What is of two does not, in either order.
static_assert(Unrelated<SimTime, WallDuration> && Unrelated<WallDuration, SimTime>);
static_assert(Unrelated<WallTime, SimDuration> && Unrelated<SimDuration, WallTime>);
static_assert(Unrelated<SimTime, WallTime> && Unrelated<WallTime, SimTime>);
static_assert(Unrelated<SimDuration, WallDuration> && Unrelated<WallDuration, SimDuration>);

// Two moments have no sum, and a moment is no duration.
static_assert(!Addable<SimTime, SimTime> && !Addable<WallTime, WallTime>);
static_assert(!std::constructible_from<SimDuration, SimTime> && !std::constructible_from<SimTime, SimDuration>);

// A plain number becomes a time only by name.
static_assert(UnrelatedToInteger<SimTime> && UnrelatedToInteger<WallTime>);
static_assert(UnrelatedToInteger<SimDuration> && UnrelatedToInteger<WallDuration>);

// One way across, and none back.
static_assert(std::same_as<decltype(at_real_time(SimDuration{})), WallDuration>);
static_assert(!OnePace<SimTime> && !OnePace<WallDuration>);

// As cheap as the number it holds.
static_assert(sizeof(SimTime) == sizeof(std::int64_t) && std::is_trivially_copyable_v<SimTime>);
static_assert(sizeof(WallDuration) == sizeof(std::int64_t) && std::is_trivially_copyable_v<WallDuration>);

}  // namespace

TEST_CASE("times and durations of one line compute as their nanoseconds") {
  const SimTime start{1'000};
  const SimDuration step{300};
  CHECK((start + step * 2 - start).ns() == 600);
  CHECK((start - step).ns() == 700);
  CHECK(SimDuration{1'000} / step == 3);
  CHECK(SimDuration{1'000} % step == SimDuration{100});
  CHECK(start < start + step);
  CHECK(at_real_time(step) == WallDuration{300});
  CHECK(WallDuration{1'500'000'000}.seconds() == 1.5);
}
