#pragma once
// Several kinds of buses behind one IoPort. The kinds are known where the rig is compiled and final: no call of the
// real-time thread goes through a table of virtual functions but the one to the port as a whole.

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/io/io_port.hpp"

namespace takt {

/// What the supervisor sends for all of them; nullptr: none has anything to send.
[[nodiscard]] std::unique_ptr<SafeSender> join_senders(std::vector<std::unique_ptr<SafeSender>> parts);

/// Statistics of several ports, JSON: lists of the same name are one.
[[nodiscard]] std::string join_statistics(const std::vector<std::string>& parts);

/// @tparam Ports  final, in the order of what they report
template <class... Ports>
class JoinedPorts final : public IoPort {
  static_assert((std::is_final_v<Ports> && ...), "a call through a table of virtual functions on the real-time path");

 public:
  explicit JoinedPorts(std::unique_ptr<Ports>... ports) : ports_(std::move(ports)...) {
    std::uint32_t end = 0;
    each([&](const auto& port) {
      end += static_cast<std::uint32_t>(port.outside_faults().size());
      ends_.push_back(end);
    });
  }

  void start() override {
    each([](auto& port) { port.start(); });
  }
  void latch(SimTime now, WallTime release, std::span<double> plant_inputs) noexcept override {
    each([&](auto& port) { port.latch(now, release, plant_inputs); });
  }
  void publish(SimTime now, WallTime due, const std::byte* plant_memory) noexcept override {
    each([&](auto& port) { port.publish(now, due, plant_memory); });
  }
  [[nodiscard]] bool sends_from(std::size_t subsystem) const noexcept override {
    bool any = false;
    each([&](const auto& port) { any = any || port.sends_from(subsystem); });
    return any;
  }
  [[nodiscard]] std::vector<std::size_t> sent() const override {
    std::vector<std::size_t> all;
    each([&](const auto& port) { append(all, port.sent()); });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  [[nodiscard]] std::vector<OutsideFault> outside_faults() const override {
    std::vector<OutsideFault> all;
    each([&](const auto& port) { append(all, port.outside_faults()); });
    return all;
  }
  void disturb(std::uint32_t fault, std::uint64_t word) noexcept override {
    std::size_t part = 0;
    std::uint32_t first = 0;
    each([&](auto& port) {
      if (fault >= first && fault < ends_[part]) port.disturb(fault - first, word);
      first = ends_[part++];
    });
  }
  void forget_sent() noexcept override {
    each([](auto& port) { port.forget_sent(); });
  }
  void publish_safe(SimTime now) noexcept override {
    each([&](auto& port) { port.publish_safe(now); });
  }
  void stop() override {
    each([](auto& port) { port.stop(); });
  }
  [[nodiscard]] std::string take_start_steps(const StepSurroundings& around) override {
    std::string failed;
    const StepSurroundings hearing = heard_meanwhile(around);
    each([&](auto& port) {
      if (failed.empty()) failed = port.take_start_steps(hearing);
    });
    return failed;
  }
  [[nodiscard]] std::string take_stop_steps(const StepSurroundings& around) override {
    const StepSurroundings hearing = heard_meanwhile(around);
    return joined([&](auto& port) { return port.take_stop_steps(hearing); });
  }
  [[nodiscard]] std::string problem() const override {
    return joined([](const auto& port) { return port.problem(); });
  }
  [[nodiscard]] std::vector<IoFinding> findings() const override {
    std::vector<IoFinding> all;
    each([&](const auto& port) { append(all, port.findings()); });
    return all;
  }
  [[nodiscard]] std::vector<Silence> silences() const override {
    std::vector<Silence> all;
    each([&](const auto& port) { append(all, port.silences()); });
    return all;
  }
  /// In the order of time; of one time, that of the ports.
  [[nodiscard]] std::vector<IoEvent> events() const override {
    std::vector<IoEvent> all;
    each([&](const auto& port) { append(all, port.events()); });
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
    return all;
  }
  [[nodiscard]] std::string statistics_json() const override {
    std::vector<std::string> parts;
    each([&](const auto& port) { parts.push_back(port.statistics_json()); });
    return join_statistics(parts);
  }
  [[nodiscard]] std::unique_ptr<SafeSender> safe_sender() override {
    std::vector<std::unique_ptr<SafeSender>> parts;
    each([&](auto& port) { parts.push_back(port.safe_sender()); });
    return join_senders(std::move(parts));
  }
  [[nodiscard]] std::size_t count_in(std::span<BusCounts> counts) override {
    std::size_t used = 0;
    each([&](auto& port) { used += port.count_in(counts.subspan(used)); });
    return used;
  }
  void pass_connections_to(int socket) override {
    each([&](auto& port) { port.pass_connections_to(socket); });
  }

 private:
  template <class Call>
  void each(const Call& call) const {
    std::apply([&](const auto&... port) { (call(*port), ...); }, ports_);
  }
  /// While one kind takes its steps no release takes what comes: kinds that have hear_meanwhile() do it there.
  [[nodiscard]] StepSurroundings heard_meanwhile(const StepSurroundings& around) const {
    StepSurroundings hearing = around;
    hearing.beat = [this, beat = around.beat] {
      beat();
      each([](auto& port) {
        if constexpr (requires { port.hear_meanwhile(); }) port.hear_meanwhile();
      });
    };
    return hearing;
  }
  /// Texts, with "; " between them.
  template <class Text>
  [[nodiscard]] std::string joined(const Text& text) const {
    std::string all;
    each([&](auto& port) {
      const std::string one = text(port);
      all += (all.empty() || one.empty() ? "" : "; ") + one;
    });
    return all;
  }
  template <class Item>
  static void append(std::vector<Item>& all, std::vector<Item> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  std::tuple<std::unique_ptr<Ports>...> ports_;
  std::vector<std::uint32_t> ends_;  // of each port, the end of its own in outside_faults()
};

/// @return nullptr where there is no port, as in a free run: then no kind has one
template <class... Ports>
[[nodiscard]] std::unique_ptr<IoPort> join_ports(std::unique_ptr<Ports>... ports) {
  if (((ports == nullptr) || ...)) return nullptr;
  return std::make_unique<JoinedPorts<Ports...>>(std::move(ports)...);
}

/// Of the settings of a run those that are not of buses of other kinds: whoever has no such bus says so.
/// @param others  names of their buses
[[nodiscard]] inline IoOptions without_buses(IoOptions options, std::initializer_list<std::string_view> others) {
  std::erase_if(options.overrides, [&](const auto& given) {
    const std::string_view name = std::string_view(given.first).substr(0, given.first.find('.'));
    return std::find(others.begin(), others.end(), name) != others.end();
  });
  return options;
}

}  // namespace takt
