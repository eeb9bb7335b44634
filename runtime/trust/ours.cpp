#include "runtime/trust/ours.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <string_view>
#include <vector>

namespace takt {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as Linux has it

bool is_number(std::string_view text, unsigned wanted) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number == wanted;
}

/// Lines of /etc/passwd or /etc/group, their fields.
void for_entries(const char* file, const std::function<void(const std::vector<std::string>&)>& call) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields(1);
    for (const char c : line)
      if (c == ':')
        fields.emplace_back();
      else
        fields.back() += c;
    call(fields);
  }
}

bool is_name_of_us(const std::string& name) {
  bool known = false;
  for_entries("/etc/passwd", [&](const auto& user) {
    unsigned number = 0;
    if (user.size() < 4 || user[0] != name) return;
    std::from_chars(user[2].data(), user[2].data() + user[2].size(), number);
    known = known || is_one_of_us(static_cast<uid_t>(number));
  });
  return known;
}

/// Many systems give each user a group of its own, and let the group write what the user makes.
bool has_others(gid_t group) {
  bool known = false, others = false;
  for_entries("/etc/group", [&](const auto& entry) {
    if (entry.size() < 4 || !is_number(entry[2], group)) return;
    known = true;
    std::istringstream members(entry[3]);
    for (std::string member; std::getline(members, member, ',');)
      others = others || (!member.empty() && !is_name_of_us(member));
  });
  for_entries("/etc/passwd", [&](const auto& user) {
    if (user.size() >= 4 && is_number(user[3], group)) others = others || !is_name_of_us(user[0]);
  });
  return others || !known;
}

std::string group_text(gid_t group) {
  std::string text = "group " + std::to_string(group);
  for_entries("/etc/group", [&](const auto& entry) {
    if (entry.size() >= 4 && is_number(entry[2], group)) text = entry[0] + " (" + text + ")";
  });
  return text;
}

std::string mode_text(mode_t mode) {
  std::array<char, 16> digits{};
  std::snprintf(digits.data(), digits.size(), "%o", static_cast<unsigned>(mode & 07777U));
  return digits.data();
}

std::string text_of(const fs::path& path) { return path.string(); }

std::string why_owner(const fs::path& path, const struct stat& found) {
  if (is_one_of_us(found.st_uid)) return {};
  return text_of(path) + (S_ISLNK(found.st_mode) ? " is a link that belongs to " : " belongs to ") +
         user_text(found.st_uid);
}

/// An access list shows its widest right as that of the group: its users are not looked up.
bool has_access_list(const fs::path& path) {
  return ::lgetxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
}

std::string why_mode(const fs::path& path, const struct stat& found) {
  const bool safe =
      S_ISLNK(found.st_mode) || (S_ISDIR(found.st_mode) && (found.st_mode & S_ISVTX) != 0) || S_ISCHR(found.st_mode);
  if (safe) return {};
  const std::string mode = " (mode " + mode_text(found.st_mode) + ")";
  if ((found.st_mode & S_IWOTH) != 0) return text_of(path) + " may be written by everybody" + mode;
  if ((found.st_mode & S_IWGRP) == 0) return {};
  if (has_access_list(path)) return text_of(path) + " may be written by those in its access list" + mode;
  if (has_others(found.st_gid)) return text_of(path) + " may be written by " + group_text(found.st_gid) + mode;
  return {};
}

std::string why_entry(const fs::path& path, const struct stat& found) {
  const std::string owner = why_owner(path, found);
  return owner.empty() ? why_mode(path, found) : owner;
}

using Judge = std::function<std::string(const fs::path& path, const struct stat& found)>;

/// Judges what is on the way to `path`, links with what they lead to, up to what is not there.
std::string first_wrong(const fs::path& path, const Judge& judge) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  if (error) return text_of(path) + " cannot be looked at: " + error.message();
  std::vector<fs::path> left;  // the next one last
  const auto add = [&](const fs::path& parts) {
    const std::vector<fs::path> list(parts.begin(), parts.end());
    left.insert(left.end(), list.rbegin(), list.rend());
  };
  add(whole);
  fs::path done;
  for (int links = 0; !left.empty();) {
    const fs::path part = left.back();
    left.pop_back();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      done = done.parent_path();
      continue;
    }
    const fs::path here = done / part;  // of "/" too: a link may begin again from there
    struct stat found {};
    if (::lstat(here.c_str(), &found) != 0) {
      if (errno == ENOENT) return {};
      return text_of(here) + " cannot be looked at: " + std::strerror(errno);
    }
    if (const std::string why = judge(here, found); !why.empty()) return why;
    if (!S_ISLNK(found.st_mode)) {
      done = here;
      continue;
    }
    const fs::path target = fs::read_symlink(here, error);
    if (error || ++links > most_links) return text_of(here) + " cannot be followed";
    add(target);
  }
  return {};
}

}  // namespace

bool is_one_of_us(uid_t user) {
  const uid_t own = ::geteuid();
  if (user == own || user == 0) return true;
  const char* caller = own == 0 ? std::getenv("SUDO_UID") : nullptr;
  return caller != nullptr && is_number(caller, user);
}

std::string user_text(uid_t user) {
  std::string text = "user " + std::to_string(user);
  for_entries("/etc/passwd", [&](const auto& entry) {
    if (entry.size() >= 4 && is_number(entry[2], user)) text = entry[0] + " (user " + entry[2] + ")";
  });
  return text;
}

std::string why_not_ours(const fs::path& path) { return first_wrong(path, why_entry); }

std::string why_file_not_ours(const fs::path& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return errno == ENOENT ? "" : text_of(file) + ": " + std::strerror(errno);
  return why_entry(file, found);
}

std::string why_not_ours_below(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(folder, error))) return {};
  for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    struct stat found {};
    if (::lstat(each->path().c_str(), &found) != 0) continue;  // gone meanwhile
    if (std::string why = why_entry(each->path(), found); !why.empty()) return why;
  }
  return error && error != std::errc::no_such_file_or_directory
             ? text_of(folder) + " cannot be looked at: " + error.message()
             : std::string();
}

std::string why_not_for_results(const fs::path& folder) {
  const std::string link = first_wrong(folder, [](const fs::path& path, const struct stat& found) {
    return S_ISLNK(found.st_mode) ? why_owner(path, found) : std::string();
  });
  struct stat found {};
  if (!link.empty() || ::stat(folder.c_str(), &found) != 0) return link;
  if (std::string owner = why_owner(folder, found); !owner.empty()) return owner;
  const bool open = (found.st_mode & S_IWOTH) != 0 && (found.st_mode & S_ISVTX) == 0;
  return open ? why_mode(folder, found) : std::string();
}

KeptFromOthers::KeptFromOthers() : before_(::umask(S_IWGRP | S_IWOTH)) { ::umask(before_ | S_IWGRP | S_IWOTH); }
KeptFromOthers::~KeptFromOthers() { ::umask(before_); }

}  // namespace takt
