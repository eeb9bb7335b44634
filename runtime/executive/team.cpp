#include "runtime/executive/team.hpp"

#include "cpu_pause.hpp"  // of the platform, chosen by CMake

namespace takt {

void Team::pass_time(int looks) noexcept {
  if (looks < settings_.spins)
    platform::pause_cpu();
  else
    rest();
}

void Team::rest() noexcept {
  constexpr WallDuration a_little{20'000};
  if (settings_.paced)
    clock_.sleep_until(clock_.now() + a_little);
  else
    clock_.yield();
}

}  // namespace takt
