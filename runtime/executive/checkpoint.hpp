#pragma once
// A running plant as a file, from which another process goes on as if nothing had been in between.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

/// All that the digest of the rest of a run depends on, between two macro-steps.
struct Checkpoint {
  std::uint64_t macro_step = 0;  ///< that is next, simulated
  std::uint64_t digest = 0;      ///< so far
  std::vector<std::byte> memory, exchanges, steering;
  std::vector<std::byte> guests;     ///< what a CheckpointGuest has given
  std::vector<double> stored_start;  ///< energy at the start of the run, by subsystem. J
  std::vector<double> events;        ///< counters of events when the run began, by subsystem
};

/// Whoever computes a part of the plant elsewhere, with a state of its own.
class CheckpointGuest {
 public:
  virtual ~CheckpointGuest() = default;
  /// Between two macro-steps of a free run. Allocates nothing. @return the state is there
  virtual bool save() noexcept = 0;
  /// On an ordinary thread, until the next save().
  [[nodiscard]] virtual std::vector<std::byte> bytes() const = 0;
};

/// File: a line of text, a JSON object in one line that says of which plant it is and how long the parts are, the
/// parts, their CRC-32.
/// @throw std::runtime_error  "file: cause and remedy": no checkpoint, of another plant or build, cut off, damaged
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& file, const PlantDescription& plant);
/// Whole or not at all.  @throw std::runtime_error
void write_checkpoint(const std::filesystem::path& file, const PlantDescription& plant, const Checkpoint& checkpoint);

/// Room for one checkpoint, filled in real time and written by an ordinary thread.
class CheckpointRoom {
 public:
  CheckpointRoom(const PlantDescription& plant, std::filesystem::path folder, CheckpointGuest* guest)
      : plant_(plant), folder_(std::move(folder)), guest_(guest) {}
  /// Its vectors have the sizes of what goes into them.
  Checkpoint& content() noexcept { return content_; }
  /// Real-time: the last one has been written, and there is a folder to write to.
  [[nodiscard]] bool is_free() const noexcept { return !folder_.empty() && !full_.load(std::memory_order_acquire); }
  /// Real-time: all else of content() is whole.
  void fill() noexcept {
    guest_failed_ = guest_ != nullptr && !guest_->save();
    full_.store(true, std::memory_order_release);
  }
  /// On an ordinary thread: into checkpoint-TIME.takt.  @return something has been written, or has failed
  bool write();
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  const PlantDescription& plant_;
  std::filesystem::path folder_;
  CheckpointGuest* guest_;
  bool guest_failed_ = false;
  Checkpoint content_;
  std::atomic<bool> full_{false};
  std::string problem_;
};

}  // namespace takt
