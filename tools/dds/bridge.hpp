#pragma once
// The bridge: one run on one side, one DDS domain on the other, one thread between them that waits for both.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/dds/commands.hpp"
#include "tools/dds/domain.hpp"
#include "tools/dds/options.hpp"
#include "tools/dds/plant_process.hpp"
#include "tools/dds/reports.hpp"
#include "tools/dds/telemetry.hpp"

namespace takt::dds {

class Bridge {
 public:
  /// @param wake  an eventfd  @throw tools::UsageError, std::runtime_error  why there is none
  Bridge(const Options& options, int wake);
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  /// To the end of the run, or until `stop` is set by a signal that pselect() lets through.
  /// @return the exit code
  int run(const volatile int& stop);

 private:
  enum class Ended { no, in_order, lost };

  void serve(const volatile int& stop, int patience_ms);
  void attach();
  void greet();
  void refuse_second_bridge();
  void watch_all();
  [[nodiscard]] RunLink::Json ask_now(const RunLink::Json& request, const RunLink::Then& at_once = {});
  [[nodiscard]] std::vector<BlockPlan> plans();
  void take_line(const RunLink::Json& line);
  void start(const Asker& asker);
  void look_after_start();
  void reconnect();
  void tick();
  void look_around();
  void say(const std::string& text);
  int finish();

  const Options options_;
  const int wake_;
  std::filesystem::path directory_;
  std::unique_ptr<RunLink> link_;  // nullptr: no run, or the way to it is broken
  Origin origin_;
  std::vector<BlockPlan> plans_;
  std::unique_ptr<Domain> domain_;
  std::unique_ptr<Telemetry> telemetry_;
  std::unique_ptr<Reports> reports_;
  std::unique_ptr<Commands> commands_;
  PlantProcess plant_;
  std::unique_ptr<Asker> starter_;  // who waits for the plant to be there
  Ended ended_ = Ended::no;
  bool was_attached_ = false;
  std::int64_t lost_since_ns_ = 0, next_status_ns_ = 0, next_look_ns_ = 0;
};

}  // namespace takt::dds
