// Whose a path is: owners, modes, links on the way.

#include "runtime/trust/ours.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

namespace fs = std::filesystem;
using namespace takt;

namespace {

constexpr uid_t stranger = 65534;

/// A folder with bin/tool, ours.
fs::path made(const char* name) {
  fs::path folder = fs::temp_directory_path() / "takt_ours_test" / name;
  fs::remove_all(folder);
  fs::create_directories(folder / "bin");
  std::ofstream(folder / "bin/tool") << "text";
  fs::permissions(folder / "bin/tool", fs::perms::owner_all);
  return folder;
}

bool is_root() { return geteuid() == 0; }

}  // namespace

TEST_CASE(
    "what only this user and root may write is ours, also below a folder with the sticky bit, and what is not there") {
  const KeptFromOthers kept;
  const fs::path folder = made("own");  // below /tmp
  CHECK(why_not_ours(folder / "bin/tool") == "");
  CHECK(why_not_ours(folder / "bin/../bin/./none/at/all") == "");
  CHECK(why_not_ours_below(folder) == "");
  CHECK(why_not_ours("/bin/sh") == "");
  CHECK(why_not_for_results(folder) == "");
  CHECK(why_not_ours_below(folder / "none") == "");
}

TEST_CASE("what everybody or a group with others may write is not ours, wherever it is on the way") {
  const KeptFromOthers kept;
  const fs::path folder = made("open");
  for (const fs::path& open : {folder, folder / "bin", folder / "bin/tool"}) {
    const fs::perms before = fs::status(open).permissions();
    fs::permissions(open, fs::perms::others_write, fs::perm_options::add);
    CHECK(why_not_ours(folder / "bin/tool").starts_with(open.string() + " may be written by everybody (mode 7"));
    fs::permissions(open, before);
  }
  fs::permissions(folder / "bin", fs::perms::all);
  CHECK_FALSE(why_not_ours_below(folder).empty());
  CHECK_FALSE(why_not_for_results(folder / "bin").empty());
  CHECK(why_not_for_results(folder / "bin/below") == "");  // a folder of its own there would be ours
  fs::permissions(folder / "bin", fs::perms::sticky_bit, fs::perm_options::add);
  CHECK(why_not_ours(folder / "bin/tool") == "");
  if (!is_root()) return;
  fs::permissions(folder / "bin", fs::perms::owner_all | fs::perms::group_all);
  CHECK(why_not_ours(folder / "bin/tool") == "");  // root's own group, in which nobody else is
  REQUIRE(chown((folder / "bin").c_str(), 0, 54321) == 0);
  CHECK(why_not_ours(folder / "bin/tool") == (folder / "bin").string() + " may be written by group 54321 (mode 770)");
  CHECK(why_not_for_results(folder / "bin") == "");  // results may be shared
}

TEST_CASE("a link is judged with what it leads to, and endless ones end") {
  const KeptFromOthers kept;
  const fs::path folder = made("links"), open = made("links_open");
  fs::create_symlink(open / "bin", folder / "way");
  CHECK(why_not_ours(folder / "way/tool") == "");
  fs::permissions(open, fs::perms::all);
  CHECK(why_not_ours(folder / "way/tool").starts_with(open.string() + " may be written by everybody"));
  fs::permissions(open, fs::perms::owner_all);
  fs::create_symlink("round", folder / "round");
  CHECK(why_not_ours(folder / "round").ends_with("cannot be followed"));
}

TEST_CASE("what belongs to another user is not ours; under sudo the caller is one of us") {
  if (!is_root()) {
    WARN("not tested: files of another user, for want of root");
    return;
  }
  const KeptFromOthers kept;
  const fs::path folder = made("theirs");
  for (const fs::path& theirs : {folder, folder / "bin", folder / "bin/tool"}) {
    REQUIRE(lchown(theirs.c_str(), stranger, stranger) == 0);
    CHECK(why_not_ours(folder / "bin/tool") == theirs.string() + " belongs to " + user_text(stranger));
    REQUIRE(lchown(theirs.c_str(), 0, 0) == 0);
  }
  fs::create_symlink("bin", folder / "way");
  REQUIRE(lchown((folder / "way").c_str(), stranger, stranger) == 0);
  CHECK(why_not_ours(folder / "way/tool").find("is a link that belongs to") != std::string::npos);
  CHECK(why_not_for_results(folder / "way/run").find("is a link that belongs to") != std::string::npos);
  CHECK_FALSE(why_not_ours_below(folder).empty());
  CHECK_FALSE(is_one_of_us(stranger));
  REQUIRE(setenv("SUDO_UID", "65534", 1) == 0);
  CHECK(is_one_of_us(stranger));
  CHECK(why_not_ours(folder / "way/tool") == "");
  REQUIRE(setenv("SUDO_UID", "65534x", 1) == 0);
  CHECK_FALSE(is_one_of_us(stranger));
  unsetenv("SUDO_UID");
}
