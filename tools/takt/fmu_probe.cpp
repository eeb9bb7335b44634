#include "tools/takt/fmu_probe.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <new>
#include <stdexcept>

#include "runtime/fmu/own_process.hpp"
#include "runtime/foreign/host_process.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

using Clock = std::chrono::steady_clock;
using fmu_host::TrialProgress;

/// Memory without a name that the host fills.
struct SharedFile {
  explicit SharedFile(const char* name) : file(foreign::unnamed_file(name)) {}
  ~SharedFile() { close(file); }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  template <class T>
  [[nodiscard]] std::vector<T> content() const {
    struct stat status {};
    fstat(file, &status);
    std::vector<T> all(static_cast<std::size_t>(status.st_size) / sizeof(T));
    std::size_t done = 0;
    for (const std::size_t size = all.size() * sizeof(T); done < size;) {
      const ssize_t part =
          pread(file, reinterpret_cast<char*>(all.data()) + done, size - done, static_cast<off_t>(done));
      if (part <= 0) break;
      done += static_cast<std::size_t>(part);
    }
    all.resize(done / sizeof(T));
    return all;
  }
  int file;
};

struct SharedProgress : SharedFile {
  SharedProgress() : SharedFile("takt-fmu-progress") {
    void* memory = ftruncate(file, sizeof(TrialProgress)) == 0
                       ? mmap(nullptr, sizeof(TrialProgress), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                       : MAP_FAILED;
    if (memory == MAP_FAILED) throw std::runtime_error("there is no memory for the progress of an FMU");
    progress = new (memory) TrialProgress;
  }
  ~SharedProgress() { munmap(progress, sizeof(TrialProgress)); }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;
  TrialProgress* progress = nullptr;
};

/// The host, ended with this.
struct Host {
  explicit Host(const foreign::HostStart& how) : process(foreign::start_host(how)) {}
  ~Host() { (void)foreign::end_host(process); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  foreign::HostProcess process;
};

/// Until the host has ended, or makes no progress.
/// @return false: it hangs
bool wait_for(const Host& host, const TrialProgress& progress, std::chrono::milliseconds patience) {
  std::uint64_t seen = progress.step.load();
  std::uint32_t changes = progress.changes.load();
  for (auto last = Clock::now();;) {
    pollfd waiting{host.process.handle, POLLIN, 0};
    if (poll(&waiting, 1, 20) > 0) return true;
    if (progress.came_back.load() > 0) return true;  // nothing that comes now counts
    if (progress.step.load() != seen || progress.changes.load() != changes)
      seen = progress.step.load(), changes = progress.changes.load(), last = Clock::now();
    if (Clock::now() - last > patience) return false;
  }
}

/// How the host has ended, where it was not for takt to end it.
void judge(int status, ProbeOutcome& outcome) {
  if (WIFSIGNALED(status))
    outcome.end = ProbeOutcome::End::crashed, outcome.signal = WTERMSIG(status);
  else if (outcome.found.is_discarded())
    outcome.end = ProbeOutcome::End::exited, outcome.exit_code = WEXITSTATUS(status);
}

}  // namespace

std::string ProbeOutcome::text() const {
  const std::string where = " at step " + std::to_string(step) + (doing.empty() ? "" : ", " + doing);
  switch (end) {
    case End::crashed:
      return std::string("crashed (SIG") + sigabbrev_np(signal) + ")" + where;
    case End::hung:
      return "hung" + where;
    case End::exited:
      return "ended the process it runs in (exit code " + std::to_string(exit_code) + ")" + where;
    case End::copied:
      return fmu::about_copies + std::string(": ") + where.substr(1);
    case End::finished:
      break;
  }
  return "finished";
}

fmu_host::TrialPlan trial_of(const OpenFmu& fmu) {
  fmu_host::TrialPlan plan;
  plan.folder = fmu.unpacked.string();
  plan.name = fmu.description.model_name;
  plan.table = fmu.table;
  return plan;
}

ProbeOutcome probe(const fmu_host::TrialPlan& plan, std::chrono::milliseconds patience, bool silent) {
  const SharedProgress shared;
  const SharedFile rows("takt-fmu-rows"), found("takt-fmu-found");
  const std::vector<std::uint8_t> bytes = fmu_host::packed(plan);
  const std::array<std::string, 1> words{"trial"};
  const std::array files{shared.file, rows.file, found.file};  // as TrialFile numbers them
  Host host({.program = find_home().prefix / "bin" / "takt-fmu-host",
             .words = words,
             .table = {reinterpret_cast<const char*>(bytes.data()), bytes.size()},
             .files = files,
             .silent = silent});
  const WaitLine line("computing " + plan.name, [&] { return "step " + std::to_string(shared.progress->step.load()); });
  const bool hung = !wait_for(host, *shared.progress, patience);
  const int status = foreign::end_host(host.process);
  ProbeOutcome outcome;
  outcome.step = shared.progress->step.load();
  shared.progress->doing.back() = 0;
  outcome.doing = shared.progress->doing.data();
  outcome.found = nlohmann::json::from_cbor(found.content<std::uint8_t>(), true, false);
  outcome.rows = rows.content<double>();
  if (shared.progress->came_back.load() > 0)
    outcome.end = ProbeOutcome::End::copied;
  else if (hung)
    outcome.end = ProbeOutcome::End::hung;
  else
    judge(status, outcome);
  if (outcome.end != ProbeOutcome::End::finished) outcome.found = nullptr;
  return outcome;
}

}  // namespace takt::tools
