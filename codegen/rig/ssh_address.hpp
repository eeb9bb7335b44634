#pragma once
// The names of other machines that commands pass to ssh: from rig files and command lines.

#include <algorithm>
#include <string_view>

namespace takt::codegen {

inline constexpr std::string_view ssh_address_rule =
    "\"user@machine\" or \"ssh://user@machine:port\", as after the command ssh; no name begins "
    "with -, and none has blanks or characters that are special to a shell";

/// One word that ssh takes for a machine, never for an option, and that no shell behind it
/// (ProxyCommand) takes apart.
[[nodiscard]] inline bool is_ssh_address(std::string_view text) {
  constexpr std::string_view scheme = "ssh://", special = "\"'`$;|&<>()*?!#{}";
  if (text.empty() || text.size() > 1024 || text.front() == '-') return false;
  const bool is_word = std::all_of(text.begin(), text.end(), [&](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '\x7f' &&
           special.find(c) == std::string_view::npos;
  });
  if (text.starts_with(scheme)) text.remove_prefix(scheme.size());
  const std::string_view machine =
      text.substr(text.rfind('@') + 1);  // npos + 1: from the beginning
  return is_word && !text.empty() && text.front() != '-' && !machine.empty() &&
         machine.front() != '-';
}

}  // namespace takt::codegen
