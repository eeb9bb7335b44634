#pragma once
// One FMU of a plant, advanced from one communication point to the next.

#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/fmu/co_simulation.hpp"
#include "runtime/fmu/model_exchange.hpp"
#include "runtime/foreign/block.hpp"
#include "tools/fmu_host/host_table.hpp"

namespace takt::fmu_host {

/// Inputs between two communication points: a polynomial through three values of each.
class WindowInputs final : public fmu::Inputs {
 public:
  /// @param first  of the inputs in the block: those of other FMUs stand before
  explicit WindowInputs(Ports& ports, std::size_t first = 0) : ports_(ports), first_(first) {}
  /// @param h  seconds; 0: held as at the beginning
  void set_window(double t, double h, foreign::Block& block) noexcept { t_ = t, h_ = h, block_ = &block; }
  fmu::Result continuous(fmu::Instance& instance, double t) noexcept override;
  fmu::Result all(fmu::Instance& instance, double t) noexcept override;
  /// Which may change within a step, and which at events only. Of an FMU that interpolates inputs between communication
  /// points the continuous ones get their slopes, too.
  void sort_rows(const fmu::Table& table);
  /// What have_jumped() saw last: whole numbers and the like, by the order of the table.
  [[nodiscard]] std::vector<double>& last() noexcept { return last_; }
  /// Whether inputs that change at events only are others at t, s, than when this was asked last.
  bool have_jumped(double t) noexcept;

 private:
  void compute(double t) noexcept;
  fmu::Result set_slopes(fmu::Instance& instance, double t) noexcept;
  Ports& ports_;
  std::size_t first_;
  fmu::RowSet continuous_;
  std::vector<std::size_t> discrete_;  // indices of values
  std::vector<double> last_;           // theirs
  foreign::Block* block_ = nullptr;
  double t_ = 0.0, h_ = 0.0;
  struct Sloped {
    std::size_t value;  // index of values
    double begin, end;
  };
  std::vector<Sloped> sloped_;
  std::vector<std::uint32_t> slope_references_;
  std::vector<int> slope_orders_;
  std::vector<double> slopes_;
};

class HostedModel {
 public:
  /// @param table  JSON  @throw std::exception  with what is wrong
  HostedModel(std::istream& table, const std::filesystem::path& folder);
  /// @return what went wrong, or nothing
  std::string begin(foreign::Block& block);
  /// From where the FMU stands to the end of the step that is asked for.
  std::string step(foreign::Block& block);
  /// The state as bytes into the block, and back from there at start_ns.
  std::string save(foreign::Block& block);
  std::string load(foreign::Block& block);
  void end() noexcept;
  /// What went wrong last was no failure: the FMU has ended the simulation.
  [[nodiscard]] bool has_ended() const noexcept { return ended_; }

 private:
  std::string step(std::int64_t start_ns, std::int64_t end_ns);
  [[nodiscard]] std::string said(const fmu::Result& result);
  [[nodiscard]] std::string come_to(const fmu::Advanced& advanced);
  fmu::Result read_outputs(foreign::Block& block);

  fmu::Table table_;
  std::string method_;
  double step_s_ = 0.0;
  std::optional<fmu::Growth> growth_;  // of outputs
  Ports inputs_, parameters_, outputs_;
  WindowInputs window_;
  std::unique_ptr<fmu::Instance> instance_;
  std::optional<fmu::CoSimulation> steps_;
  std::optional<fmu::ModelExchange> integrates_;
  std::uint64_t messages_before_ = 0;  // of the FMU, before this question
  bool ended_ = false;
};

}  // namespace takt::fmu_host
