#pragma once
// Inside a call the processor computes as in every run of a plant, outside as the caller has set it.

#include "denormals.hpp"  // of the platform: targets/

namespace takt::fmu_export {

/// Real-time: two instructions each.
class FloatControl {
 public:
  FloatControl() noexcept : before_(platform::floating_point_control()) { platform::compute_as_in_runs(); }
  ~FloatControl() { platform::set_floating_point_control(before_); }
  FloatControl(const FloatControl&) = delete;
  FloatControl& operator=(const FloatControl&) = delete;

 private:
  const std::uint64_t before_;
};

}  // namespace takt::fmu_export
