#pragma once
// A client of the tap of a run that is under way: requests and answers as lines of JSON over the socket in its
// directory.

#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace takt::tools {

class TapClient {
 public:
  using Json = nlohmann::ordered_json;

  /// @param run  its directory, or its name under ./runs
  /// @throw UsageError  there is no such run  @throw std::runtime_error  it has ended, or is somebody else's
  explicit TapClient(const std::string& run);
  ~TapClient();
  TapClient(const TapClient&) = delete;
  TapClient& operator=(const TapClient&) = delete;

  /// Waits for the answer. What comes meanwhile is kept for next().
  /// @throw std::runtime_error  the plant's refusal; the run has ended
  Json ask(Json request);
  /// The next row or event; bytes that follow a line are its member "data", binary.  @param patience_ms  below 0: as
  /// long as it takes
  /// @return nothing: none has come so soon, or has_ended()
  std::optional<Json> next(int patience_ms);
  /// The run has ended in order.
  [[nodiscard]] bool has_ended() const noexcept { return ended_; }
  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }
  /// What the plant has said of itself.
  [[nodiscard]] const Json& hello() const noexcept { return hello_; }

 private:
  std::optional<Json> read_line(int patience_ms);
  bool receive(int patience_ms);

  std::filesystem::path directory_;
  int socket_ = -1;
  std::uint64_t id_ = 0;
  std::string input_;
  std::deque<Json> kept_;
  bool ended_ = false;
  Json hello_;
};

/// Directories under ./runs in which a run can be asked now.
[[nodiscard]] std::vector<std::filesystem::path> runs_with_tap();

}  // namespace takt::tools
