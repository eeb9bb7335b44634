#include "codegen/emit/build/build.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "build_templates.hpp"
#include "codegen/emit/build/build_failure.hpp"
#include "codegen/emit/build/process.hpp"
#include "codegen/emit/build/target.hpp"
#include "codegen/emit/build/toolchain.hpp"
#include "codegen/source/template.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/trust/ours.hpp"

namespace takt::codegen {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Keeps the time stamp of a file that would not change.
void write_if_different(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read_file(path) == text) return;
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush())
    throw fs::filesystem_error("cannot write", path,
                               std::error_code(errno, std::generic_category()));
}

std::string cmake_of(const Sources& sources, const BuildOptions& options) {
  return options.cmake.empty() ? plant_cmake(options.name, sources) : options.cmake;
}

/// CMake, make, ninja and the shell each have letters of their own, which not all of them can be
/// told to take as they are.
bool is_plain_path(const std::string& path) {
  constexpr std::string_view plain = "/._-+=,@~^: ()";
  return std::all_of(path.begin(), path.end(), [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0 || plain.find(c) != std::string_view::npos;
  });
}

/// Where the sources of a plant are compiled: in its folder, or where that has a name that tools
/// stumble over, in the cache of the user. The executable is stored in the folder all the same.
fs::path place_for(const fs::path& directory) {
  const std::string path = fs::absolute(directory).lexically_normal().string();
  if (is_plain_path(path)) return directory;
  const fs::path base = user_cache();
  if (base.empty() || !is_plain_path(base.string()))
    throw fs::filesystem_error(
        "cannot compile below a folder of this name, and HOME names no other", path,
        std::make_error_code(std::errc::invalid_argument));
  return base / hash_text(path);
}

/// Emitted files carry names of the manifest; anything else in the folder is not ours and stays.
void write_sources(const Sources& sources, const BuildOptions& options, const fs::path& directory) {
  const fs::path manifest = directory / "sources.txt";
  std::istringstream before(read_file(manifest));
  std::string after;
  std::set<std::string> names;
  for (const SourceFile& file : sources) {
    if (!is_plain_file_name(file.name))
      throw std::logic_error("a source would be named '" + file.name +
                             "'");  // CMake and ninja read it
    names.insert(file.name);
    after += file.name + "\n";
  }
  for (std::string name; std::getline(before, name);) {
    if (!name.empty() && name.find('/') == std::string::npos && !names.contains(name))
      fs::remove(directory / name);
  }
  for (const SourceFile& file : sources)
    write_if_different(directory / file.name, file.text.bytes());
  write_if_different(directory / "CMakeLists.txt", cmake_of(sources, options));
  write_if_different(manifest, after);
}

/// In the last piece of what make and ninja print: "[3/12] ...", "[ 33%] ...".
std::string steps_done(std::string_view piece) {
  const std::size_t open = piece.rfind('['), close = piece.find(']', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  std::string done(piece.substr(open + 1, close - open - 1));
  std::erase(done, ' ');
  if (done.find_first_not_of("0123456789/%") != std::string::npos) return {};
  if (const std::size_t of = done.find('/'); of != std::string::npos)
    return done.replace(of, 1, " of ");
  return done.ends_with('%') ? done.replace(done.size() - 1, 1, " %") : std::string();
}

class Builder {
 public:
  Builder(const Sources& sources, const BuildOptions& options)
      : sources_(sources),
        options_(options),
        place_(place_for(options.directory)),
        build_(place_ / "build"),
        tools_(find_toolchain(options.machine)),
        store_(options.directory / "bin", options.name, options.kept,
               [this](const std::string& line) { progress(line); }) {}

  BuildResult run() {
    const KeptFromOthers kept;
    key_ = key();
    if (result_.failure = why_not_built_in(options_.directory); !result_.failure.empty())
      return std::move(result_);
    if (!options_.publish && use(store_.find(key_, tools_.identity))) return std::move(result_);
    fs::create_directories(options_.directory);
    // Again: in a folder that all may write, as /tmp is, somebody may have been quicker.
    if (result_.failure = why_not_built_in(options_.directory); !result_.failure.empty())
      return std::move(result_);
    const FileLock mine = lock();
    const bool there = use(store_.find(key_, tools_.identity));
    if (there || compile()) {
      if (options_.publish) publish();
    }
    return std::move(result_);
  }

 private:
  void progress(const std::string& line) const {
    if (options_.progress) options_.progress(line);
  }

  /// Everything that goes into the executable but the compiler.
  [[nodiscard]] std::string key() const {
    std::string all = options_.name + "\n" + options_.identity + "\n" + instruction_set(march()) +
                      "\n" + cmake_of(sources_, options_);
    for (const std::string& argument : options_.arguments) all += argument + "\n";
    for (const SourceFile& file : sources_)
      all += file.name + "\n" + std::to_string(file.text.bytes().size()) + "\n" + file.text.bytes();
    return hash_text(all);
  }

  [[nodiscard]] std::string march() const {
    return options_.march.empty()
               ? baseline(options_.machine.empty() ? this_machine() : options_.machine)
               : options_.march;
  }

  bool use(std::optional<StoredExecutable> stored) {
    if (!stored) return false;
    result_.kept = std::make_shared<const StoredExecutable>(std::move(*stored));
    result_.executable = result_.kept->path;
    return result_.ok = true;
  }

  /// What this process starts has the lock, too: compilers that outlive a killed takt keep others
  /// out until they end.
  [[nodiscard]] FileLock lock() const {
    const fs::path file = options_.directory / "lock";
    FileLock lock = FileLock::attempt(file, FileLock::Kind::exclusive);
    if (!lock.held()) {
      progress("waiting for another build in " + options_.directory.string());
      lock = FileLock::wait(file, FileLock::Kind::exclusive);
    }
    lock.hand_on();
    return lock;
  }

  bool compile() {
    if (result_.failure = missing_tool(tools_); !result_.failure.empty()) return false;
    // It stays where a build fails or is killed: what that left half done must not be taken for
    // done.
    const fs::path unfinished = place_ / "unfinished";
    fs::create_directories(place_);
    const FileLock at_sources = place_ == options_.directory
                                    ? FileLock()
                                    : FileLock::wait(place_ / "lock", FileLock::Kind::exclusive);
    if (fs::exists(unfinished)) fs::remove_all(build_);
    write_if_different(unfinished, "");
    fs::create_directories(build_);
    write_sources(sources_, options_, place_);
    if (!configure()) return false;
    progress("compiling " + options_.name);
    const auto begin = std::chrono::steady_clock::now();
    if (!succeeds(BuildStep::compile, {"cmake", "--build", build_.string(), "--parallel"}))
      return false;
    const auto taken =
        std::chrono::round<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    use(store_.add(key_, tools_.identity, build_ / "out" / options_.name));
    fs::remove(unfinished);
    progress("compiled in " + duration_text(taken.count() / 100 * 100'000'000));
    return result_.built = true;
  }

  /// Once; from the beginning where the arguments or the compiler differ from last time.
  bool configure() {
    const std::vector<std::string> command = configure_command();
    std::string arguments = tools_.identity + "\n" + options_.identity + "\n";
    for (const std::string& argument : command) arguments += argument + "\n";
    const fs::path stamp = build_ / "configured.txt";
    if (read_file(stamp) == arguments) return true;
    fs::remove_all(build_);
    fs::create_directories(build_);
    progress("configuring " + options_.name);
    if (!succeeds(BuildStep::configure, command)) return false;
    write_if_different(stamp, arguments);
    return true;
  }

  [[nodiscard]] std::vector<std::string> configure_command() const {
    std::vector<std::string> command{
        "cmake",
        "-S",
        place_.string(),
        "-B",
        build_.string(),
        "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=" + fs::absolute(build_ / "out").string(),
        "-Dtakt_DIR=" + options_.cmake_package.string(),
        "-DTAKT_MARCH=" + march(),
        "-DTAKT_IDENTITY=" + hash_text(options_.identity),
        "-G",
        tools_.ninja ? "Ninja" : "Unix Makefiles"};
    if (!options_.machine.empty()) {
      command.insert(command.end(),
                     {"-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=" + options_.machine,
                      "-DCMAKE_CXX_COMPILER=" + tools_.compiler});
    }
    command.insert(command.end(), options_.arguments.begin(), options_.arguments.end());
    command.insert(command.end(), options_.unkeyed.begin(), options_.unkeyed.end());
    if (!tools_.ccache.empty())
      command.push_back("-DCMAKE_CXX_COMPILER_LAUNCHER=" + tools_.ccache.string());
    return command;
  }

  /// In English, which is what explain_failure() reads. Circuits of one text are compiled once, in
  /// whatever folder: a takt that is not installed hands on an option for precompiled headers,
  /// which ccache would refuse without the sloppiness.
  bool succeeds(BuildStep step, const std::vector<std::string>& command) {
    const auto heard = [&](std::string_view piece) {
      if (step != BuildStep::compile || !options_.how_far) return;
      if (const std::string done = steps_done(piece); !done.empty()) options_.how_far(done);
    };
    const ProcessResult done =
        run_process(command,
                    {"LC_ALL=C", "CCACHE_BASEDIR=" + fs::absolute(place_).string(),
                     "CCACHE_SLOPPINESS=pch_defines,time_macros"},
                    nullptr, heard);
    if (done.exit_code == 0) return true;
    const BuildFailure failure = explain_failure(step, done);
    result_.failure = failure_text(failure);
    result_.log = done.output;
    result_.ours = failure.ours;
    return false;
  }

  /// Under its short name, at once: who runs that name has the old one or the new one.
  void publish() {
    write_sources(sources_, options_, options_.directory);
    const fs::path published = options_.directory / "bin" / options_.name,
                   temporary = published.string() + ".part";
    fs::remove(temporary);
    std::error_code no_links;
    fs::create_hard_link(result_.executable, temporary, no_links);
    if (no_links) fs::copy_file(result_.executable, temporary);
    fs::rename(temporary, published);
    fs::remove(temporary);  // to rename a link to another link of the same file does nothing
    result_.executable = published;
  }

  const Sources& sources_;
  const BuildOptions& options_;
  const fs::path place_, build_;
  const Toolchain tools_;
  const ExecutableStore store_;
  std::string key_;
  BuildResult result_;
};

}  // namespace

fs::path user_cache() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "takt";
  return home != nullptr && *home != '\0' ? fs::path(home) / ".cache/takt" : fs::path();
}

std::string why_not_built_in(const fs::path& directory) {
  std::string why = why_not_ours(directory);
  std::error_code none;
  // A header of theirs beside the sources would be taken for one of the runtime's.
  for (fs::directory_iterator each(directory, none), end; why.empty() && !none && each != end;
       each.increment(none))
    why = why_not_ours(each->path());
  for (const char* part : folders_of_a_build)
    if (why.empty()) why = why_not_ours_below(directory / part);
  if (why.empty()) return {};
  return directory.string() + " is not used: " + why +
         "; what is built there is run, so only you and root may be able to write it. Build in a "
         "folder of your own: --build-dir DIR (takt build: --out DIR), or make this one yours "
         "after a look at what is in it: chown, chmod go-w";
}

std::string cmake_head(const std::string& what) {
  return filled(build_head_cmake_in, {{"generated", generated_by_takt}, {"what", what}});
}

std::string cmake_sources(const Sources& sources) {
  std::string text;
  for (const SourceFile& file : sources)
    if (file.name.ends_with(".cpp")) text += "\n  " + file.name;
  return text;
}

std::string cmake_tail() { return std::string(build_tail_cmake_in); }

std::string plant_cmake(const std::string& name, const Sources& sources) {
  const bool offline = std::any_of(sources.begin(), sources.end(),
                                   [](const SourceFile& file) { return file.offline; });
  return filled(build_plant_cmake_in, {{"head", cmake_head("the executable bin/" + name)},
                                       {"sources", cmake_sources(sources)},
                                       {"name", name},
                                       {"offline", offline ? " takt::offline" : ""},
                                       {"tail", cmake_tail()}}) +
         "\n";
}

BuildResult build_sources(const Sources& sources, const BuildOptions& options) {
  return Builder(sources, options).run();
}

}  // namespace takt::codegen
