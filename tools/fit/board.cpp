#include "tools/fit/board.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "codegen/emit/build/process.hpp"
#include "codegen/emit/build/toolchain.hpp"
#include "tools/fit/piped_process.hpp"
#include "tools/takt/over_ssh.hpp"
#include "tools/takt/temporary_file.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

enum There : int {  // exit codes of what runs on the board; of others, their last line says why
  no_folder = 71,
  not_unpacked = 72,
  interrupted = 74,
  lost = 255,  // of ssh itself
};

/// Without single quotes. %SIZE%: of what comes in. Standard input then stays open as long as somebody waits here: its
/// end is that of the measurement.
constexpr std::string_view on_board = R"(umask 077
d=$(mktemp -d "${TMPDIR:-/tmp}/takt-fit.XXXXXX") || exit 71
p=
end() { trap "" HUP INT TERM; [ -z "$p" ] || { kill -TERM $p; wait $p; }; exit 74; } 2>/dev/null
trap "rm -rf $d" EXIT
trap end HUP INT TERM PIPE
exec 3<&0
head -c %SIZE% <&3 | tar -C "$d" -oxf - || exit 72
m=$$
( read -r x <&3; kill -TERM $m ) >/dev/null 2>&1 &
w=$!
sh "$d/measure.sh" </dev/null >&2 3<&- &
p=$!
wait $p
c=$?
p=
kill $w
[ $c = 0 ] || exit $c
tar -C "$d" -cf - results)";

std::string script(std::uintmax_t size) {
  std::string text(on_board);
  constexpr std::string_view gap = "%SIZE%";
  text.replace(text.find(gap), gap.size(), std::to_string(size));
  return text;
}

std::vector<std::string> command_for(const std::string& address, const std::string& what) {
  if (address.empty()) return {"sh", "-c", what};
  return over_ssh(address, "exec sh -c '" + what + "'", "exec ");
}

std::string first_line_with(const std::string& text, std::string_view words) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(words) != std::string::npos) return line;
  return {};
}

std::string last_line(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line != "\r") last = line;
  return last;
}

struct Known {
  std::string_view said, cause;
};

/// What ssh says where it cannot be of use.
constexpr auto known = std::to_array<Known>({
    {"Could not resolve hostname", "there is no machine of that name; mend the address"},
    {"Name or service not known", "there is no machine of that name; mend the address"},
    {"Connection refused", "nothing listens there; start sshd on the board, or mend the port in the address"},
    {"timed out", "it does not answer; is it on, and in this network?"},
    {"No route to host", "it does not answer; is it on, and in this network?"},
    {"REMOTE HOST IDENTIFICATION HAS CHANGED",
     "its host key is another than it was; if that is right, remove the old one by `ssh-keygen -R`"},
    {"Host key verification failed", "its host key is not known here; connect once by hand (ssh) and accept it"},
    {"Permission denied", "it refuses the key, or the user; put your public key there by `ssh-copy-id`"},
    {"Too many authentication failures", "it refuses the keys; name the right one in ~/.ssh/config"},
});

void run_tar(const std::vector<std::string>& arguments, const std::string& what) {
  const codegen::ProcessResult done = codegen::run_process(arguments);
  if (done.exit_code == 127) throw std::runtime_error("there is no 'tar' in PATH; install the package tar");
  if (done.exit_code != 0) throw std::runtime_error(what + ": " + last_line(done.output));
}

}  // namespace

MeasuredBoard::MeasuredBoard(const std::optional<std::string>& address) : address_(address.value_or("")) {
  if (address) check_address(*address, "--on");
}

std::string MeasuredBoard::name() const { return address_.empty() ? "this machine" : address_; }

std::string MeasuredBoard::cause(int code, const std::string& said) const {
  if (code == lost && !address_.empty()) {
    for (const Known& each : known)
      if (const std::string line = first_line_with(said, each.said); !line.empty())
        return fmt::format("{}\n  ssh said: {}", each.cause, line);
    return "the connection was lost; the board clears what was carried there\n  ssh said: " + last_line(said);
  }
  if (code == 127) return "cannot be reached: " + last_line(said);
  if (!first_line_with(said, "No space left on device").empty())
    return "no space is left on the board; make room, or set TMPDIR there to a folder that has some";
  if (code == no_folder) return "no folder for temporary files can be made there: " + last_line(said);
  if (code == not_unpacked) return "what was carried there cannot be unpacked: " + last_line(said);
  if (code == interrupted) return "the measurement was stopped";
  std::string why = last_line(said);
  if (why.starts_with("takt fit: ")) why.erase(0, std::string_view("takt fit: ").size());
  return why.empty() ? fmt::format("the measurement ended with code {}", code) : why;
}

std::string MeasuredBoard::machine() const {
  if (address_.empty()) return codegen::this_machine();
  const TemporaryFile answer("");
  const PipedEnd end = run_piped({.arguments = command_for(address_, "uname -s -m"), .output = answer.path()});
  if (end.code != 0) throw std::runtime_error(name() + ": " + cause(end.code, end.said));
  std::ifstream in(answer.path());
  const std::string line = last_line({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
  if (!line.starts_with("Linux "))
    throw std::runtime_error(name() + ": Takt runs on Linux; `uname` says \"" + line + "\" there");
  return line.substr(std::string_view("Linux ").size());
}

void MeasuredBoard::measure(const fs::path& pack) const {
  const TemporaryFile carried(""), brought("");
  run_tar({"tar", "-C", pack.string(), "-cf", carried.path().string(), "bin", "pack.sh", "measure.sh"},
          "cannot pack " + pack.string());
  WaitLine waiting("measuring");
  const PipedEnd end = run_piped({.arguments = command_for(address_, script(fs::file_size(carried.path()))),
                                  .input = carried.path(),
                                  .output = brought.path(),
                                  .listen = [&waiting](const std::string& line) {
                                    if (!line.starts_with("takt fit: ")) return;
                                    WaitLine::say(line + "\n");
                                    waiting.now("measuring: " + line.substr(std::string_view("takt fit: ").size()));
                                  }});
  if (end.stopped_by != 0) throw std::runtime_error(name() + ": the measurement was stopped");
  if (end.code != 0) throw std::runtime_error(name() + ": " + cause(end.code, end.said));
  run_tar({"tar", "-C", pack.string(), "-xf", brought.path().string()}, "cannot unpack the results");
}

}  // namespace takt::tools
