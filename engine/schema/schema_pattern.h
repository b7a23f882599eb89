// engine/schema/schema_pattern.h: a regular expression of a schema. Most are rows of ASCII classes, such as
// ^[A-Z]{2}[0-9]+$, which are matched here in one pass over the bytes. JavaScriptRegex matches all others.
// THREADS: many threads may share a pattern.
#ifndef LEAFSCORE_ENGINE_SCHEMA_SCHEMA_PATTERN_H_
#define LEAFSCORE_ENGINE_SCHEMA_SCHEMA_PATTERN_H_

#include <bitset>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/languages/javascript_regex.h"

namespace leafscore::internal {

// A pattern that begins with ^ and continues with classes of ASCII characters, each with a number of repeats.
// A class with a variable number of repeats shares no character with the classes that may follow it, so
// matching never has to give back characters.
class ClassRow {
 public:
  // RETURNS: nullopt for any other pattern.
  static std::optional<ClassRow> Parse(std::string_view pattern);

  // COST: linear.
  bool Matches(std::string_view text) const;

 private:
  using Class = std::bitset<128>;
  struct Item {
    Class characters;
    std::size_t least = 1;
    std::size_t most = 1;
  };
  class Parser;

  bool NeverGivesBack() const;

  std::vector<Item> items_;
  bool to_end_ = false;  // $
};

class SchemaPattern {
 public:
  // REQUIRES: valid UTF-8.
  explicit SchemaPattern(const std::string& pattern);

  // Returns why it cannot be used; empty if it can.
  const std::string& fault() const { return regex_->fault(); }

  // REQUIRES: it can be used; valid UTF-8.
  JavaScriptRegex::Search Test(std::string_view text) const {
    using Search = JavaScriptRegex::Search;
    if (row_) return row_->Matches(text) ? Search::kFound : Search::kNotFound;
    return regex_->Test(text);
  }

 private:
  std::unique_ptr<const JavaScriptRegex> regex_;
  std::optional<ClassRow> row_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_SCHEMA_PATTERN_H_
