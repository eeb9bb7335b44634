#include "runtime/foreign/hosts.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <stdexcept>

#include "runtime/foreign/port.hpp"
#include "runtime/trust/ours.hpp"

namespace takt::foreign {
namespace {

constexpr std::size_t most_state = 64 << 20;          ///< of one FMU; memory that is not touched costs nothing
constexpr std::int64_t own_core_spin_ns = 1'000'000;  ///< longer than what is computed before it is asked

[[noreturn]] void fail_system(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

}  // namespace

Hosts::Hosts(std::span<const ForeignDescription> models, bool paced)
    : models_(models), paced_(paced), processes_(models.size()) {
  if (models.size() > most_ports) throw std::runtime_error("a plant has at most 64 FMUs");
  struct sigaction children {};  // ignored by whoever has started this: nobody could be waited for
  if (sigaction(SIGCHLD, nullptr, &children) == 0 && children.sa_handler == SIG_IGN)
    (void)std::signal(SIGCHLD, SIG_DFL);
  // FOLDER/bin/NAME and FOLDER/bin/KEY/NAME have it in FOLDER/fmu.
  const auto bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  std::filesystem::path fmus = bin.parent_path() / "fmu";
  if (!std::filesystem::exists(fmus)) fmus = bin.parent_path().parent_path() / "fmu";
  try {
    ends_ = ::eventfd(0, EFD_CLOEXEC);
    if (ends_ < 0) fail_system("cannot watch the processes of FMUs");
    for (std::size_t number = 0; number < models.size(); ++number) start(number, fmus);
    watch_ = std::thread([this] { watch(); });
    // Each answers its first question when it has loaded the library.
    for (std::size_t number = 0; number < models.size(); ++number)
      if (Port& own = port(number); !own.ask(Command::begin))
        throw std::runtime_error(std::string(models[number].name) + ": " + own.block->message.data());
      else
        processes_[number].host = own.block->host;
  } catch (...) {
    end();
    throw;
  }
}

void Hosts::start(std::size_t number, const std::filesystem::path& fmus) {
  const ForeignDescription& model = models_[number];
  const std::string name = model.name;
  const std::filesystem::path folder = fmus / model.folder, host = fmus / "takt-fmu-host";
  for (const auto& needed : {folder, host})
    if (!std::filesystem::exists(needed))
      throw std::runtime_error(
          name + ": " + needed.string() +
          " is missing: a plant with FMUs needs the folder fmu beside the folder of its executable; build it again");
  std::string stranger = why_not_ours(host);
  if (stranger.empty()) stranger = why_not_ours(folder);
  if (stranger.empty()) stranger = why_not_ours_below(folder);
  if (!stranger.empty())
    throw std::runtime_error(name + ": " + fmus.string() + " is not used: " + stranger +
                             "; what lies there is run, so only you and root may be able to write it: chown, chmod "
                             "go-w after a look at what is in it, or build the plant again in a folder of your own");
  Block head;
  head.inputs = model.inputs, head.parameters = model.parameters, head.outputs = model.outputs;
  head.state_room = model.why_no_state == nullptr ? most_state : 0;
  const std::size_t size = head.size();
  const int shared = unnamed_file("takt-fmu");
  if (::ftruncate(shared, static_cast<off_t>(size)) != 0) fail_system("cannot make memory for " + name);
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
  if (mapped == MAP_FAILED) fail_system("cannot map memory for " + name);
  Port& own = port(number);
  own = Port{};
  own.block = new (mapped) Block;
  own.block->inputs = head.inputs, own.block->parameters = head.parameters, own.block->outputs = head.outputs;
  own.block->state_room = head.state_room;
  const std::array<std::string, 3> words{std::to_string(size), folder.string(), paced_ ? "paced" : "free"};
  processes_[number].kept =
      start_host({.program = host, .words = words, .table = model.table, .files = std::span(&shared, 1)});
  ::close(shared);
}

/// The host itself may compute before everything else on its CPU, its keeper included.
void Hosts::end_now(const Process& process) noexcept {
  if (const pid_t host = process.host; host > 0) ::kill(host, SIGKILL);
  if (process.kept.id > 0) ::kill(process.kept.id, end_signal);
}

/// Until all are gone, or nobody wants to know.
void Hosts::watch() noexcept {
  std::array<pollfd, most_ports + 1> watched{};
  const std::size_t count = processes_.size();
  for (std::size_t i = 0; i < count; ++i)
    watched[i] = {.fd = processes_[i].kept.handle, .events = POLLIN, .revents = 0};
  watched[count] = {.fd = ends_, .events = POLLIN, .revents = 0};
  for (;;) {
    if (::poll(watched.data(), count + 1, 1000) < 0 && errno != EINTR) return;
    if (watched[count].revents != 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      // One that is not asked any more may compute for ever, before everything else on its CPU.
      if (watched[i].fd >= 0 && port(i).is_lost()) end_now(processes_[i]);
      if (watched[i].revents == 0) continue;
      watched[i].fd = -1, watched[i].revents = 0;
      processes_[i].host = 0;
      siginfo_t info{};
      const bool known = ::waitid(static_cast<idtype_t>(P_PID), static_cast<id_t>(processes_[i].kept.id), &info,
                                  WEXITED | WNOWAIT) == 0;  // end() reaps it
      Block& block = *port(i).block;
      block.gone.store(known && info.si_code == CLD_EXITED ? Gone::by_itself : Gone::by_signal);
      wake(block.answered);
    }
  }
}

void Hosts::end() noexcept {
  for (std::size_t number = 0; number < processes_.size(); ++number)
    if (Port& own = port(number); own.block != nullptr && watch_.joinable()) own.end();
  if (watch_.joinable()) {
    const std::uint64_t one = 1;
    (void)!::write(ends_, &one, sizeof one);
    watch_.join();
  }
  for (std::size_t number = 0; number < processes_.size(); ++number) {
    end_now(processes_[number]);
    (void)end_host(processes_[number].kept);
    Port& own = port(number);
    if (own.block != nullptr) ::munmap(own.block, own.block->size());
    own = Port{};
  }
  if (ends_ >= 0) ::close(ends_);
}

Hosts::~Hosts() { end(); }

std::string Hosts::put(std::size_t number, const Place& place) {
  const std::string name = models_[number].name;
  const pid_t id = processes_[number].host;
  Port& own = port(number);
  own.spins = place.spins;
  own.block->spin_ns = place.spins ? own_core_spin_ns : 0;
  if (!place.cpus.empty()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : place.cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
    if (::sched_setaffinity(id, sizeof set, &set) != 0)
      return name + ": its host cannot be put on its CPUs (" + std::strerror(errno) + ")";
  }
  const sched_param parameter{.sched_priority = place.priority};
  if (::sched_setscheduler(id, SCHED_FIFO, &parameter) != 0)
    return name + ": no SCHED_FIFO for its host (" + std::strerror(errno) +
           "): other processes will delay its answers; run as root or grant CAP_SYS_NICE";
  return {};
}

bool Hosts::save_states() noexcept {
  bool all = true;
  for (std::size_t number = 0; number < models_.size(); ++number) all = port(number).ask(Command::save) && all;
  return all;
}

std::vector<std::byte> Hosts::states() const {
  std::vector<std::byte> all;
  for (std::size_t number = 0; number < models_.size(); ++number) {
    Block& block = *port(number).block;
    const std::span<const std::byte> size = std::as_bytes(std::span(&block.state_bytes, 1));
    all.insert(all.end(), size.begin(), size.end());
    all.insert(all.end(), block.state(), block.state() + block.state_bytes);
  }
  return all;
}

void Hosts::load_states(std::span<const std::byte> bytes, std::int64_t simulated_ns) {
  for (std::size_t number = 0; number < models_.size(); ++number) {
    Port& own = port(number);
    Block& block = *own.block;
    const auto fail = [&](const std::string& why) {
      throw std::runtime_error(std::string(models_[number].name) + ": its state cannot be taken up again: " + why);
    };
    std::uint64_t size = 0;
    if (bytes.size() < sizeof size) fail("the checkpoint has none");
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes = bytes.subspan(sizeof size);
    if (size > bytes.size() || size > block.state_room) fail("it is cut off");
    std::memcpy(block.state(), bytes.data(), size);
    bytes = bytes.subspan(size);
    block.state_bytes = size, block.start_ns = simulated_ns;
    if (!own.ask(Command::load)) fail(block.message.data());
    own.stands_at(simulated_ns);
  }
  if (!bytes.empty()) throw std::runtime_error("the checkpoint has states of more FMUs than the plant");
}

std::vector<HostStats> Hosts::stats() const {
  std::vector<HostStats> all;
  for (std::size_t number = 0; number < models_.size(); ++number)
    if (const Block* block = port(number).block; block != nullptr)
      all.push_back({models_[number].name, block->late, block->calls, block->exchanges});
  return all;
}

std::vector<std::string> Hosts::problems() const { return said(false); }

std::vector<std::string> Hosts::ends() const { return said(true); }

std::vector<std::string> Hosts::said(bool ended) const {
  std::vector<std::string> all;
  for (std::size_t number = 0; number < models_.size(); ++number)
    if (const Port& own = port(number);
        own.block != nullptr && own.block->message[0] != '\0' && own.has_ended() == ended)
      all.push_back(std::string(models_[number].name) + ": " + own.block->message.data());
  return all;
}

}  // namespace takt::foreign
