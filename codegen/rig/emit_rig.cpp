// Rig -> rig.hpp, rig.cpp and what the kinds of its buses add.

#include <span>

#include "codegen/rig/bus_kind.hpp"
#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {
namespace {

class RigEmitter {
 public:
  explicit RigEmitter(const Rig& rig) : rig_(rig), kinds_(kinds_of(rig)) {}

  Sources run() {
    Sources files{{"rig.hpp", header()}};
    for (const BusKind* kind : kinds_)
      for (SourceFile& file : kind->sources(rig_)) files.push_back(std::move(file));
    files.push_back({"rig.cpp", source()});
    return files;
  }

 private:
  void banner(Writer& text) const {
    text.comment("Emitted by takt from the rig " + rig_.name + ": do not edit.");
  }

  SourceText header() const {
    Writer text;
    banner(text);
    text.line("#pragma once");
    text.blank();
    text.line("#include <memory>");
    text.blank();
    text.line("#include \"runtime/io/io_port.hpp\"");
    text.line("#include \"runtime/plant/rig_settings.hpp\"");
    text.blank();
    text.line("namespace takt::rig {");
    text.blank();
    text.doc("Where and how the plant runs.");
    text.line("RigSettings rig_settings();");
    text.doc("The buses of the rig; nullptr where there are none or the run is free.");
    text.line(
        "std::unique_ptr<IoPort> make_io(const PlantDescription& plant, "
        "const IoOptions& options);");
    text.blank();
    text.line("}  // namespace takt::rig");
    return text.as_written();
  }

  SourceText source() {
    banner(text_);
    text_.line("#include \"rig.hpp\"");
    text_.blank();
    text_.line("#include <array>");
    text_.line("#include <span>");
    text_.blank();
    for (const BusKind* kind : kinds_) kind->includes(text_, rig_);
    if (kinds_.size() > 1) text_.line("#include \"runtime/io/joined_ports.hpp\"");
    text_.blank();
    text_.line("namespace takt::rig {");
    text_.line("namespace {");
    text_.blank();
    for (const BusKind* kind : kinds_) kind->tables(text_, rig_);
    text_.line("}  // namespace");
    text_.blank();
    settings();
    text_.open(
        "std::unique_ptr<IoPort> make_io(const PlantDescription& plant, const IoOptions& options)");
    text_.line("return " + port() + ";");
    text_.close();
    text_.blank();
    text_.line("}  // namespace takt::rig");
    return text_.as_written();
  }

  static void add_cpus(Aggregate& settings, const char* member, const CoreList& cores) {
    if (cores.count == 0) return;
    Aggregate of;
    const auto cpu_text = [](int cpu) { return std::to_string(cpu); };
    of.code("cpus", "{" + separated(std::span(cores.cpus).first(cores.count), cpu_text) + "}");
    settings.code(member, of.number("count", cores.count).code());
  }

  /// An array beside the settings.
  void group_policies() {
    if (rig_.group_policies.empty()) return;
    std::vector<std::string> rows;
    for (const auto& [group, policy] : rig_.group_policies) {
      Aggregate row;
      rows.push_back(row.text("group", group).code("policy", policy_text(policy)).code());
    }
    write_array(text_, {"GroupPolicy", "group_policies"}, rows);
    text_.blank();
  }

  static std::string policy_text(OverrunPolicy policy) {
    return "OverrunPolicy::" + std::string(word_of(policy));
  }

  [[nodiscard]] std::string supervisor() const {
    const SupervisorSettings& s = rig_.supervisor;
    Aggregate of;
    of.number("enabled", s.enabled)
        .number("heartbeat_ns", s.heartbeat_ns)
        .number("hold_ns", s.hold_ns);
    of.number("give_up_ns", s.give_up_ns).text("watchdog", rig_.watchdog);
    of.number("watchdog_timeout_s", s.watchdog_timeout_s);
    of.code("when_lost", s.when_lost == GuardLost::stop    ? "GuardLost::stop"
                         : s.when_lost == GuardLost::go_on ? "GuardLost::go_on"
                                                           : "GuardLost::restart");
    return of.code();
  }

  void add_late(Aggregate& settings) const {
    Aggregate of;
    if (rig_.late.any)
      of.number("any", true);
    else if (rig_.late.share > 0.0)
      of.number("share", rig_.late.share);
    else if (rig_.late.count > 0)
      of.number("count", rig_.late.count);
    else
      return;
    settings.code("late", of.code());
  }

  void settings() {
    group_policies();
    write_hosts(text_, rig_);
    Aggregate of(",\n        ");
    of.text("name", rig_.name).number("paced", rig_.paced).number("cpu", rig_.cpu);
    add_cpus(of, "cores", rig_.cores);
    add_cpus(of, "fmu_cpus", rig_.fmu_cpus);
    of.number("priority", rig_.priority)
        .number("spin_ns", rig_.spin_ns)
        .code("policy", policy_text(rig_.policy));
    if (!rig_.group_policies.empty()) of.code("group_policies", "group_policies");
    of.code("publish", rig_.publish == Publish::early ? "Publish::early" : "Publish::on_time");
    of.number("max_catch_up", rig_.max_catch_up)
        .number("stop_after_consecutive", rig_.stop_after_consecutive);
    of.number("stop_above_ns", rig_.stop_above_ns);
    if (rig_.regain) of.number("regain", true);
    if (rig_.trace_ns > 0) of.number("trace_ns", rig_.trace_ns);
    of.number("grace_ns", rig_.grace_ns);
    add_late(of);
    of.code("supervisor", supervisor());
    add_hosts(of, rig_);
    text_.open("RigSettings rig_settings()");
    text_.lines("return " + of.code() + ";\n", {});
    text_.close();
    text_.blank();
  }

  /// Several kinds are joined, and each gets the settings of its own buses.
  [[nodiscard]] std::string port() const {
    if (kinds_.size() == 1) return kinds_.front()->port(rig_, "options");
    std::vector<std::string> ports;
    for (const BusKind* kind : kinds_) {
      std::vector<std::string> others;
      for (const BusKind* other : kinds_)
        if (other != kind)
          for (const std::string& name : other->names(rig_)) others.push_back(string_literal(name));
      ports.push_back(kind->port(rig_, "without_buses(options, {" + separated(others) + "})"));
    }
    return "join_ports(" + separated(ports) + ")";
  }

  const Rig& rig_;
  std::vector<const BusKind*> kinds_;
  Writer text_;
};

}  // namespace

Sources emit_rig(const Rig& rig) { return RigEmitter(rig).run(); }

}  // namespace takt::codegen
