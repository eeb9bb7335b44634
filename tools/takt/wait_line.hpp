#pragma once
// What takes long, said on a terminal while it does.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace takt::tools {

/// While one lives, from the third second on: a line on standard error about what is done, how far it is and for how
/// long it has been done, rewritten twice a second by a thread of its own. Of several that live the youngest is shown.
/// Where standard error is no terminal nothing is said, and there is no thread.
class WaitLine {
 public:
  /// @param what     "compiling buck"
  /// @param how_far  called by that thread: "3 of 12"; empty text: not known
  explicit WaitLine(std::string what, std::function<std::string()> how_far = {});
  ~WaitLine();
  WaitLine(const WaitLine&) = delete;
  WaitLine& operator=(const WaitLine&) = delete;

  /// Another thing is done now.
  void now(std::string what);

  /// A message that stays, in place of the line, which comes again below it.
  static void say(const std::string& text);

  /// --quiet: none is shown from now on.
  static void silence();

 private:
  void work();
  [[nodiscard]] std::string text() const;
  static void erase();

  static std::mutex mutex_;  // of all that follows, and of the terminal
  static std::vector<const WaitLine*> living_;
  static bool is_silent_, is_shown_;

  std::string what_;
  std::function<std::string()> how_far_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  bool is_over_ = false;
  std::condition_variable over_;
  std::thread thread_;
};

}  // namespace takt::tools
