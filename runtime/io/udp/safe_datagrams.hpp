#pragma once
// What a supervisor sends on UDP buses in place of their plant: the safe values over those sent last, from the plant's
// own socket, which the plant passes on as it opens it.

#include <memory>
#include <string>
#include <vector>

#include "runtime/io/supervision.hpp"
#include "runtime/io/udp/address.hpp"
#include "runtime/io/udp/plan.hpp"
#include "runtime/io/udp/sender.hpp"

namespace takt::udp {

/// In the number that comes with a socket that is passed on; the rest is the number of the bus.
inline constexpr std::uint32_t socket_mark = std::uint32_t{1} << 30U;

class SafeDatagrams final : public SafeSender {
 public:
  struct BusSettings {
    const BusPlan& plan;
    Address peer;  ///< after overrides
    std::shared_ptr<SentMemory> memory;
  };
  explicit SafeDatagrams(const std::vector<BusSettings>& buses);
  ~SafeDatagrams() override;
  SafeDatagrams(const SafeDatagrams&) = delete;
  SafeDatagrams& operator=(const SafeDatagrams&) = delete;

  void prepare() override {}
  [[nodiscard]] bool owns(std::uint32_t bus) const override { return (bus & socket_mark) != 0; }
  void adopt(std::uint32_t bus, int connection) override;
  void add_to(std::vector<pollfd>& /*polled*/) const override {}
  void tidy() override {}
  void take_over() override {}
  std::uint64_t send_all(WallTime now) override;
  std::uint64_t send_due(WallTime now) override;
  [[nodiscard]] WallTime next_due() const override;
  [[nodiscard]] std::string text() const override;

 private:
  struct Line {
    const BusPlan* plan;
    Address peer;
    int socket = -1;
    std::vector<FrameWriter> writers;
    std::vector<WallTime> due;
  };
  static bool send(Line& line, std::size_t frame, WallTime now);
  std::vector<Line> lines_;
};

}  // namespace takt::udp
