#include "runtime/foreign/hosts.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <stdexcept>

#include "runtime/foreign/port.hpp"

namespace takt::foreign {
namespace {

[[noreturn]] void fail_system(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

/// Of what the plant has open, files, locks, other FMUs, the host has nothing but the three streams and this.
void close_but(int file) {
  if (file > 3) ::syscall(SYS_close_range, 3U, static_cast<unsigned>(file) - 1U, 0U);
  ::syscall(SYS_close_range, static_cast<unsigned>(file) + 1U, ~0U, 0U);
}

/// The table goes by a pipe that fills: by a file without a name.
int file_with(std::string_view text) {
  const int file = ::memfd_create("takt-fmu-table", 0);
  if (file < 0) fail_system("cannot make memory for an FMU");
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote <= 0) fail_system("cannot write the table of an FMU");
    done += static_cast<std::size_t>(wrote);
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

}  // namespace

Hosts::Hosts(std::span<const ForeignDescription> models) : models_(models) {
  if (models.size() > most_ports) throw std::runtime_error("a plant has at most 64 FMUs");
  struct sigaction children {};  // ignored by whoever has started this: nobody could be waited for
  if (sigaction(SIGCHLD, nullptr, &children) == 0 && children.sa_handler == SIG_IGN)
    (void)std::signal(SIGCHLD, SIG_DFL);
  // FOLDER/bin/NAME and FOLDER/bin/KEY/NAME have it in FOLDER/fmu.
  const auto bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  std::filesystem::path fmus = bin.parent_path() / "fmu";
  if (!std::filesystem::exists(fmus)) fmus = bin.parent_path().parent_path() / "fmu";
  for (std::size_t number = 0; number < models.size(); ++number) start(number, fmus);
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
  const std::size_t size = Block::size(model.inputs, model.parameters, model.outputs);
  const int shared = ::memfd_create("takt-fmu", 0);
  if (shared < 0 || ::ftruncate(shared, static_cast<off_t>(size)) != 0) fail_system("cannot make memory for " + name);
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
  if (mapped == MAP_FAILED) fail_system("cannot map memory for " + name);
  Port& own = port(number);
  own = Port{};
  own.block = new (mapped) Block;
  own.block->inputs = model.inputs, own.block->parameters = model.parameters, own.block->outputs = model.outputs;
  const int table = file_with(model.table);
  const std::string fd = std::to_string(shared), bytes = std::to_string(size);
  const std::array<const char*, 5> words{"takt-fmu-host", fd.c_str(), bytes.c_str(), folder.c_str(), nullptr};
  const pid_t parent = ::getpid();
  own.process = ::fork();
  if (own.process < 0) fail_system("cannot make a process for " + name);
  if (own.process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) (void)std::signal(signal, SIG_IGN);
    ::dup2(table, STDIN_FILENO);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);  // what an FMU prints is no result
    close_but(shared);
    ::execv(host.c_str(), const_cast<char* const*>(words.data()));
    ::_exit(127);
  }
  ::close(table);
  ::close(shared);
  // It answers number 0 with 1 when it has loaded the library.
  own.block->asked.store(0);
  if (!own.ask(Command::begin, -1, 0))
    throw std::runtime_error(name + ": " +
                             (own.block->message[0] != '\0' ? own.block->message.data() : "its host did not start"));
}

Hosts::~Hosts() {
  for (std::size_t number = 0; number < models_.size(); ++number) {
    Port& own = port(number);
    if (own.block == nullptr) continue;
    if (!own.is_lost() && own.process > 0) (void)own.ask(Command::end, 0, 0);
    if (own.process > 0) {
      ::kill(own.process, SIGKILL);
      ::waitpid(own.process, nullptr, 0);
    }
    ::munmap(own.block, Block::size(own.block->inputs, own.block->parameters, own.block->outputs));
    own = Port{};
  }
}

std::vector<std::string> Hosts::problems() const {
  std::vector<std::string> all;
  for (std::size_t number = 0; number < models_.size(); ++number)
    if (const Block* block = port(number).block; block != nullptr && block->message[0] != '\0')
      all.push_back(std::string(models_[number].name) + ": " + block->message.data());
  return all;
}

}  // namespace takt::foreign
