#pragma once
// paper.toml in a plant's folder: the parametrisations a paper compares, its figures, and what is measured beside it.

#include <filesystem>
#include <string>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::tools {

/// A row of the paper's table.
struct PaperRow {
  std::string name;               ///< as the paper calls it
  std::filesystem::path solve;    ///< parametrisation
  double cpu_s = 0.0, rtf = 0.0;  ///< the paper's
};

/// A figure of the paper with signals over time.
struct PaperFigure {
  std::string title;
  std::vector<std::string> signals;
};

/// Points of a work-precision diagram: $1, $2 ... in `text` stand for the values of a point.
struct PaperSeries {
  std::string name, text;
  std::vector<std::vector<std::string>> values;
  bool joined = true;  ///< its points belong to one line
};

struct PaperFile {
  std::string title, elapsed;  ///< of the table; of the figure with elapsed times
  std::vector<PaperRow> rows;
  std::filesystem::path tight, loose;  ///< parametrisations: the reference, and what shows that it has converged
  std::string loose_is;                ///< "tolerance 10 times larger"
  std::vector<std::string> rms,
      largest;  ///< signals (* for any characters) judged by RMS over range, and by the largest difference
  std::vector<PaperFigure> figures;
  std::vector<PaperSeries> series;
};

/// Findings N004.
[[nodiscard]] PaperFile read_paper_file(const std::filesystem::path& file, codegen::Diagnostics& diagnostics);

}  // namespace takt::tools
