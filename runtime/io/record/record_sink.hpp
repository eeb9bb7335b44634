#pragma once
// The seam between the recorder and a format of recorded signals. A format is a folder below formats/ and its name in
// CMakeLists.txt, or a RecordFormat of another project (see AddedRecordFormat).

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/io/record/record_trigger.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

struct RecordColumn {
  std::string path, unit;
};

/// Signals that are sampled together: those of RecordedRow::plan.
struct RecordRate {
  SimDuration period;
  std::vector<RecordColumn> columns;
};

/// What is known of a run by name.
struct RecordProperty {
  std::string name, value;
  bool whole_number = false;
};

/// A text that goes into the file whole.
struct RecordAttachment {
  std::string name, type;  ///< "plant.toml", "application/toml"
  std::string text;
};

struct RecordHead {
  std::string title;                       ///< for people: which plant
  std::vector<RecordProperty> properties;  ///< where the run comes from
  std::vector<RecordRate> rates;           ///< the shortest period first
  bool compress = false;                   ///< only where the format compresses
  std::vector<RecordAttachment> attachments;
};

struct RecordEvent {
  enum class Kind : std::uint8_t { trigger, marker };
  SimTime time;
  std::string text;
  Kind kind = Kind::marker;
  SimDuration before{}, after{};  ///< of a trigger: what is kept around it
};

/// How a run ended: nothing comes after it.
struct RecordEnd {
  std::vector<RecordEvent> events;
  std::vector<RecordProperty> properties;
  RecordAttachment summary;
};

/// One file of recorded signals. Phases: open(), begin_at(), add(), add_event() and flush(), finish(), conclude().
/// All calls come from one thread at a time: the recorder's, and before and after it the one that begins and ends the
/// run. Errors after open() are kept, not thrown: a full disk must not end a run. What is in the file then is whole.
/// Real-time: none of it.
class RecordSink {
 public:
  RecordSink() = default;
  virtual ~RecordSink() = default;
  RecordSink(const RecordSink&) = delete;
  RecordSink& operator=(const RecordSink&) = delete;

  /// @throw std::runtime_error  with path and cause
  virtual void open(const std::filesystem::path& path, const RecordHead& head) = 0;
  /// Before the first row: time 0 in UTC, and by how much TAI is ahead of it (0: the kernel does not know).
  virtual void begin_at(std::int64_t /*utc_ns*/, int /*tai_ahead_s*/) {}
  /// Rows come in the order of time; of one time those of all rates one after the other.
  virtual void add(const RecordedRow& row) = 0;
  virtual void add_event(const RecordEvent& /*event*/) {}
  /// Hands everything to the system, so that it survives the end of this process. At least once a second.
  virtual void flush() = 0;
  /// There are no more rows.
  virtual void finish() = 0;
  /// Closes the file.
  virtual void conclude(const RecordEnd& /*end*/) {}
  /// The first error since open(), with path and cause; empty: none.
  [[nodiscard]] virtual std::string problem() const = 0;
  /// Rows that are not in the file, because of that problem.
  [[nodiscard]] virtual std::uint64_t lost() const = 0;
};

/// Signals of a file that were sampled together.
struct RecordedGroup {
  struct Signal {
    std::string path, unit;
    std::vector<double> values;
  };
  std::vector<double> time_s;
  std::vector<Signal> signals;
};

/// A row of the table of formats. All that options, messages and readers say of a format comes from it.
struct RecordFormat {
  std::string_view word;   ///< of --record
  std::string_view file;   ///< what it is called in a run directory
  std::string_view title;  ///< for people
  bool compresses = false, attaches = false;
  std::unique_ptr<RecordSink> (*make)() = nullptr;
  /// Whether a file begins as this format does. nullptr: not to be told from other texts.
  bool (*is_one)(const std::filesystem::path& file) = nullptr;
  /// nullptr: Takt does not read it.  @throw std::runtime_error  the file, the place in it and what is wrong
  std::vector<RecordedGroup> (*read)(const std::filesystem::path& file) = nullptr;
};

template <class Sink>
std::unique_ptr<RecordSink> make_record_sink() {
  return std::make_unique<Sink>();
}

}  // namespace takt
