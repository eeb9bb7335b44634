// A USB device in user space through Linux' FunctionFS: one interface of the vendor's class, one bulk end point each
// way.
#pragma once

#include <linux/usb/functionfs.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

namespace takt::adapters {

struct EndPoints {
  int control = -1;
  int to_host = -1;
  int from_host = -1;
};

/// Describes the device to the FunctionFS mounted at `directory` and opens its end points. Ends the program on an
/// error.
[[nodiscard]] EndPoints open_function(const std::string& directory);

/// The next control request of the host.
[[nodiscard]] usb_ctrlrequest next_request(int control);

/// Writes messages to an end point, in a thread of its own: while the host does not listen, only this end point waits.
class Outbox {
 public:
  explicit Outbox(int end_point);
  void put(std::string message);
  void clear();

 private:
  [[noreturn]] void write_messages(int end_point);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> messages_;
};

}  // namespace takt::adapters
