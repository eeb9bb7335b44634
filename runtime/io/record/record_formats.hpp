#pragma once
// The formats in which signals can be recorded, and what is said of them.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/record/record_sink.hpp"

namespace takt {

/// Adds a format of another project to this program while it starts:
///   const takt::AddedRecordFormat added(my_format);
/// in a source that is linked into the executable as an object, not out of an archive, which would leave it out.
class AddedRecordFormat {
 public:
  /// @param format  lives as long as the program
  explicit AddedRecordFormat(const RecordFormat& format);
};

/// Those of Takt in the order in which a run directory is looked through, then those that were added. The first one is
/// CSV, which is what is recorded where nothing else is asked for.
[[nodiscard]] std::vector<const RecordFormat*> record_formats();

/// What --record takes: the word of each format, and "both".
[[nodiscard]] std::vector<std::string> record_words();

/// @param words  of --record, with commas between them; those that are not known are left out
/// @return each once, in the order of record_formats()
[[nodiscard]] std::vector<const RecordFormat*> formats_named(std::string_view words);

/// Words of the formats that have a property: "mdf or other".
[[nodiscard]] std::string words_of_formats(bool RecordFormat::*property);

/// "csv (signals.csv), mdf (signals.mf4, ASAM MDF 4.10)"
[[nodiscard]] std::string list_of_formats();

}  // namespace takt
