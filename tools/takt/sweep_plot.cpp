#include "tools/takt/sweep_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "runtime/io/record/svg_plot.hpp"
#include "runtime/io/record/text_file.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/compare_signals.hpp"
#include "tools/takt/plot_page.hpp"

namespace takt::tools {

void plot_sweep(const std::filesystem::path& page, const std::vector<std::string>& paths, std::vector<SweptRun> runs,
                std::size_t of) {
  std::mt19937_64 lot(1);
  for (std::size_t k = runs.size(); k-- > 1;) std::swap(runs[k], runs[lot() % (k + 1)]);
  runs.resize(std::min<std::size_t>(runs.size(), 200));
  std::string body;
  for (const std::string& path : paths) {
    Plot plot;
    plot.title = fmt::format("{}, {} of {} runs", path, runs.size(), of);
    plot.x_label = "simulated time, s", plot.time = true;
    for (const SweptRun& run : runs) {
      const Recording recording = read_recording(run.folder);
      const auto wave = recording.signals.find(path);
      if (wave == recording.signals.end()) throw UsageError("--plot " + path + ": no recorded signal of this name");
      plot.y_label = recording.units.at(path);
      plot.lines.push_back(
          {"run " + std::to_string(run.number), wave->second.time, wave->second.value, wave->second.value});
    }
    plot.legend = of <= 10;
    plot.kept_points = 120'000 / paths.size();
    plot.drawn_points = 20'000 / std::max<std::size_t>(40, runs.size());
    body += line_plot(plot);
  }
  write_whole(page, plot_page("Sweep", body));
}

}  // namespace takt::tools
