#pragma once
// From the real-time thread to files: recorded signals and the log of plant inputs cross in two rings, a thread of
// its own formats and writes them. inputs.csv and the files of signals, one of each format that is asked for, are
// flushed at least each second, so a killed run leaves what it had.

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/io/record/record_formats.hpp"
#include "runtime/io/record/record_sink.hpp"
#include "runtime/io/record/record_trigger.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

/// Phases: construct (opens the files; throws std::runtime_error), start(), then is_due(), try_record(), skip(),
/// try_log_input() and lose_input() by the real-time thread, then finish() and report(). One writer, the real-time
/// thread; one reader, the recorder's thread.
class Recorder {
 public:
  struct Options {
    std::filesystem::path directory;                                     ///< exists; empty: nothing is kept
    std::size_t ring_words = 1 << 20;                                    ///< 8 bytes each
    std::vector<std::pair<std::string, std::string>> parameters_set{};   ///< for the head of inputs.csv, SI values
    bool steady = false;                                                 ///< for the same: how the run begins
    std::vector<const RecordFormat*> formats{record_formats().front()};  ///< a file of signals in each
    bool compress = false;                                               ///< where formats do: needs can_deflate()
    std::optional<RecordTrigger> trigger{};                              ///< silent: everything is recorded
    std::vector<RecordProperty> properties{};                            ///< where the run comes from
    std::vector<RecordAttachment> attachments{};                         ///< for formats that take them
  };

  Recorder(const PlantDescription& plant, const Options& options);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void start();

  /// Whether there are rows at this synchronisation time.  Real-time: wait-free.
  [[nodiscard]] bool is_due(SimTime now) const noexcept;
  /// Rows due at this synchronisation time.
  /// @return false: the ring is full, nothing has been recorded; call again (free run) or skip() (paced).
  /// Real-time: wait-free, copies the due entries.
  [[nodiscard]] bool try_record(SimTime now) noexcept;
  void skip(SimTime now) noexcept;
  /// A plant input that changed, taken at this release.  @return false: the ring is full.  Real-time: wait-free.
  [[nodiscard]] bool try_log_input(SimTime time, std::uint32_t input, double value) noexcept;
  void lose_input() noexcept { ++changes_lost_; }
  /// All changes taken up to this release have been handed over.  Real-time: one store.
  void reach(SimTime now) noexcept { reached_.store(now, std::memory_order_release); }  // pairs with: reached

  /// Something that happened, for formats that know events. From any thread but the real-time one, until finish().
  /// @param time  simulated
  void note_event(SimTime time, std::string text);

  /// Drains the rings, writes what is left and closes inputs.csv.  @param macro_steps  of the run
  /// @param jumped  how many of them were not computed  @param actions  on more than plant inputs and buses
  /// @return what could not be written (no space) and from when on; empty: all is there
  [[nodiscard]] std::string finish(std::uint64_t macro_steps, std::uint64_t jumped = 0, std::size_t actions = 0);
  /// After finish(): recorded signals for the report, counters, and what there is to say of a trigger.
  void report(RunResults& results);
  /// Last of all: formats that know them get events, end and summary of the run; the files of signals are closed.
  /// @param summary  the text of summary.json  @return what could not be written, unless finish() has told it
  [[nodiscard]] std::string conclude(const RunResults& results, std::string_view summary);

 private:
  struct Column {
    const double* value;
    std::uint32_t index;  // of columns_
  };
  struct Plan {
    SimDuration period;
    SimTime next;
    std::vector<Column> columns;
  };
  void go_on(SimTime now) noexcept;
  struct InputChange {
    std::int64_t time_ns;
    double value;
    std::uint32_t input;
  };

  void work();
  bool drain();
  void drain_inputs();
  void mark_reached();
  void open_sinks(const Options& options);
  void open_inputs(const Options& options);
  void read_row();
  void write_recorded(const RecordedRow& row);
  void begin_at(SimTime time);
  void add_event(const RecordEvent& event);
  void write_events();
  bool find_problem();
  [[nodiscard]] std::uint64_t rows_lost() const;

  const PlantDescription plant_;
  std::pmr::vector<Plan> plans_;        // workers ask it what is due
  std::vector<std::uint64_t> staging_;  // of the real-time thread
  boost::lockfree::spsc_queue<std::uint64_t> rows_;
  boost::lockfree::spsc_queue<InputChange> inputs_;
  std::uint64_t dropped_ = 0, recorded_ = 0, changes_ = 0, changes_lost_ = 0;  // of the real-time thread

  std::atomic<SimTime> reached_{};  // likewise
  SimTime to_mark_, marked_;        // of the recorder's thread

  TextFile inputs_file_;  // from here on: of the recorder's thread while it runs
  std::vector<std::unique_ptr<RecordSink>> sinks_;
  bool has_begun_ = false;
  std::optional<TriggerGate> gate_;
  std::uint64_t triggers_ = 0;
  std::mutex events_mutex_;
  std::vector<RecordEvent> events_;  // not yet in the file
  std::vector<RecordedSignal> columns_;
  std::vector<std::uint64_t> words_;
  std::string problem_;
  std::thread thread_;
  std::atomic<bool> stop_{false};
};

}  // namespace takt
