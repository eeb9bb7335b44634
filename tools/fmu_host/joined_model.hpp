#pragma once
// FMUs of a plant that are joined by constraints (runtime/fmu/join), advanced together from one communication point to
// the next.

#include <filesystem>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/fmu/join/group.hpp"
#include "runtime/fmu/join/slave_group.hpp"
#include "tools/fmu_host/hosted_model.hpp"

namespace takt::fmu_host {

/// Whether a table is one of joined FMUs.
[[nodiscard]] bool is_joined(const std::string& table);

class JoinedModel {
 public:
  /// @param table  JSON; @param folder  of the first FMU, those of the others lie beside it
  /// @throw std::exception  with what is wrong
  JoinedModel(std::istream& table, const std::filesystem::path& folder);
  /// @return what went wrong, or nothing
  std::string begin(foreign::Block& block);
  /// From where they stand to the end of the step that is asked for.
  std::string step(foreign::Block& block);
  /// The states of all and of their joins as bytes into the block, and back from there at start_ns.
  std::string save(foreign::Block& block);
  std::string load(foreign::Block& block);
  void end() noexcept;
  /// What went wrong last was no failure: one of them has ended the simulation.
  [[nodiscard]] bool has_ended() const noexcept { return ended_; }

 private:
  struct Member {
    std::string name;
    fmu::Table table;
    Ports inputs, parameters, outputs;
    std::size_t first_input = 0, first_parameter = 0;
    fmu::join::ModelTerminals terminals;
    std::unique_ptr<WindowInputs> window;
    std::unique_ptr<fmu::Instance> instance;
    std::unique_ptr<fmu::join::ModelBody> body;
  };
  std::string step(std::int64_t start_ns, std::int64_t end_ns);
  void join_members();
  [[nodiscard]] std::string initialise(Member& member, foreign::Block& block);
  [[nodiscard]] std::string said(const fmu::join::Fault& fault);
  [[nodiscard]] std::string write(foreign::Block& block);

  std::vector<std::unique_ptr<Member>> members_;
  std::vector<std::string> names_;
  std::vector<fmu::join::Constraint> constraints_;
  fmu::join::Settings settings_;
  std::unique_ptr<fmu::join::Joint> joint_;
  bool ended_ = false;
};

}  // namespace takt::fmu_host
