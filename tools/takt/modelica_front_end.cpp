#include "tools/takt/modelica_front_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "codegen/emit/build/process.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/temporary_file.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using namespace takt::codegen;

// The flat form belongs to no standard and changes with every version.
constexpr std::string_view version = "0.10.2";

// Of Python's own exit codes it uses none.
constexpr int exit_no_front_end = 40, exit_other_version = 41, exit_refused = 42;

// What is asked for goes into a file: what the front end prints is for people. The alarm ends the process wherever it
// is. A class of a library is reached by a class that extends it: only what a file uses is read. Beside the flat model
// go the places of its sources, and the end of the run, which the flat model has not.
// The front end takes no `while`, and so no model of dry friction: Modelica.Math.Vectors.interpolate searches by one.
// It is given a library whose other files are links, and in which that search is a loop over all segments: the same
// values.
constexpr std::string_view script = R"python(
import json, pathlib, re, signal, sys
wanted, seconds, file, name, out, *roots = sys.argv[1:]
try:
    import rumoca
except ImportError as missing:
    print(missing)
    sys.exit(40)
if rumoca.version() != wanted:
    print(rumoca.version())
    sys.exit(41)
signal.alarm(int(seconds))
given = {}

SEARCH = re.compile(r"(function interpolate\b.*?)\bprotected\b(?:(?!end interpolate).)*?while i < nx and xi >= x\[i\] loop.*?iNew := i;\s*end if;(.*?end interpolate;)", re.S)
SEGMENTS = r"""\1algorithm
    yi := y[1];
    iNew := 1;
    for i in 1:size(x, 1) - 1 loop
      if x[i + 1] > x[i] and (i == 1 or xi >= x[i]) then
        yi := y[i] + (y[i + 1] - y[i])*(xi - x[i])/(x[i + 1] - x[i]);
        iNew := i;
      end if;
    end for;
\2"""

def mirror(source, parts, text, target):
    target.mkdir()
    for each in source.iterdir():
        if each.name != parts[0]:
            (target / each.name).symlink_to(each.resolve())
    if len(parts) > 1:
        mirror(source / parts[0], parts[1:], text, target / parts[0])
    else:
        (target / parts[0]).write_text(text)

def readable(root):
    root = pathlib.Path(root)
    for found in [*root.glob("Modelica*/Math/package.mo"), *root.glob("Math/package.mo")]:
        text, count = SEARCH.subn(SEGMENTS, found.read_text())
        if count:
            target = pathlib.Path(out).parent / f"library{len(given)}" / root.name
            target.parent.mkdir()
            mirror(root, found.relative_to(root).parts, text, target)
            given[str(target)] = str(root)
            return str(target)
    return str(root)

def beside(model):
    files = json.loads(model.to_json(stage="dae", pretty=False))["source_map"]["files"]
    made = {"sources": []}
    as_given = lambda path: next((given[each] + path[len(each):] for each in given if path.startswith(each + "/")), path)
    last = re.escape(model.name.rsplit(".", 1)[-1])
    for number, path, text in files:
        ends = [at.end() for at in re.finditer(b"\n", text.encode())]
        made["sources"].append([number, as_given(path), ends])
        of_class = re.search(rf"\b(?:model|block|class)\s+{last}\b.*?\bend\s+{last}\s*;", text, re.S)
        stop = of_class and re.search(r"experiment\s*\([^)]*StopTime\s*=\s*([0-9.eE+-]+)", of_class.group())
        if stop:
            made["stop_time"] = float(stop.group(1))
    return made

try:
    session = rumoca.Session(roots=[readable(root) for root in roots])
    asked = f"model TaktAsks extends {name}; end TaktAsks;"
    model = session.load(file, model=name or None) if file else session.loads(asked, model=name)
    flat = model.to_json(stage="flat", pretty=False).rstrip()
    with open(out, "w") as made:
        made.write(model.name + "\n" + flat[:-1] + ',"takt":' + json.dumps(beside(model)) + "}")
except BaseException as refused:
    said = str(refused)
    for each in given:
        said = said.replace(each, given[each])
    print(said)
    sys.exit(42)
)python";

/// TAKT_MODELICA_PYTHON, that of a build tree (tools/install_packages.sh modelica), or the system's.
std::string python() {
  if (const char* given = std::getenv("TAKT_MODELICA_PYTHON"); given != nullptr && *given != '\0') return given;
  const fs::path own = find_home().prefix.parent_path() / "modelica/bin/python";
  return fs::exists(own) ? own.string() : "python3";
}

std::vector<std::string> libraries(const ModelicaSource& source) {
  std::vector<std::string> made = source.path;
  const char* given = std::getenv("MODELICAPATH");
  std::istringstream rest(given == nullptr ? "" : given);
  for (std::string each; std::getline(rest, each, ':');)
    if (!each.empty()) made.push_back(each);
  return made;
}

/// Without the front end's own list of the same failure, and what it says again and again.
std::string first_lines(const std::string& text, std::size_t most = 6) {
  std::istringstream lines(text);
  std::string made;
  std::vector<std::string> said;
  for (std::string line; said.size() < most && std::getline(lines, line);) {
    if (line.empty() || std::find(said.begin(), said.end(), line) != said.end()) continue;
    made += (said.empty() ? "" : "\n    ") + line;
    said.push_back(line);
  }
  return made.empty() ? "it says nothing" : made;
}

class FrontEnd {
 public:
  FrontEnd(const ModelicaSource& source, Diagnostics& diagnostics)
      : source_(source), place_{FileName(source.file.empty() ? source.name : source.file)}, diagnostics_(diagnostics) {}

  std::optional<ModelicaFlat> run() {
    const std::vector<std::string> roots = libraries(source_);
    if (!are_there(roots)) return std::nullopt;
    const TemporaryFolder folder;
    const fs::path out = folder.path() / "flat.json";
    const std::string interpreter = python();
    std::vector<std::string> command{interpreter,
                                     "-c",
                                     std::string(script),
                                     std::string(version),
                                     fmt::format("{}", std::lround(std::ceil(source_.at_most_s))),
                                     source_.file,
                                     source_.name,
                                     out.string()};
    command.insert(command.end(), roots.begin(), roots.end());
    const WaitLine line("rumoca reads " + (source_.name.empty() ? source_.file : source_.name));
    const ProcessResult done = run_process(command, {"PYTHONDONTWRITEBYTECODE=1"});
    if (done.exit_code != 0) return refused(done, interpreter);
    std::ifstream input(out, std::ios::binary);
    ModelicaFlat made;
    std::getline(input, made.name);
    made.json.assign(std::istreambuf_iterator<char>(input), {});
    return made;
  }

 private:
  /// The front end names the folder and nothing else.
  bool are_there(const std::vector<std::string>& roots) {
    for (const std::string& root : roots) {
      std::error_code ignored;
      if (fs::exists(root, ignored)) continue;
      diagnostics_.error("D043", place_, "there is no library at '" + root + "'",
                         "--path and MODELICAPATH name folders of libraries, or what holds them");
    }
    return !diagnostics_.has_errors();
  }

  std::optional<ModelicaFlat> refused(const ProcessResult& done, const std::string& interpreter) {
    const std::string cure = fmt::format(
        "tools/install_packages.sh modelica; or pip install rumoca=={} for a Python that "
        "TAKT_MODELICA_PYTHON names; or give flat JSON, or Base Modelica text",
        version);
    if (done.exit_code == exit_no_front_end || done.exit_code == 127)
      diagnostics_.error("D041", place_,
                         "the front end rumoca is not there (" + interpreter + ": " + first_lines(done.output, 1) + ")",
                         cure);
    else if (done.exit_code == exit_other_version)
      diagnostics_.error(
          "D041", place_,
          fmt::format("the front end rumoca is there in version {}, not {}", first_lines(done.output, 1), version),
          cure);
    else if (done.exit_code == 128 + SIGALRM)
      diagnostics_.error("D042", place_, fmt::format("the front end did not end within {:g} s", source_.at_most_s),
                         "--at-most gives it longer");
    else if (done.exit_code == exit_refused)
      diagnostics_.error(
          "D043", place_, "the front end rumoca refuses the class: " + first_lines(done.output),
          "mend the class; --class names one of several, --path (or MODELICAPATH) the libraries it uses");
    else
      diagnostics_.error(
          "D044", place_,
          fmt::format("the front end rumoca ended with code {}: {}", done.exit_code, first_lines(done.output)),
          "this is a mistake of the front end; Base Modelica text of OpenModelica may be taken instead");
    return std::nullopt;
  }

  const ModelicaSource& source_;
  Location place_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool is_class_name(const std::string& text) {
  bool begins = true;
  for (const char each : text) {
    const auto letter = static_cast<unsigned char>(each);
    if (begins ? !(std::isalpha(letter) != 0 || each == '_')
               : !(std::isalnum(letter) != 0 || each == '_' || each == '.'))
      return false;
    begins = each == '.';
  }
  return !begins;
}

std::optional<ModelicaFlat> flatten(const ModelicaSource& source, Diagnostics& diagnostics) {
  return FrontEnd(source, diagnostics).run();
}

}  // namespace takt::tools
