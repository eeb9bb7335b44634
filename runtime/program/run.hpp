#pragma once
// What plant_main() does: one run of a plant.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/executive/executive.hpp"
#include "runtime/foreign/hosts.hpp"
#include "runtime/hosts/host_link.hpp"
#include "runtime/hosts/link_process.hpp"
#include "runtime/hosts/meeting.hpp"
#include "runtime/hosts/own_view.hpp"
#include "runtime/hosts/real_time_link.hpp"
#include "runtime/io/record/reserved_file.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "runtime/plant/input_script.hpp"
#include "runtime/program/core_use.hpp"
#include "runtime/program/options.hpp"
#include "runtime/program/plant_directors.hpp"
#include "runtime/program/plant_main.hpp"
#include "runtime/program/plant_threads.hpp"
#include "runtime/program/run_scenario.hpp"
#include "runtime/program/run_tap.hpp"
#include "runtime/program/shared_memory.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

/// Wrong input of the user, or a bus that cannot be opened: exit code 2, nothing was run.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Those of the FMUs in checkpoints.
class FmuStates final : public CheckpointGuest {
 public:
  explicit FmuStates(std::optional<foreign::Hosts>& hosts) : hosts_(hosts) {}
  bool save() noexcept override { return hosts_->save_states(); }
  [[nodiscard]] std::vector<std::byte> bytes() const override { return hosts_->states(); }

 private:
  std::optional<foreign::Hosts>& hosts_;
};

/// One run from the command line to the results.
class Run {
 public:
  Run(const PlantProgram& program, CommandLine options);
  int operator()();

 private:
  void prepare();
  void prepare_inputs();
  void refuse_empty_log() const;
  void judge_log(SimTime end);
  void find_sent();
  void check_needs() const;
  void set(const std::string& name, const std::string& value);
  void refuse_unfit_host() const;
  /// Plans beside each other instead of a run.
  int try_plans();
  /// What plants with FMUs cannot do; then their host processes.
  void start_hosts();
  void keep_states_of_paced_fmus();
  void place_hosts();
  void load_fmu_states();
  void name_end_by_fmu(bool failed_before);
  void report_hosts();
  /// By the command line; else as the replayed run; else as the plant file says.
  [[nodiscard]] bool begins_steady() const;
  void execute();
  // On several hosts (run_hosts.cpp).
  void plan_hosts();
  int propose_hosts() const;
  /// Computes its part for the host that leads.
  void execute_elsewhere(const hosts::Conditions& conditions);
  void meet_hosts();
  void tell_hosts(Executive& executive);
  void make_link(Executive& executive);
  void make_real_time_link(Executive& executive);
  void finish_link(const Executive& executive);
  /// Real time: what other hosts compute is neither shown nor acted on here.
  void narrow();
  void refuse_what_is_sent_elsewhere(const IoPort& io) const;
  /// Of a message about a name that another host has.
  [[nodiscard]] std::string why_not_here(const std::string& message) const;
  void keep_own_results();
  void place_trace();
  bool begins_apart();
  [[nodiscard]] bool is_apart() const noexcept { return host_plan_ && options_.paced; }
  [[nodiscard]] PlantDescription whole_plant() const noexcept;
  [[nodiscard]] hosts::Conditions conditions() const;
  void take_over(const hosts::Conditions& conditions);
  [[nodiscard]] bool follows() const noexcept { return host_plan_ && !host_plan_->leads(); }
  /// Plant memory moves to where other processes see it.
  void share_memory();
  void foretell();
  [[nodiscard]] std::span<const BundledRun> bundled() const noexcept {
    return options_.one_by_one ? std::span<const BundledRun>{} : program_.bundled;
  }
  [[nodiscard]] std::unique_ptr<IoPort> make_io(bool rehearsal) const;

  /// In memory of std::pmr::get_default_resource().
  using ExecutivePointer = std::unique_ptr<Executive, std::function<void(Executive*)>>;
  [[nodiscard]] ExecutivePointer make_executive();
  /// After the run has ended in order and what it leaves is on disk.
  void audit_run(std::span<const PlantCopy> copies);
  [[nodiscard]] std::string why_not_audited() const;
  /// The plant's own pace and memory are not touched.
  void choose();
  void run_threads(Executive& executive);
  void refuse_to_clear_inputs() const;
  void begin_tap();
  void finish();
  void judge_actions();
  void judge_senders();
  void judge_silences(const std::set<std::string>& absent);
  [[nodiscard]] bool needs(const std::string& bus, const std::string& message) const;
  [[nodiscard]] bool is_disturbed(const Silence& silence) const;
  [[nodiscard]] bool was_interrupted() const;
  [[nodiscard]] std::size_t logged_actions() const;
  /// The summary last: it says what became of the others.
  void write_results();
  void attempt(const std::function<void()>& write);
  void note_problem(const std::string& problem);
  /// Where results are in files, a reader who has gone (`| head`, a closed terminal) takes nothing from the run.
  void print_results();

  const PlantProgram& program_;
  CommandLine options_;
  std::unique_ptr<SharedMemory> shared_;  // by the processes of workers; what lies in it goes first
  std::vector<std::uint32_t> entries_;
  RecordPlan states_{};
  PlantDescription plant_;
  std::unique_ptr<Clock> own_clock_;  // the system's, or for tests one that is not
  Clock& clock_ = *own_clock_;
  InputLog replayed_;
  InputScript script_;
  std::vector<ScriptedInput> trial_inputs_;
  std::vector<std::size_t> sent_;  // to buses
  std::vector<OutsideFault> outside_;
  std::vector<std::string> received_;  ///< messages of the rig, "BUS.MESSAGE"
  std::optional<RunScenario> scenario_;
  std::unique_ptr<Tap> tap_;
  std::optional<PlantDirectors> directors_;
  std::optional<Checkpoint> checkpoint_;
  bool acted_on_ = false;  // by more than plant inputs
  std::uint64_t macro_steps_ = 0;
  RunDirectory run_directory_;
  std::filesystem::path directory_;
  std::unique_ptr<ReservedFile> summary_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<IoPort> io_;
  RunTracePointer trace_;
  CoreUse cores_;
  std::vector<ForeignDescription> foreign_;
  std::optional<foreign::Hosts> hosts_;  // of FMUs
  FmuStates fmu_states_{hosts_};
  std::optional<PlantThreads> threads_;
  std::optional<hosts::HostPlan> host_plan_;
  std::unique_ptr<hosts::LinkProcess> link_process_;
  std::optional<hosts::Meeting> meeting_;
  std::unique_ptr<hosts::HostLink> link_;                // in lock-step
  std::unique_ptr<hosts::RealTimeLink> real_time_link_;  // in real time
  std::optional<hosts::OwnView> own_view_;
  std::string why_not_begun_;
  std::vector<ScriptedInput> script_changes_;
  RunResults results_;
};

}  // namespace takt
