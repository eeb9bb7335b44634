#include "runtime/command_line/failure_text.hpp"

#include <cerrno>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

namespace takt::command_line {
namespace {

std::string text_of(const std::filesystem::filesystem_error& error) {
  std::string text = error.path1().empty() ? "a file" : error.path1().string();
  if (!error.path2().empty()) text += " to " + error.path2().string();
  text += ": " + error.code().message();
  if (error.code() == std::errc::permission_denied) return text + "; give this user the right, or name another place";
  if (error.code() == std::errc::no_space_on_device) return text + "; make room, or name another place";
  return text;
}

std::string text_of(const std::system_error& error) {
  if (error.code().value() == EAGAIN)
    return "no further thread or process can be started: the limit of this user (ulimit -u) or of the container is "
           "reached; end others, or raise it";
  if (error.code().value() == EMFILE || error.code().value() == ENFILE)
    return "no further file can be opened: the limit of open files (ulimit -n) is reached; raise it";
  return error.what();
}

/// What files say is quoted: a terminal must not obey it.
std::string printable(std::string text) {
  for (char& c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == '\x7f') c = '?';
  return text;
}

}  // namespace

std::string failure_text(const std::exception& error) {
  constexpr const char* no_memory =
      "there is not enough memory for this; ask for less (a shorter time, fewer signals or points), or raise the limit "
      "(ulimit -v, that of the container)";
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return no_memory;
  if (dynamic_cast<const std::length_error*>(&error) != nullptr) return no_memory;
  if (const auto* of_files = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) return text_of(*of_files);
  if (const auto* of_system = dynamic_cast<const std::system_error*>(&error)) return text_of(*of_system);
  if (dynamic_cast<const nlohmann::json::exception*>(&error) != nullptr)
    return "what was read as JSON is not of the form that Takt writes; make that file, or what has answered, again (" +
           std::string(error.what()).substr(std::string(error.what()).find("] ") + 2) + ")";
  const std::string said = printable(error.what());
  if (dynamic_cast<const std::logic_error*>(&error) != nullptr && said.find(' ') == std::string::npos)
    return "an error inside Takt (" + said + "): please report it, with the command and its files";
  return said;
}

}  // namespace takt::command_line
