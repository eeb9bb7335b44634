#pragma once
// The bus of a rehearsal: nothing leaves this process and nothing comes, but each frame costs two system calls and a
// copy by the kernel, as on a real one.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/io/can/bus.hpp"

namespace takt::can {

class RehearsedBus final : public Bus {
 public:
  /// Throws BusError.
  RehearsedBus();
  ~RehearsedBus() override;
  RehearsedBus(const RehearsedBus&) = delete;
  RehearsedBus& operator=(const RehearsedBus&) = delete;
  void wait(WallTime until) override;
  [[nodiscard]] bool receive(Frame& frame) override;
  [[nodiscard]] bool send(const Frame& frame) override;
  [[nodiscard]] std::string text() const override { return "rehearsed bus"; }
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const override { return {}; }

 private:
  int near_ = -1, far_ = -1;
};

}  // namespace takt::can
