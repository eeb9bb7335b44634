#include "runtime/fmu/message.hpp"

#include <cstdio>
#include <cstring>

namespace takt::fmu {
namespace {

constexpr std::size_t most = 128;  ///< that are found from any thread
std::array<std::atomic<const Message*>, most> alive{};
std::atomic_flag warned = ATOMIC_FLAG_INIT;

}  // namespace

Message::Message() noexcept {
  for (auto& place : alive)
    if (const Message* none = nullptr; place.compare_exchange_strong(none, this)) return;
}

Message::~Message() {
  for (auto& place : alive)
    if (const Message* own = this; place.compare_exchange_strong(own, nullptr)) return;
}

Message* Message::of(const void* environment) noexcept {
  for (const auto& place : alive)
    if (const Message* one = place.load(std::memory_order_acquire); one != nullptr && one == environment)
      return const_cast<Message*>(one);
  if (called_ != nullptr && called_ == environment) return called_;
  if (!warned.test_and_set())
    std::fputs(
        "warning: an FMU calls its logger with a pointer that is not the environment it was given "
        "(componentEnvironment, instanceEnvironment): its messages are kept all the same\n",
        stderr);
  return called_;
}

bool Message::begin() noexcept {
  count_.fetch_add(1, std::memory_order_relaxed);
  return !busy_.test_and_set(std::memory_order_acquire);
}

void Message::end(Status status) noexcept {
  for (std::size_t end = std::strlen(text_.data()); end > 0 && (text_[end - 1] == '\n' || text_[end - 1] == '\r');)
    text_[--end] = 0;
  if (sink_ != nullptr) sink_(owner_, status, text_.data());
  busy_.clear(std::memory_order_release);
}

void Message::format(Status status, const char* category, const char* text, std::va_list values) noexcept {
  (void)category;
  if (!begin()) return;
    // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): the FMU's own format, as FMI 2 has it
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (text == nullptr || std::vsnprintf(text_.data(), capacity, text, values) < 0) text_[0] = 0;
#pragma GCC diagnostic pop
  end(status);
}

void Message::keep(Status status, const char* category, const char* text) noexcept {
  (void)category;
  if (!begin()) return;
  const std::size_t length = text == nullptr ? 0 : strnlen(text, capacity - 1);
  std::memcpy(text_.data(), text == nullptr ? "" : text, length);
  text_[length] = 0;
  end(status);
}

}  // namespace takt::fmu
