#include "runtime/executive/team.hpp"

#include "cpu_pause.hpp"  // of the platform, chosen by CMake

namespace takt {

void Team::look_again() noexcept { platform::pause_cpu(); }

void Team::rest() noexcept {
  constexpr WallDuration a_little{20'000};
  if (settings_.paced || settings_.distant)
    clock_.sleep_until(clock_.now() + a_little);
  else
    clock_.yield();
}

}  // namespace takt
