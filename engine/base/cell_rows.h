// engine/base/cell_rows.h: for each record, a row with the counts of right and wrong values in each of its
// fields. Only scorers that find the fields while they score add to the rows; without such a scorer, there
// are no rows. A record may have many values in one field. Fields are numbered by their names. THREADS: one
// writer, then many readers.
#ifndef LEAFSCORE_ENGINE_BASE_CELL_ROWS_H_
#define LEAFSCORE_ENGINE_BASE_CELL_ROWS_H_

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/text_map.h"

namespace leafscore::internal {

struct CellCounts {
  std::uint32_t right = 0;    // values that match
  std::uint32_t extra = 0;    // actual values that do not match
  std::uint32_t missing = 0;  // expected values that do not match
};

// The counts of a field. The scorer owns the name of the field.
struct NamedCellCounts {
  std::string_view field;
  CellCounts counts;
};

// FaultName returns the name of the row entry that counts how often a field breaks a rule. The count is in
// `extra`. FaultOfName splits such a name into the field and the rule; other names have no rule.
inline std::string FaultName(std::string_view field, std::string_view rule) {
  return std::string(field) + '\t' + std::string(rule);
}
inline std::pair<std::string, std::string> FaultOfName(const std::string& name) {
  const std::size_t tab = name.rfind('\t');
  if (tab == name.npos) return {name, ""};
  return {name.substr(0, tab), name.substr(tab + 1)};
}

// ConfidenceName returns the name of the row entry that counts the values with a stated confidence of `step`
// steps: right values in `right`, and wrong values in `extra`. A confidence of 1 is kConfidenceSteps steps.
inline constexpr std::uint32_t kConfidenceSteps = 10000;
inline constexpr std::string_view kConfidencePrefix = "\tconfidence\t";  // no path begins with it
inline std::string ConfidenceName(std::uint32_t step) {
  return std::string(kConfidencePrefix) + std::to_string(step);
}
// Returns the step of a name that ConfidenceName made; nullopt for any other name.
inline std::optional<std::uint32_t> ConfidenceOfName(std::string_view name) {
  if (!name.starts_with(kConfidencePrefix)) return std::nullopt;
  std::uint32_t step = 0;
  name.remove_prefix(kConfidencePrefix.size());
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  const bool is_step = error == std::errc() && end == name.data() + name.size() && step <= kConfidenceSteps;
  return is_step ? std::optional(step) : std::nullopt;
}

class CellRows {
 public:
  struct Entry {
    std::uint32_t scorer;
    std::uint32_t field;  // the number of its name
    CellCounts counts;
  };

  std::size_t size() const { return rows_.size(); }
  std::span<const Entry> Of(std::size_t row) const {
    return row < rows_.size() ? std::span<const Entry>(rows_[row]) : std::span<const Entry>();
  }
  const std::string& name(std::uint32_t field) const { return names_[field]; }
  const std::vector<std::string>& names() const { return names_; }

  // Adds empty rows up to `size`.
  void Resize(std::size_t size) { rows_.resize(size); }
  // REQUIRES: row < size().
  void Add(std::size_t row, std::uint32_t scorer, const NamedCellCounts& counts) {
    rows_[row].push_back({scorer, NumberOf(counts.field), counts.counts});
  }
  // Replaces a row with a row of `from`. If the row does not exist yet, adds empty rows up to it as needed.
  void Copy(const CellRows& from, std::size_t from_row, std::size_t row) {
    if (row < rows_.size()) rows_[row].clear();
    const std::span<const Entry> entries = from.Of(from_row);
    if (entries.empty()) return;
    if (row >= rows_.size()) Resize(row + 1);
    for (const Entry& entry : entries) Add(row, entry.scorer, {from.name(entry.field), entry.counts});
  }

 private:
  std::uint32_t NumberOf(std::string_view name) {
    const auto found = number_of_.find(name);
    if (found != number_of_.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(names_.size());
    number_of_.emplace(name, number);
    names_.emplace_back(name);
    return number;
  }

  std::vector<std::string> names_;
  TextMap<std::string, std::uint32_t> number_of_;
  std::vector<std::vector<Entry>> rows_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_CELL_ROWS_H_
