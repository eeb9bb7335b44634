#include "tools/fmu_host/table_inputs.hpp"

#include <algorithm>
#include <utility>

namespace takt::fmu_host {

TableInputs::TableInputs(fmu::Version version, InputTable table)
    : table_(std::move(table)), continuous_rows_(version, table_.continuous), discrete_rows_(version, table_.discrete) {
  for (const InputTable::Column& column : table_.columns)
    values_.resize(std::max(values_.size(), column.value + 1), 0.0);
  slope_orders_.assign(table_.slope_references.size(), 1);
  slopes_.assign(table_.slope_references.size(), 0.0);
  find_events();
}

void TableInputs::find_events() {
  for (std::size_t k = 1; k < table_.time.size(); ++k) {
    const bool jump = table_.time[k] == table_.time[k - 1] ||
                      std::any_of(table_.columns.begin(), table_.columns.end(), [&](const InputTable::Column& column) {
                        return !column.continuous && column.samples[k] != column.samples[k - 1];
                      });
    if (jump && (events_.empty() || events_.back() != table_.time[k])) events_.push_back(table_.time[k]);
  }
}

double TableInputs::next_event(double t) const noexcept {
  for (const double event : events_)
    if (event > t && !same_time(event, t)) return event;
  return std::numeric_limits<double>::infinity();
}

/// Arithmetic as in FMPy, so that its runs have the same bits: w0 = (t1 - t)/(t1 - t0), v = w0 v0 + (1 - w0) v1.
TableInputs::Point TableInputs::at(const InputTable::Column& column, double t, bool after) const noexcept {
  const std::vector<double>& v = column.samples;
  auto right =
      static_cast<std::size_t>(std::lower_bound(table_.time.begin(), table_.time.end(), t) - table_.time.begin());
  if (after)  // rounding must not put t before a jump that is meant
    while (right < table_.time.size() && same_time(table_.time[right], t)) ++right;
  else if (!column.continuous)
    while (right > 1 && same_time(table_.time[right - 1], t)) --right;
  if (right >= table_.time.size()) return {v.back()};
  if (right == 0) return {v.front()};
  if (!column.continuous) return {v[right - 1]};
  const double t0 = table_.time[right - 1], t1 = table_.time[right], slope = (v[right] - v[right - 1]) / (t1 - t0);
  if (after && same_time(t0, t)) return {v[right - 1], slope};
  if (!after && same_time(t1, t)) return {v[right], slope};
  const double w0 = (t1 - t) / (t1 - t0), w1 = 1 - w0;
  return {w0 * v[right - 1] + w1 * v[right], slope};
}

fmu::Result TableInputs::set(fmu::Instance& instance, double t, bool after) noexcept {
  std::size_t slope = 0;
  for (const InputTable::Column& column : table_.columns) {
    const Point point = at(column, t, after);
    values_[column.value] = point.value;
    if (column.continuous && slope < slopes_.size()) slopes_[slope++] = point.slope;
  }
  if (const fmu::Result set = instance.set(continuous_rows_, values_); !set.done()) return set;
  if (slopes_.empty() || instance.mode() != fmu::Mode::step) return {};
  return instance.set_input_derivatives({table_.slope_references, slope_orders_, slopes_});
}

fmu::Result TableInputs::continuous(fmu::Instance& instance, double t) noexcept {
  // A step that begins at a jump begins behind it.
  const bool after = instance.mode() == fmu::Mode::step || same_time(t, last_jump_);
  return table_.columns.empty() ? fmu::Result{} : set(instance, t, after);
}

fmu::Result TableInputs::all(fmu::Instance& instance, double t) noexcept {
  if (table_.columns.empty()) return {};
  last_jump_ = t;
  if (const fmu::Result first = set(instance, t, true); !first.done()) return first;
  return instance.set(discrete_rows_, values_);
}

}  // namespace takt::fmu_host
