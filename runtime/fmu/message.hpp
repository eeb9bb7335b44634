#pragma once
// The last message of an FMU, in memory of its own: a logger is called in the middle of a step.

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdint>

#include "runtime/fmu/result.hpp"

namespace takt::fmu {

/// @param text  ends with 0, cut to what Message holds; valid during the call
using MessageSink = void (*)(void* owner, Status status, const char* text) noexcept;

/// What FMUs hand back to their loggers is not trusted: whatever it is, a message is one of those that live here.
/// Written by the FMU's loggers, from any thread: who comes while another writes is counted and lost.
class Message {
 public:
  static constexpr std::size_t capacity = 512;
  Message() noexcept;
  ~Message();
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  /// While there is one, this thread is within a call of the FMU whose message it is.
  class Caller {
   public:
    explicit Caller(Message& message) noexcept : before_(called_) { called_ = &message; }
    ~Caller() { called_ = before_; }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

   private:
    Message* before_;
  };
  /// The message that a logger was given as its environment. An FMU that hands over another pointer is warned of once,
  /// on standard error; then it is the message of whom this thread calls. @return null: nobody's
  [[nodiscard]] static Message* of(const void* environment) noexcept;
  /// Of each message that is kept. Set before the FMU is instantiated.
  void set_sink(MessageSink sink, void* owner) noexcept { sink_ = sink, owner_ = owner; }
  /// Formats into the buffer. Real-time: bounded by the text; glibc's formatting allocates for widths beyond 1000 only.
  void format(Status status, const char* category, const char* text, std::va_list values) noexcept;
  /// @param category  may be null
  void keep(Status status, const char* category, const char* text) noexcept;
  void clear() noexcept { text_[0] = 0; }
  [[nodiscard]] const char* text() const noexcept { return text_.data(); }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

 private:
  bool begin() noexcept;
  void end(Status status) noexcept;
  std::array<char, capacity> text_{};
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  std::atomic<std::uint64_t> count_{0};
  MessageSink sink_ = nullptr;
  void* owner_ = nullptr;
  static inline thread_local Message* called_ = nullptr;
};

}  // namespace takt::fmu
