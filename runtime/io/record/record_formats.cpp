#include "runtime/io/record/record_formats.hpp"

#include <algorithm>

#include "built_in_formats.hpp"  // made by CMake from its list

namespace takt {
namespace {

std::vector<const RecordFormat*>& added_formats() {
  static std::vector<const RecordFormat*> formats;
  return formats;
}

/// Of the time when there were two.
constexpr std::string_view both = "both", of_both = "csv,mdf";

bool is_among(std::string_view word, std::string_view words) {
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::string_view one = words.substr(begin, end - begin);
    if (one == word || (one == both && is_among(word, of_both))) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

AddedRecordFormat::AddedRecordFormat(const RecordFormat& format) { added_formats().push_back(&format); }

std::vector<const RecordFormat*> record_formats() {
  std::vector<const RecordFormat*> formats(std::begin(built_in_formats), std::end(built_in_formats));
  formats.insert(formats.end(), added_formats().begin(), added_formats().end());
  return formats;
}

std::vector<std::string> record_words() {
  std::vector<std::string> words;
  for (const RecordFormat* format : record_formats()) words.emplace_back(format->word);
  words.emplace_back(both);
  return words;
}

std::vector<const RecordFormat*> formats_named(std::string_view words) {
  std::vector<const RecordFormat*> formats = record_formats();
  std::erase_if(formats, [&](const RecordFormat* format) { return !is_among(format->word, words); });
  return formats;
}

std::string words_of_formats(bool RecordFormat::*property) {
  std::string words;
  for (const RecordFormat* format : record_formats())
    if (format->*property) words += (words.empty() ? "" : " or ") + std::string(format->word);
  return words;
}

std::string list_of_formats() {
  std::string list;
  for (const RecordFormat* format : record_formats()) {
    list += (list.empty() ? "" : ", ") + std::string(format->word) + " (" + std::string(format->file);
    if (!format->title.empty()) list += ", " + std::string(format->title);
    list += ")";
  }
  return list;
}

}  // namespace takt
