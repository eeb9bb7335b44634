#include "tools/view/token_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace takt::view {
namespace {

constexpr std::size_t shortest = 16;

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::system_error(errno, std::generic_category(), "no random numbers for a token");
  std::string text;
  for (const unsigned char byte : bytes) text += "0123456789abcdef"[byte >> 4U], text += "0123456789abcdef"[byte & 15U];
  return text;
}

bool is_good(const std::string& token) {
  return token.size() >= shortest &&
         token.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
             std::string::npos;
}

}  // namespace

Tokens new_tokens() { return {random_token(), random_token()}; }

Tokens tokens_of(const std::filesystem::path& file) {
  const int made = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (made >= 0) {
    const Tokens tokens = new_tokens();
    const std::string text = tokens.steer + "\n" + tokens.look + "\n";
    const bool good = ::write(made, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(made);
    if (good) return tokens;
    throw std::runtime_error("cannot write '" + file.string() + "'");
  }
  struct stat state {};
  if (::stat(file.c_str(), &state) == 0 && (state.st_mode & 077U) != 0)
    throw std::runtime_error("'" + file.string() + "' can be read by others, so that its tokens are none: chmod 600");
  Tokens tokens;
  std::ifstream input(file);
  if (!std::getline(input, tokens.steer) || !std::getline(input, tokens.look) || !is_good(tokens.steer) ||
      !is_good(tokens.look) || tokens.steer == tokens.look)
    throw std::runtime_error("'" + file.string() +
                             "' is to have two lines: a token for steering and another for looking, each of 16 or more "
                             "letters, digits, - and _; a file that is not there is made");
  return tokens;
}

}  // namespace takt::view
