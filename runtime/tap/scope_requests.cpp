// The scope: values at every micro-step of a subsystem, computed here from what the plant shows at its boundaries.

#include "runtime/tap/scope_requests.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "runtime/scenario/parse_expression.hpp"
#include "runtime/tap/requests.hpp"
#include "runtime/tap/texts.hpp"

namespace takt {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t piece_bytes = 1U << 18U;

}  // namespace

Scope::Scope(const PlantDescription& plant, const Wanted& wanted)
    : number(wanted.number),
      replay_(plant, wanted.subsystem),
      capture_({.signals = wanted.rows.size(),
                .pre = wanted.pre,
                .post = wanted.post,
                .every = wanted.every,
                .waits = wanted.trigger.has_value()}),
      macro_step_ns_(plant.macro_step_ns),
      begin_(plant.subsystems[wanted.subsystem].offset),
      trigger_(wanted.trigger),
      values_(wanted.rows.size()) {
  for (const std::uint32_t row : wanted.rows) offsets_.push_back(plant.table[row].offset - begin_);
  if (trigger_)  // evaluated over the subsystem's own memory
    for (ExpressionNode& node : trigger_->nodes)
      if (node.kind == ExpressionNode::Kind::value) node.offset -= begin_;
}

void Scope::take(const Sample& sample) {
  const auto each = [this](std::int64_t time_ns, const std::byte* own) {
    for (std::size_t k = 0; k < offsets_.size(); ++k) std::memcpy(&values_[k], own + offsets_[k], sizeof(double));
    capture_.add(time_ns, values_, trigger_ && trigger_->evaluate(own, SimTime{time_ns}).holds());
  };
  const bool begins = last_ns_ < 0;
  if (!begins && sample.time_ns != last_ns_ + macro_step_ns_) {
    lost_ += static_cast<std::uint64_t>((sample.time_ns - last_ns_) / macro_step_ns_ - 1);
    capture_.gap();
  }
  last_ns_ = sample.time_ns;
  replay_.take(sample.time_ns, sample.values, each);
}

/// A line that says what comes, then the rows in pieces, each behind a line of its own.
void Scope::tell(std::deque<std::string>& to) const {
  const std::vector<double> rows = capture_.rows();
  const std::size_t columns = capture_.columns(), count = rows.size() / columns;
  Json head{{"scope", number},
            {"done", true},
            {"complete", is_complete()},
            {"triggered_ns", capture_.triggered_ns()},
            {"rows", count},
            {"columns", columns},
            {"lost", lost_},
            {"deviation", replay_.deviation()}};
  to.push_back(head.dump() + "\n");
  const std::size_t step = std::max<std::size_t>(1, piece_bytes / (columns * sizeof(double)));
  for (std::size_t row = 0; row < count; row += step) {
    const std::size_t now = std::min(step, count - row), bytes = now * columns * sizeof(double);
    std::string piece = Json{{"scope", number}, {"first", row}, {"rows", now}, {"bytes", bytes}}.dump() + "\n";
    piece.append(reinterpret_cast<const char*>(rows.data() + row * columns), bytes);
    to.push_back(std::move(piece));
  }
}

/// All of one subsystem, which shows what its micro-steps are.
std::uint16_t TapRequests::scoped_subsystem(std::span<const std::uint32_t> wanted) const {
  if (wanted.size() > Scope::most_signals) throw std::runtime_error("16 values at most in a scope");
  const std::uint16_t subsystem = desk_.plant.table[wanted.front()].subsystem;
  for (const std::uint32_t row : wanted) {
    const MemoryEntry& entry = desk_.plant.table[row];
    const bool own =
        entry.subsystem < desk_.plant.subsystems.size() &&
        entry.offset >= desk_.plant.subsystems[entry.subsystem].offset &&
        entry.offset - desk_.plant.subsystems[entry.subsystem].offset < own_memory_size(desk_.plant, entry.subsystem);
    if (!own || entry.subsystem != subsystem)
      throw std::runtime_error(std::string("\"") + entry.path + "\" is not computed in the micro-steps of \"" +
                               desk_.plant.table[wanted.front()].path + "\": a scope shows values of one subsystem");
  }
  if (subsystem < desk_.segment.header.elsewhere.size() && desk_.segment.header.elsewhere[subsystem])
    throw std::runtime_error("\"" + std::string(desk_.plant.subsystems[subsystem].name) +
                             "\" is computed by another host, and its micro-steps are not here: ask the run there");
  if (const std::string why = why_no_replay(desk_.plant, subsystem); !why.empty()) throw std::runtime_error(why);
  return subsystem;
}

std::optional<Expression> TapRequests::scope_trigger(std::uint16_t subsystem) const {
  if (!request_.contains("trigger")) return std::nullopt;
  const std::string text = string_in(request_, "trigger");
  check_length(text);
  Expression trigger = parse_condition(text, {.file = "trigger", .at = {1, 1}}, desk_.names());
  for (const std::uint32_t row : trigger.rows)
    if (desk_.plant.table[row].subsystem != subsystem)
      throw std::runtime_error(std::string("\"") + desk_.plant.table[row].path +
                               "\" is of another subsystem: a trigger is judged at the micro-steps of what is shown");
  return trigger;
}

/// NAME in units, or NAME_ns in time, rounded up.
std::uint64_t TapRequests::span_of(const char* name, std::uint64_t usual, std::int64_t unit_ns) const {
  const std::string in_time = std::string(name) + "_ns";
  if (!request_.contains(in_time)) return number_of(name, usual);
  const auto unit = static_cast<std::uint64_t>(unit_ns);
  const std::uint64_t ns = number_of(in_time.c_str(), 0);
  return ns / unit + (ns % unit > 0 ? 1 : 0);
}

void TapRequests::scope() {
  if (session_.scope_) throw std::runtime_error("this connection has a scope: \"unscope\" ends it");
  const std::vector<std::uint32_t> wanted = rows();
  const std::uint16_t subsystem = scoped_subsystem(wanted);
  const std::int64_t step_ns = desk_.plant.subsystems[subsystem].step_ns;
  const std::uint64_t every = span_of("every", 1, step_ns);
  if (every < 1 || every > Scope::most_every)
    throw std::runtime_error("\"every\" is 1 to " + std::to_string(Scope::most_every) + " micro-steps");
  const std::int64_t row_ns = step_ns * static_cast<std::int64_t>(every);
  const std::uint64_t pre = span_of("pre", 0, row_ns), post = span_of("post", 1000, row_ns);
  if (post < 1 || pre > Scope::most_rows || post > Scope::most_rows || pre + post > Scope::most_rows)
    throw std::runtime_error("\"post\" is 1 row at least, \"pre\" and \"post\" together " +
                             std::to_string(Scope::most_rows) + " at most");
  const std::uint64_t number = desk_.next_watch++;
  auto made = std::make_unique<Scope>(desk_.plant, Scope::Wanted{.number = number,
                                                                 .subsystem = subsystem,
                                                                 .rows = wanted,
                                                                 .pre = pre,
                                                                 .post = post,
                                                                 .every = every,
                                                                 .trigger = scope_trigger(subsystem)});
  Json fields{{"scope", number},
              {"subsystem", desk_.plant.subsystems[subsystem].name},
              {"micro_step_ns", step_ns},
              {"every_ns", row_ns},
              {"pre", pre},
              {"post", post},
              {"bytes_per_macro_step", WindowCopies::macro_step_bytes(desk_.plant, subsystem)}};
  fields.update(described(wanted));
  const auto begun = [session = session_.weak_from_this(), id = id_, fields](const TapAnswer& answer) {
    const auto alive = session.lock();
    if (!alive) return;
    const std::string refusal = refusal_text(answer);
    if (!refusal.empty()) alive->scope_.reset();
    Json line;
    if (!id.is_null()) line["id"] = id;
    line["ok"] = refusal.empty();
    if (!refusal.empty()) line["error"] = refusal;
    line.update(fields);
    line["from_ns"] = answer.time_ns;
    alive->put(line);
  };
  made->slot =
      desk_.end.subscribe_copies(subsystem, begun, [session = session_.weak_from_this()](const Sample& sample) {
        if (const auto alive = session.lock()) alive->take_block(sample);
      });
  session_.scope_ = std::move(made);
}

void TapRequests::unscope() {
  if (!session_.scope_) throw std::runtime_error("this connection has no scope");
  desk_.end.unsubscribe(session_.scope_->slot);
  reply({{"scope", session_.scope_->number}});
  session_.scope_.reset();
}

}  // namespace takt
