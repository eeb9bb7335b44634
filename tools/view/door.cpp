#include "tools/view/door.hpp"

#include <algorithm>
#include <charconv>

namespace takt::view {
namespace {

/// "name" of "name:8800", "[::1]" of "[::1]:8800"
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, std::min(host.find(']'), host.size() - 1) + 1);
  return host.substr(0, host.find(':'));
}

/// No name server has a say in it.
bool is_address(std::string_view name) {
  if (name.starts_with('[')) return true;
  return !name.empty() && name.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_one_of(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Takes as long wherever they differ.
bool is_token(std::string_view said, std::string_view token) {
  if (token.empty() || said.size() != token.size()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k < token.size(); ++k) difference |= static_cast<unsigned char>(said[k] ^ token[k]);
  return difference == 0;
}

std::string cookie_value(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view one = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
      return std::string(one.substr(name.size() + 1));
  }
  return {};
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    unsigned value = 0;
    if (text[k] == '%' && k + 2 < text.size() &&
        std::from_chars(text.data() + k + 1, text.data() + k + 3, value, 16).ptr == text.data() + k + 3)
      out += static_cast<char>(value), k += 2;
    else
      out += text[k] == '+' ? ' ' : text[k];
  }
  return out;
}

Right right_of(const Door& door, std::string_view token) {
  if (is_token(token, door.steer_token)) return Right::steer;
  return is_token(token, door.look_token) ? Right::look : Right::none;
}

}  // namespace

std::string query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (one.starts_with(name) && one.substr(name.size()).starts_with('=')) return decoded(one.substr(name.size() + 1));
  }
  return {};
}

Entry entry_of(const Door& door, const Caller& caller) {
  const std::string_view name = without_port(caller.host);
  if (name != "localhost" && !is_address(name) && !is_one_of(door.hosts, name))
    return {.why =
                "this machine is not served under the name of your request: ask by its address, or start takt view "
                "with --host NAME"};
  const std::string host(caller.host);
  const bool own_page = caller.origin == "http://" + host || caller.origin == "https://" + host;
  if (!caller.origin.empty() && !own_page && !is_one_of(door.origins, caller.origin))
    return {.why =
                "a page of another site asks: takt view refuses it unless it was started with --origin of that site"};
  Right right = caller.is_own_user ? door.own_user : Right::none;
  right = std::max(right, right_of(door, query_value(caller.query, "token")));
  right = std::max(right, right_of(door, cookie_value(caller.cookies, token_cookie)));
  if (right == Right::none)
    return {.why = "a token is needed: open the address that takt view printed when it was started"};
  return {.right = right, .why = {}};
}

}  // namespace takt::view
