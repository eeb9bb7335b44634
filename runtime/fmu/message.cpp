#include "runtime/fmu/message.hpp"

#include <cstdio>
#include <cstring>

namespace takt::fmu {

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
