#pragma once
// actions.csv: what was done to a plant, and the same done again.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/steering/director.hpp"

namespace takt {

struct LoggedAction {
  SimTime time{};  ///< at which it took effect
  std::string author;
  Action action;
};

/// Of an earlier run of the same plant; empty where the folder holds none.
/// @param path  a run directory or inputs.csv in it  @throw std::runtime_error  "file:line: cause"
[[nodiscard]] std::vector<LoggedAction> read_action_log(const std::filesystem::path& path,
                                                        const PlantDescription& plant);

/// Takes the actions of a log again, each so that it takes effect at its time.
class ActionReplay final : public Director {
 public:
  ActionReplay(std::vector<LoggedAction> actions, const PlantDescription& plant);
  void start(ActionSink& sink) override;
  void direct(SimTime now, ActionSink& sink) noexcept override;
  /// What was done at the very end, as by the last step of a scenario, had no effect then and has none now.
  void end(SimTime now) noexcept override { failed_ = refused_ && *refused_ < now; }
  [[nodiscard]] bool looks_at(SimTime) const noexcept override { return false; }
  [[nodiscard]] bool may_act_at(SimTime now) const noexcept override {
    return next_ < actions_.size() && actions_[next_].asked <= now;
  }
  [[nodiscard]] bool sets_by_hand() const noexcept override { return true; }
  [[nodiscard]] std::string name_of(std::uint16_t author) const override { return authors_[author]; }
  /// Some did not find room. After the run.
  [[nodiscard]] bool has_failed() const noexcept { return failed_; }

 private:
  struct Entry {
    SimTime asked;
    std::uint16_t author = 0;
    Action action;
  };
  std::vector<Entry> actions_;  // by time
  std::vector<std::string> authors_;
  std::size_t next_ = 0;            // those before the start stand in front
  std::optional<SimTime> refused_;  // when the first was asked for that found no room
  bool failed_ = false;
};

}  // namespace takt
