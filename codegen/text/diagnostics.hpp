#pragma once
// Located diagnostics: every finding about an input file has a code, a place, a sentence and a
// cure.

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace takt::codegen {

/// Name of an input file: everything in a plant knows its place, so names are kept once, for as
/// long as the program runs.
class FileName {
 public:
  FileName() : name_(&kept("")) {}
  template <std::convertible_to<std::string_view> Text>
  FileName(const Text& name)
      : name_(&kept(name)) {
  }  // NOLINT(google-explicit-constructor): a file name is written as text

  [[nodiscard]] const std::string& text() const { return *name_; }
  [[nodiscard]] bool empty() const { return name_->empty(); }
  friend bool operator==(FileName a, FileName b) { return a.name_ == b.name_; }
  friend bool operator<(FileName a, FileName b) { return *a.name_ < *b.name_; }

 private:
  static const std::string& kept(std::string_view name);
  const std::string* name_;
};

/// A place in an input file. line and column count from 1; 0 means "the file as a whole".
struct Location {
  FileName file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const Location&, const Location&) = default;
};

enum class Severity : std::uint8_t { error, warning, note };

struct Diagnostic {
  std::string code;  ///< e.g. "T012"; listed in codes.hpp
  Severity severity = Severity::error;
  Location where;
  std::string message;
  std::string hint;  ///< how to mend it; may be empty
};

/// Collects findings of all passes. Passes go on after an error as long as what follows makes
/// sense, so that several mistakes are reported together.
class Diagnostics {
 public:
  void error(std::string_view code, Location where, std::string message, std::string hint = {});
  void warning(std::string_view code, Location where, std::string message, std::string hint = {});
  void note(std::string_view code, Location where, std::string message, std::string hint = {});

  /// All that another pass has found.
  void append(const Diagnostics& other);

  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] std::size_t error_count() const { return errors_; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }

  /// As a compiler prints it: "file:line:col: error[T012]: message", the source line, a caret, the
  /// hint. Sorted by file and line; reads the files again for the source lines.
  [[nodiscard]] std::string render(bool colour = false) const;

 private:
  void add(Diagnostic diagnostic);
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

}  // namespace takt::codegen
