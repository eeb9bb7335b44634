#pragma once
// Two processes beside a plant, forked from it before it has threads: a keeper, and the tap's service, which the keeper
// starts again where it crashes or hangs. Whatever becomes of them, the plant goes on.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/tap/segment.hpp"

namespace takt {

/// The plant's side.
class Keeper {
 public:
  /// @pre this process has one thread  @param cpus  of the plant: left alone where there are others
  /// @throw std::system_error
  Keeper(const PlantDescription& plant, TapSegment& segment, const std::filesystem::path& directory,
         const std::vector<int>& cpus);
  /// As end().
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  /// The run has ended: both processes are asked to end.
  void ask_to_end() noexcept;
  /// The same, and waits for them, some seconds at most.
  void end() noexcept;
  /// After end(): how the keeper ended before that; empty: it did not.
  [[nodiscard]] const std::string& early_end() const noexcept { return early_end_; }

 private:
  pid_t process_ = -1;
  int pipe_ = -1;  // a byte in it, or its hang-up, is the end
  bool asked_ = false;
  std::string early_end_;
};

}  // namespace takt
