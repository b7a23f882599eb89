#include "engine/run/field_presence.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <string_view>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/match/target_path.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/file_options.h"
#include "engine/run/gold_table.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxListed = 200;      // among which the nearest name is searched
constexpr std::size_t kMaxPathBytes = 1024;  // nobody means a field with a longer path
constexpr std::size_t kMaxLevels = 3;
constexpr std::size_t kMaxShown = 20;

char AsciiLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Returns the part of a path after its last dot.
std::string_view LastStep(std::string_view path) { return path.substr(path.rfind('.') + 1); }

// Returns the field that was probably meant: one with a similar name, or with a similar last step.
std::string_view ProbablyMeant(std::string_view name, const std::vector<std::string>& there) {
  std::vector<std::string_view> candidates(there.begin(), there.end());
  const auto in_other_case = std::ranges::find_if(there, [&](const std::string& field) {
    return std::ranges::equal(field, name, [](char a, char b) { return AsciiLower(a) == AsciiLower(b); });
  });
  if (in_other_case != there.end()) return *in_other_case;
  std::string nearest = NearestName(name, candidates);
  if (nearest.empty()) {
    std::ranges::transform(candidates, candidates.begin(), LastStep);
    nearest = NearestName(LastStep(name), candidates);
  }
  const auto meant = std::ranges::find(candidates, nearest);
  if (nearest.empty() || meant == candidates.end()) return {};
  return there[static_cast<std::size_t>(meant - candidates.begin())];
}

// JSON Lines that are not records to score: the fields that identify them, and what to do with them.
struct KnownLayout {
  std::string_view fields[2];
  std::string_view advice;
};
constexpr KnownLayout kKnownLayouts[] = {
    {{"doc_id", "doc"},
     ". This looks like samples of lm_eval; leafscore convert FILE -o records.jsonl makes records of it"},
    {{"scorer", "outcome"},
     ". This looks like scores, not records: leafscore compare and leafscore leaderboard read these"},
};

}  // namespace

std::string_view AdviceOn(const FieldPresence& presence) {
  const auto layout = std::ranges::find_if(kKnownLayouts, [&](const KnownLayout& known) {
    return std::ranges::all_of(known.fields, [&](std::string_view field) {
      return std::ranges::find(presence.there, field) != presence.there.end();
    });
  });
  return layout == std::end(kKnownLayouts) ? std::string_view() : layout->advice;
}

void AddPresence(const FieldPresence& later, FieldPresence& presence) {
  presence.records += later.records;
  presence.found.resize(std::max(presence.found.size(), later.found.size()));
  for (std::size_t f = 0; f < later.found.size(); ++f) presence.found[f] += later.found[f];
  if (presence.there.empty()) presence.there = later.there;
}

void AddPresence(const std::vector<FieldPresence>& later, std::vector<FieldPresence>& presence) {
  presence.resize(std::max(presence.size(), later.size()));
  for (std::size_t row = 0; row < later.size(); ++row) AddPresence(later[row], presence[row]);
}

std::vector<std::string> ListFields(const LeafTable& table, const ShapeTable& shapes, NodeId record) {
  struct Container {
    NodeId node;
    std::string path;
    std::size_t levels;  // levels above it
  };
  std::vector<std::string> fields;
  if (!IsContainer(table.kind(record))) return fields;
  std::deque<Container> open = {{record, "", 0}};
  const auto add = [&](NodeId node, std::string path, std::size_t levels) {
    if (fields.size() == kMaxListed || path.size() > kMaxPathBytes) return;
    fields.push_back(path);
    if (levels < kMaxLevels && IsContainer(table.kind(node))) open.push_back({node, std::move(path), levels});
  };
  for (; !open.empty(); open.pop_front()) {
    const auto [node, path, levels] = open.front();
    if (table.kind(node) == ValueKind::kArray) {
      if (table.end(node) == node + 1) continue;
      std::string element = path;
      AppendPositionStep(element, 0);
      add(node + 1, std::move(element), levels + 1);
      continue;
    }
    NodeId member = node + 1;
    for (const std::string_view key : shapes.Keys(table.shape(node))) {
      std::string name = path;
      if (node == record) {
        name = key;  // members of the record are named as they are
      } else {
        AppendKeyStep(name, key);
      }
      add(member, std::move(name), levels + 1);
      member = table.end(member);
    }
  }
  return fields;
}

std::vector<WantedField> WantedAnswerFields(const FileOptions& options, std::size_t actual_number,
                                            std::size_t calls_number) {
  std::vector<WantedField> wanted;
  // If the calls of runs have a field of their own, answers may be missing.
  if (options.calls_field.empty() || options.actual_field != FileOptions().actual_field) {
    wanted.push_back({options.actual_field, "--actual-field", actual_number});
  }
  if (!options.calls_field.empty()) wanted.push_back({options.calls_field, "--calls-field", calls_number});
  return wanted;
}

std::vector<WantedField> WantedFields(const FileOptions& options, bool needs_expected) {
  const FileOptions defaults;
  std::vector<WantedField> wanted;
  if (options.gold.empty() && options.id_field != defaults.id_field) {
    wanted.push_back({options.id_field, "--id-field", kIdField});
  }
  const bool names_expected = options.expected_field != defaults.expected_field;
  if (options.gold.empty() && (needs_expected || names_expected)) {
    wanted.push_back({options.expected_field, "--expected-field", kExpectedField});
  }
  std::ranges::copy(WantedAnswerFields(options, kActualField, kCallsField), std::back_inserter(wanted));
  if (!options.gold.empty()) wanted.push_back({JoinField(options), "--join", kJoinField});
  std::size_t number = kFirstGroupField;
  for (std::string& field : RecordGroups(options)) {
    const char* const option = field == options.source_field ? "--source-field" : "--group-by";
    wanted.push_back({std::move(field), option, number++});
  }
  return wanted;
}

std::vector<WantedField> WantedGoldFields(const FileOptions& options, bool needs_expected) {
  const bool names_expected = !options.gold_expected_field.empty();
  if (!needs_expected && !names_expected) return {};
  return {{GoldExpectedField(options), "--gold-expected-field", GoldTable::kExpectedField}};
}

std::vector<WantedField> AbsentFields(const FieldPresence& presence, std::span<const WantedField> wanted) {
  std::vector<WantedField> absent;
  if (presence.records == 0) return absent;
  std::ranges::copy_if(wanted, std::back_inserter(absent),
                       [&](const WantedField& field) { return presence.found[field.number] == 0; });
  return absent;
}

void CheckNearFields(const FieldPresence& presence, std::span<const WantedField> wanted,
                     const std::string& where) {
  std::vector<WantedField> mistyped = AbsentFields(presence, wanted);
  std::erase_if(mistyped,
                [&](const WantedField& field) { return ProbablyMeant(field.name, presence.there).empty(); });
  CheckFieldsAreThere(presence, mistyped, where);
}

void CheckFieldsAreThere(const FieldPresence& presence, std::span<const WantedField> wanted,
                         const std::string& where, std::string_view remedy) {
  std::string missing;
  for (const WantedField& field : AbsentFields(presence, wanted)) {
    const std::string_view meant = ProbablyMeant(field.name, presence.there);
    missing +=
        fmt::format("{}{} ({}{})", missing.empty() ? "" : ", ", QuoteForMessage(field.name), field.option,
                    meant.empty() ? "" : fmt::format("; did you mean {}?", QuoteForMessage(meant)));
  }
  if (missing.empty()) return;
  std::string there;
  std::size_t shown = 0;
  for (const std::string& field : presence.there) {
    if (shown++ == kMaxShown) break;
    there += (there.empty() ? "" : ", ") + QuoteForMessage(field);
  }
  throw Error(ErrorCode::kInput, fmt::format("{} has the field {}; the first one has: {}{}{}", where, missing,
                                             there.empty() ? "none" : there,
                                             presence.there.size() > kMaxShown ? ", ..." : "", remedy));
}

}  // namespace leafscore::internal
