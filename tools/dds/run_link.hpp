#pragma once
// A connection to the tap of a run that never waits: requests with what to do when they are answered, rows as doubles.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace takt::dds {

class RunLink {
 public:
  using Json = nlohmann::ordered_json;
  /// With {"ok":false,"error":...} where the connection has ended before.
  using Then = std::function<void(const Json& answer)>;
  struct Row {
    std::uint64_t watch = 0;
    std::int64_t time_ns = 0;
    std::span<const double> values{};  ///< until the call returns
  };

  /// @param name  for the log of the run  @throw std::runtime_error  why there is no connection
  RunLink(const std::filesystem::path& directory, const std::string& name, Then on_hello);
  ~RunLink();
  RunLink(const RunLink&) = delete;
  RunLink& operator=(const RunLink&) = delete;

  void ask(Json request, Then then);
  std::function<void(const Row&)> on_row = [](const Row&) {};
  /// What answers nothing: events, the end of the run.
  std::function<void(const Json&)> on_line = [](const Json&) {};

  [[nodiscard]] int socket() const noexcept { return socket_; }
  /// For poll().
  [[nodiscard]] short waits_for() const noexcept;
  /// Sends and takes what can be.
  void serve();
  [[nodiscard]] bool is_open() const noexcept { return socket_ >= 0; }
  /// Requests without an answer.
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }

 private:
  void send();
  void take_input();
  /// @return bytes used; 0: there is no whole line, or row
  std::size_t take_line(std::string_view text);
  void close(const std::string& why);

  int socket_ = -1;
  std::uint64_t id_ = 0;
  std::string output_, input_;
  std::map<std::uint64_t, Then> waiting_;
  std::vector<double> values_;
};

}  // namespace takt::dds
