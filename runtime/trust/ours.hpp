#pragma once
// Whose files these are. What is run, loaded or written over must not be in other hands.

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace takt {

/// This user and root; for root also the user who called sudo, which lets him do as root.
[[nodiscard]] bool is_one_of_us(uid_t user);

/// "mallory (user 1001)", by /etc/passwd: a static program has no other directory of users.
[[nodiscard]] std::string user_text(uid_t user);

/// Who else can have put there, or can replace, what `path` names: "/srv/x belongs to mallory (user 1001)". Looks at
/// every folder and link on the way. Where the rest of the path is not there, what leads to it is judged. A folder that
/// others may write is trusted where its sticky bit keeps them from each other's files (/tmp).
/// @return empty: nobody else
[[nodiscard]] std::string why_not_ours(const std::filesystem::path& path);

/// The same for all that lies in a folder, at any depth; links are judged, not followed. Not the way to it.
[[nodiscard]] std::string why_not_ours_below(const std::filesystem::path& folder);

/// The same for a file alone, wherever it lies.
[[nodiscard]] std::string why_file_not_ours(const std::filesystem::path& file);

/// For a folder that holds results, which nobody runs: where others could make this process write elsewhere, or delete
/// something elsewhere. A link of theirs on the way; a folder of theirs; one in which they may replace files. Sharing a
/// folder with a group is no reason.
[[nodiscard]] std::string why_not_for_results(const std::filesystem::path& folder);

/// While it lives, others may not write what this process makes. For the whole process.
class KeptFromOthers {
 public:
  KeptFromOthers();
  ~KeptFromOthers();
  KeptFromOthers(const KeptFromOthers&) = delete;
  KeptFromOthers& operator=(const KeptFromOthers&) = delete;

 private:
  mode_t before_;
};

}  // namespace takt
