#pragma once
// Takes actions on a running plant and lets each take effect at its time: between macro-steps, while nobody computes.

#include <array>
#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/io/record/text_file.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/schedule.hpp"
#include "runtime/plant/time.hpp"
#include "runtime/stats/run_results.hpp"
#include "runtime/steering/director.hpp"
#include "runtime/steering/readings.hpp"
#include "runtime/steering/tuner.hpp"
#include "runtime/steering/window_copies.hpp"

namespace takt {

/// Phases: construct (allocates), start() before the plant is initialised, begin() when it is prepared, then direct()
/// per boundary and force() per release by the real-time thread that leads, end(), finish(), report(). An ordinary
/// thread computes coefficients and keeps the log. readings() belongs to whoever computes.
class Steering final : public ActionSink {
 public:
  struct Options {
    std::span<Director* const> directors{};
    std::filesystem::path folder{};  ///< where actions.csv is made with the first action; empty: nowhere
    bool paced = false;
    void* outside = nullptr;  ///< what drives the buses; nullptr: nothing does
    void (*disturb)(void* outside, std::uint32_t fault, std::uint64_t word) noexcept = nullptr;  ///< real-time
    void* followers = nullptr;  ///< hosts that have the same plant and do as this one; nullptr: none
    void (*tell)(void* followers, SimTime now, const Action& action) noexcept = nullptr;
  };
  /// Tunings take effect so much later than they are asked for: the least number of macro-steps that lasts this long.
  static constexpr SimDuration least_latency{10'000'000};
  [[nodiscard]] static SimDuration latency(const PlantDescription& plant) noexcept;

  /// How a checkpoint is made.
  struct Checkpoints {
    void* taker = nullptr;
    bool (*is_free)(void* taker) noexcept = nullptr;            ///< real-time: one can be taken now
    void (*take)(void* taker, SimTime now) noexcept = nullptr;  ///< real-time
    std::function<bool()> write;                                ///< on the ordinary thread. There was something
    std::function<std::string()> problem;
  };

  Steering(const PlantDescription& plant, const Schedule& schedule, Options options);
  ~Steering();

  /// Plant inputs may get other values for the start.
  void start(std::span<double> plant_inputs);
  void begin();
  void take_checkpoints(Checkpoints checkpoints) { checkpoints_ = std::move(checkpoints); }
  /// What lasts from boundary to boundary, as bytes. Directors are not in it.
  [[nodiscard]] std::size_t state_size() const noexcept;
  void save(std::byte* to) const noexcept;  ///< real-time: copies so many bytes
  /// After begin(). What had been asked for and not yet taken effect is asked for again.
  void restore(const std::byte* from, SimTime now);
  /// After begin(): from now on only what this one asks for is done, as another host tells it.
  void follow(Director& only) noexcept {
    only_ = &only;
    directors_ = {&only_, 1};
  }
  /// The ordinary thread. Once the processes of workers are there.
  void start_thread();
  /// Time 0, or a boundary that is_due() has named. @return false: what is to take effect now is not computed yet; ask
  /// again a little later (free runs only)
  bool direct(SimTime now) noexcept;
  [[nodiscard]] bool looks_at(SimTime now) const noexcept;
  [[nodiscard]] bool is_due(SimTime now) const noexcept;
  /// Plant inputs that have been set, as they are taken at this time. @return one of them is in force
  bool force(SimTime now, std::span<double> plant_inputs) noexcept;
  [[nodiscard]] Readings& readings() noexcept { return readings_; }
  /// A plant input has been set or released since this was asked last.
  [[nodiscard]] bool inputs_changed() noexcept { return std::exchange(inputs_changed_, false); }
  /// nullptr: goes on.
  [[nodiscard]] const char* stop_because() const noexcept { return stop_; }
  /// The last boundary.
  void end(SimTime now) noexcept;
  /// Waits for the log.  @return what went wrong with it; empty: nothing
  std::string finish();
  void report(RunResults& results) const;
  /// More than plant inputs have been changed: the log of inputs does not tell all.
  [[nodiscard]] bool has_acted() const noexcept { return acted_; }

  SimTime act(const Action& action, std::uint16_t author) noexcept override;
  void stop(const char* because) noexcept override { stop_ = because; }
  [[nodiscard]] WindowCopies* window_copies() noexcept override { return &window_copies_; }

 private:
  static constexpr std::uint16_t nobody = 0xffff;  // who asked before a checkpoint
  struct Pending {
    SimTime due;
    Action action;
    std::uint16_t director = 0, author = 0;
  };
  struct Taken {  // for the log
    SimTime time;
    Action action;
    double booked_j = 0.0;
    const Patch* refused = nullptr;
    std::uint16_t director = 0, author = 0;
  };

  SimTime set(const Action& action, std::uint16_t author) noexcept;
  void release(std::uint32_t row) noexcept;
  bool take_effect(SimTime now) noexcept;
  double apply(const Patch& patch, SimTime now) noexcept;
  void keep_in_mind(const Action& action) noexcept;
  template <class Self, class Call>
  static void for_all_state(Self& self, const Call& call);
  void tell(const Action& action) noexcept {
    if (options_.tell != nullptr) options_.tell(options_.followers, now_, action);
  }
  void log(const Taken& taken) noexcept;
  void work();
  void log_taken(const std::array<std::string, 5>& fields);
  bool write_log();
  bool note_sets();
  [[nodiscard]] ActionResult result_of(const Taken& taken, const std::string& author) const;

  const PlantDescription plant_;
  const Schedule& schedule_;
  const Options options_;
  const SimDuration latency_;
  Director* only_ = nullptr;
  std::span<Director* const> directors_;
  Readings readings_;
  WindowCopies window_copies_;
  std::optional<Tuner> tuner_;
  Checkpoints checkpoints_;
  Tuned tuned_;  // what has taken effect
  std::vector<double> forced_;
  std::vector<char> in_force_;
  bool any_in_force_ = false, inputs_changed_ = false;
  std::span<double> start_inputs_;  // while start() runs
  std::vector<Pending> pending_;    // a ring
  struct Counts {
    std::uint64_t asked = 0, settled = 0;
  } counts_;
  SimTime now_;
  std::uint16_t director_ = 0;  // that acts
  bool acted_ = false, ended_ = false, wants_checkpoint_ = false;
  std::uint64_t late_ = 0, lost_ = 0;
  const char* stop_ = nullptr;
  boost::lockfree::spsc_queue<Taken, boost::lockfree::capacity<1024>> taken_;
  boost::lockfree::spsc_queue<Taken, boost::lockfree::capacity<1024>> set_;  // plant inputs, for the report alone
  std::uint64_t sets_lost_ = 0;
  // From here on: of the ordinary thread while it runs.
  std::vector<ActionResult> results_, sets_;
  std::uint64_t sets_left_out_ = 0;
  std::optional<TextFile> log_file_;
  std::string log_problem_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace takt
