#pragma once
// The process takt-host-link, which carries messages over DDS. A plant is a static file and loads no libraries.

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>

#include "runtime/hosts/link_memory.hpp"
#include "runtime/hosts/transport.hpp"

namespace takt::hosts {

class LinkProcess final : public Transport {
 public:
  struct Settings {
    std::string session;    ///< only hosts of the same one hear each other
    std::string interface;  ///< of the network
    int domain = 0;
    int priority = 0;  ///< SCHED_FIFO, of all of its threads; 0, and where that may not be: ordinary ones
  };
  /// Returns when it has joined the domain.
  /// @throw std::runtime_error  it is not there, or says why it cannot
  explicit LinkProcess(const Settings& settings);
  /// What has been sent has left, as far as others take it within a second.
  ~LinkProcess() override;

  [[nodiscard]] bool try_send(std::span<const std::byte> message) override;
  [[nodiscard]] bool try_receive(std::vector<std::byte>& message) override;
  void wait(std::int64_t at_most_ns) override;
  [[nodiscard]] std::string problem() const override;

 private:
  void start(const Settings& settings, const std::filesystem::path& program, int shared);
  void wait_until_open();
  [[nodiscard]] bool has_ended() const noexcept;
  void end() noexcept;

  LinkMemory* memory_ = nullptr;
  std::unique_ptr<MessageWriter> writer_;
  std::unique_ptr<MessageReader> reader_;
  pid_t process_ = -1;
  int handle_ = -1;  // pidfd
};

}  // namespace takt::hosts
