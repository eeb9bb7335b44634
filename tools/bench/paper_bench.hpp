#pragma once
// `takt bench --paper`: the parametrisations a paper compares, on this machine.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/bench/paper_file.hpp"
#include "tools/bench/paper_runs.hpp"

namespace takt::tools {

struct PaperRequest {
  PlantBuild build;           ///< of the plant; `solve` and `directory` are of the rows
  std::filesystem::path out;  ///< empty: runs/paper-PLANT
  std::string duration;       ///< empty: the plant's own
  int runs = 5, cpu = -1;
  bool json = false, series = true;
};

/// How far one signal is from the reference.
struct PaperError {
  std::string signal, unit;
  double rms = 0.0;      ///< over the reference's range
  double largest = 0.0;  ///< in `unit`
};

struct PaperBench {
  PaperFile file;
  std::string model;
  int runs = 0, cpu = 0;
  bool fifo = false;
  double throttle_ms = 0.0;                       ///< of every second, that Linux keeps from SCHED_FIFO
  std::vector<PaperCase> rows;                    ///< parallel to file.rows
  std::vector<std::vector<PaperError>> errors;    ///< parallel to rows: of the signals of [accuracy]
  std::vector<PaperError> convergence;            ///< of the coarser reference
  std::vector<std::vector<PaperCase>> points;     ///< parallel to file.series and their values
  std::vector<std::vector<double>> point_errors;  ///< the worst RMS of [accuracy]; infinite where a run failed
  Recording reference;
};

/// Signals of [accuracy] of a run against the reference. @throws std::runtime_error  where none is recorded
[[nodiscard]] std::vector<PaperError> paper_errors(const PaperFile& file, const Recording& run,
                                                   const Recording& reference);
/// The worst of those judged by RMS.
[[nodiscard]] double worst_rms(const PaperFile& file, const std::vector<PaperError>& errors);

[[nodiscard]] std::string paper_text(const PaperBench& bench);
/// The table as a README has it.
[[nodiscard]] std::string paper_markdown(const PaperBench& bench);
[[nodiscard]] std::string paper_json(const PaperBench& bench);
[[nodiscard]] std::string paper_html(const PaperBench& bench);

/// @return ExitCode.  @throws UsageError  where the plant has no paper.toml
[[nodiscard]] int bench_paper(const PaperRequest& request);

}  // namespace takt::tools
