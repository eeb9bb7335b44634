#include "tools/takt/sweep_dispatch.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "codegen/emit/build/process.hpp"
#include "runtime/json/parse_json.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {
namespace {

using Json = nlohmann::ordered_json;

void write_line(const Json& json) {
  std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  if (!std::cout) throw std::runtime_error("standard output is closed: nobody is told of the runs");
}

}  // namespace

SweepDispatch::SweepDispatch(const std::vector<std::string>& command) {
  write_line(
      {{"executable", command.front()}, {"arguments", std::vector<std::string>(command.begin() + 1, command.end())}});
}

void SweepDispatch::tell(std::size_t point, const std::vector<std::string>& arguments,
                         const std::filesystem::path& out) {
  write_line({{"run", point + 1}, {"arguments", arguments}, {"out", out.string()}});
  under_way_.insert(std::upper_bound(under_way_.begin(), under_way_.end(), point), point);
}

DispatchedRun SweepDispatch::next() {
  std::string line;
  if (!std::getline(std::cin, line))
    throw std::runtime_error("whoever computes the runs has gone; the same command goes on");
  const auto wrong = [&line](const std::string& why) {
    return std::runtime_error("no answer of a run, " + why + ": " + line.substr(0, 200) +
                              R"(; expected {"run": 1, "exit_code": 0, "output": ""})");
  };
  const auto answer = json_or_none<Json>(line);
  if (!answer.is_object()) throw wrong("not a JSON object");
  const auto run = answer.find("run"), code = answer.find("exit_code"), output = answer.find("output");
  if (run == answer.end() || !run->is_number_unsigned()) throw wrong("\"run\" is no number");
  if (code == answer.end() || !code->is_number_integer()) throw wrong("\"exit_code\" is no integer");
  if (output == answer.end() || !output->is_string()) throw wrong("\"output\" is no text");
  const auto number = run->get<std::size_t>();
  const auto known = std::find(under_way_.begin(), under_way_.end(), number - 1);
  if (number == 0 || known == under_way_.end()) throw wrong("this run is not under way");
  under_way_.erase(known);
  return {.point = number - 1, .exit_code = code->get<int>(), .output = output->get<std::string>()};
}

int sweep_on_cluster(const std::string& scheduler, std::vector<std::string> arguments) {
  const char* named = std::getenv("TAKT_PYTHON");
  const std::string python = named != nullptr && *named != '\0' ? named : "python3";
  if (const auto tried = codegen::run_process({python, "-c", "import takt.cluster, distributed"}); tried.exit_code != 0)
    throw UsageError("--scheduler: " + python + " has no package takt with dask: " +
                     tried.output.substr(tried.output.rfind('\n', tried.output.size() - 2) + 1) +
                     "pip install dask distributed and tools/python of Takt there, or name another interpreter in "
                     "TAKT_PYTHON");
  const auto given = std::find_if(arguments.begin(), arguments.end(),
                                  [](const std::string& word) { return word.starts_with("--scheduler"); });
  arguments.erase(given, given + (*given == "--scheduler" ? 2 : 1));
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> command{python, "-m", "takt.cluster", scheduler, self, "sweep"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  ::execvp(words.front(), words.data());
  throw std::runtime_error("cannot start " + python + ": " + std::strerror(errno));
}

}  // namespace takt::tools
