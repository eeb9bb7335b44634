#include "codegen/emit/run_function.hpp"

#include <algorithm>
#include <stdexcept>

#include "codegen/code/print.hpp"
#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/range_checks.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

using code::Form;
using code::Value;

std::string solver_name(const PlanSubsystem& plan) {
  if (plan.method->call.empty())
    throw std::logic_error("discrete and switched subsystems have no such solver");
  std::string name(plan.method->call);
  if (const std::size_t place = name.find('#'); place != std::string::npos)
    name.replace(place, 1, std::to_string(plan.stages));
  return name;
}

/// The statements of run().
class WindowCode {
 public:
  WindowCode(const SubsystemView& view, code::Values& values, code::Block& to)
      : view_(view), v_(values), to_(to) {}

  Value call_of_solver() {
    const Value self = v_.variable("*this"), window = v_.variable("window");
    return by_kind(
        view_.surrogate.kind, [&](const SmoothCircuit&) { return call_of_method(self, window); },
        [&](const SwitchedCircuit&) {
          return v_.call(runtime::run_switched, {self, window});
        },
        [](const ControlTask&) -> Value {
          throw std::logic_error("control tasks are executed by emit_control");
        },
        [](const ForeignTask&) -> Value {
          throw std::logic_error("FMUs are executed by emit_foreign");
        });
  }

  /// What was sent and received, and the energies.
  void account() {
    std::size_t quadrature = 0;
    for (std::size_t index = 0; index < view_.plan.sent.size(); ++index)
      to_.assign(v_.element("sent", index), integral(quadrature++));
    for (std::size_t index = 0; index < view_.plan.received.size(); ++index)
      to_.assign(v_.element("received", index), integral(quadrature++));
    if (std::holds_alternative<SwitchedCircuit>(view_.surrogate.kind))
      account_switched(quadrature);
    else
      account_smooth(quadrature);
  }

  void finish() {
    define_window_end(v_, to_);
    to_.act(v_.call("finish", {v_.variable("end_s"), v_.variable("length_s")}));
  }

  void count_still() {
    if (is_large(view_) && !view_.still.empty()) {
      const Value n = v_.variable("n"), still = v_.variable("still"),
                  now = v_.variable("still_now");
      auto body = std::make_unique<code::Block>();
      body->change(v_.element_at(still, n), code::Change::add, v_.element_at(now, n));
      const Value size = v_.call(v_.member(still, "size"), std::initializer_list<Value>{});
      to_.add(code::Loop{v_.name("std::size_t"), n, v_.integer(0),
                         v_.operation(Form::less, n, size), std::move(body), true});
      return;
    }
    for (std::size_t index = 0; index < view_.still.size(); ++index)
      to_.change(v_.element("still", index), code::Change::add, v_.element("still_now", index));
  }

  void keep_residual() {
    const Value window = v_.element("newton", 0), run = v_.element("newton", 1);
    to_.assign(run, v_.call(runtime::max, {window, run}));
  }

 private:
  Value integral(std::size_t index) { return v_.element("q", index); }
  Value magnitude(Value value) { return v_.call(runtime::abs, {value}); }
  Value sum(Value a, Value b) { return v_.operation(Form::sum, a, b); }

  Value call_of_method(Value self, Value window) {
    if (!view_.plan.method->is_offline()) return v_.call(solver_name(view_.plan), {self, window});
    const std::string make = "&takt::offline::make_" + std::string(view_.plan.method->name);
    const Value settings =
        v_.list({v_.field("relative", v_.number(view_.plan.tolerance)),
                 v_.field("largest_step_s",
                          v_.number(static_cast<double>(view_.plan.largest_step_ns) / 1e9))});
    return v_.call("takt::offline::run", {self, window, v_.variable(make), settings});
  }

  /// What the dissipators of a switched circuit took follows from what sources gave, storages took
  /// and heat ports sent.
  void account_switched(std::size_t base) {
    const std::vector<SymbolId>& sent = view_.plan.sent;
    const Value exchanged = v_.variable("exchanged");
    to_.add(code::Definition{v_.name("double"), exchanged, integral(base + 2), {}, false});
    for (const SymbolId heat : view_.surrogate.energy.heat_sent) {
      const auto place = std::find(sent.begin(), sent.end(), heat);
      to_.change(exchanged, code::Change::subtract,
                 integral(static_cast<std::size_t>(place - sent.begin())));
    }
    const auto dissipated = [&] {
      return v_.operation(Form::difference, sum(integral(base), exchanged), integral(base + 1));
    };
    add_energy(0, integral(base));
    add_energy(1, dissipated());
    add_energy(2, exchanged);
    add_energy(4,
               sum(sum(magnitude(integral(base)), magnitude(dissipated())), magnitude(exchanged)));
  }

  /// The three powers of a smooth circuit, integrated.
  void account_smooth(std::size_t base) {
    for (std::size_t power = 0; power < 3; ++power) add_energy(power, integral(base + power));
    add_energy(4, sum(sum(magnitude(integral(base)), magnitude(integral(base + 1))),
                      magnitude(integral(base + 2))));
  }

  void add_energy(std::size_t which, Value value) {
    to_.change(v_.element("energy", which), code::Change::add, value);
  }

  const SubsystemView& view_;
  code::Values& v_;
  code::Block& to_;
};

}  // namespace

void define_window_end(code::Values& v, code::Block& to) {
  const Value length =
      v.operation(Form::product, v.variable("window.steps"), v.variable("window.step_ns"));
  to.add(code::Definition{v.name("std::int64_t"), v.variable("length_ns"), length});
  const Value times = v.verbatim(
      "static_cast<double>(window.start_ns + length_ns) / 1e9, length_s = "
      "static_cast<double>(length_ns) / 1e9",
      {v.variable("length_ns")});
  to.add(code::Definition{v.name("double"), v.variable("end_s"), times});
}

void look_now_and_then(const SubsystemView& view, const std::string& self, code::Values& v,
                       code::Block& to) {
  const int every = look_every(view);
  if (every == 0) return;
  const Value passed = v.verbatim("(" + self + "unseen += 1.0)", {});
  const Value look =
      v.verbatim(self + "observe(end_s, length_s, false), " + self + "unseen = 0.0", {});
  to.when(v.operation(Form::greater_equal, passed, v.number(every)), code::Action{look});
}

void write_run(const SubsystemView& view, SubsystemFunctions& functions) {
  code::Values values;
  code::Block block;
  WindowCode code(view, values, block);
  block.assign(values.element("newton", 0), values.number(0.0));
  block.act(code.call_of_solver());
  code.account();
  code.finish();
  look_now_and_then(view, "", values, block);
  code.count_still();
  code.keep_residual();
  Writer& text = functions.text;
  text.blank();
  text.open_of("void ", view.type, "::run(const takt::Window& window) noexcept");
  code::print(text, values, {block.statements()});
  text.close();
}

code::Block run_in_lanes(const SubsystemView& view, code::Values& values) {
  code::Block block;
  WindowCode code(view, values, block);
  const Value gives_up = values.variable("gives_up");
  block.assign(gives_up, values.variable("false"));
  block.assign(values.element("newton", 0),
               values.list(std::initializer_list<Value>{}, runtime::lanes));
  block.act(code.call_of_solver());
  block.when(gives_up, code::Leave{true, values.variable("false")});
  code.account();
  code.finish();
  code.count_still();
  code.keep_residual();
  block.give(values.operation(Form::negation,
                              gives_up));  // what the end of a window solves may give up, too
  return block;
}

}  // namespace takt::codegen
