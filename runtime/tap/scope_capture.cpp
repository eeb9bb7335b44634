#include "runtime/tap/scope_capture.hpp"

#include <algorithm>

namespace takt {

void ScopeCapture::add(std::int64_t time_ns, std::span<const double> values, bool holds) {
  if (is_complete()) return;
  if (!triggered_ && (!settings_.waits || (holds && !held_)))
    triggered_ = true, triggered_ns_ = time_ns, left_ = settings_.post;
  held_ = holds;
  put(time_ns, values);
}

void ScopeCapture::put(std::int64_t time_ns, std::span<const double> values) {
  const bool pairs = settings_.every > 1;
  if (filled_ == 0) row_.assign(columns_, 0.0);
  row_[0] = static_cast<double>(time_ns) / 1e9;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!pairs) {
      row_[1 + k] = values[k];
      continue;
    }
    double &least = row_[1 + 2 * k], &most = row_[2 + 2 * k];
    least = filled_ == 0 ? values[k] : std::min(least, values[k]);
    most = filled_ == 0 ? values[k] : std::max(most, values[k]);
  }
  if (++filled_ < settings_.every) return;
  filled_ = 0;
  const std::uint64_t most_rows = settings_.pre + settings_.post;
  const std::size_t to = static_cast<std::size_t>(count_ % most_rows) * columns_;
  if (ring_.size() < to + columns_) ring_.resize(to + columns_);
  std::copy(row_.begin(), row_.end(), ring_.begin() + static_cast<std::ptrdiff_t>(to));
  ++count_;
  if (triggered_) --left_;
}

std::vector<double> ScopeCapture::rows() const {
  const std::uint64_t room = settings_.pre + settings_.post, kept = std::min(count_, room);
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(kept) * columns_);
  for (std::uint64_t row = count_ - kept; row < count_; ++row) {
    const auto from = ring_.begin() + static_cast<std::ptrdiff_t>((row % room) * columns_);
    all.insert(all.end(), from, from + static_cast<std::ptrdiff_t>(columns_));
  }
  return all;
}

}  // namespace takt
