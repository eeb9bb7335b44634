#pragma once
// Who acts on the plant in this run, by its command line.

#include <memory>
#include <span>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/program/options.hpp"
#include "runtime/steering/action_log.hpp"
#include "runtime/steering/director.hpp"

namespace takt {

class PlantDirectors {
 public:
  /// @param start  of the run: what is asked for before that a checkpoint knows
  /// @throw std::runtime_error  what is wrong with an action, with file and line where it stands in one
  PlantDirectors(const PlantDescription& plant, const CommandLine& options, SimTime start);
  /// One more, after those of the command line, that outlives this.
  void join(Director& director) { pointers_.push_back(&director); }
  /// After the run: an action of the command line or of a replayed log found no room.
  [[nodiscard]] bool has_failed() const noexcept { return replay_ != nullptr && replay_->has_failed(); }
  [[nodiscard]] std::span<Director* const> all() const noexcept { return pointers_; }

 private:
  void add(std::unique_ptr<Director> director);
  std::vector<std::unique_ptr<Director>> directors_;
  std::vector<Director*> pointers_;
  const ActionReplay* replay_ = nullptr;
};

}  // namespace takt
