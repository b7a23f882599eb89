#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/lint/checks.h"
#include "engine/lint/findings.h"
#include "engine/lint/gold_values.h"
#include "engine/report/join_summary.h"
#include "engine/run/file_options.h"
#include "engine/text/text_sense.h"

namespace leafscore::internal {
namespace {

// Returns whether a value is an object with only an error, which services send in place of a result. A null
// error means that there was no error.
bool IsErrorObject(const JsonView& value) {
  std::size_t members = 0;
  value.ForEachMember([&](std::string_view, const JsonView&) { ++members; });
  const JsonView error = value.Member("error");
  return members == 1 && error.present() && !error.Is(ValueKind::kNull);
}

// Records whose expected value is a placeholder or an error, and the paths of such leaves.
struct Suspects {
  ListedIds ids;
  ListedIds paths;
  std::string first;  // the first of them
  std::uint32_t last_row = TextNumbers::kNone;
  std::vector<bool> is_listed;  // indexed by place
};

class PlaceholderChecks {
 public:
  PlaceholderChecks(const GoldRecords& gold, const EngineOptions& options)
      : gold_(gold), values_(gold, JsonOptionsOf(options)) {}

  void Run(LintReport& report) {
    for (std::uint32_t row = 0; row < gold_.size(); ++row) Look(row, values_.Read(row));
    ReportEmpty(report);
    AddAbout(placeholders_.ids,
             {.severity = LintSeverity::kWarning,
              .kind = LintKind::kPlaceholderGold,
              .paths = placeholders_.paths,
              .message = fmt::format("{} a placeholder where a value is expected; the first is {}.",
                                     RecordsHave(placeholders_.ids), placeholders_.first),
              .advice = "Add the value, or remove the records: a correct answer is wrong on them."},
             report);
    AddAbout(
        errors_.ids,
        {.severity = LintSeverity::kWarning,
         .kind = LintKind::kErrorGold,
         .paths = errors_.paths,
         .message = fmt::format("{} the text of a failure or refusal in place of a value; the first is {}.",
                                RecordsHave(errors_.ids), errors_.first),
         .advice = "Make this gold again: only a model that fails the same way is right on it."},
        report);
  }

 private:
  void Look(std::uint32_t row, const JsonView& root) {
    if (!root.present()) return;
    if (root.Is(ValueKind::kNull)) return AddId(gold_.Name(row), empty_);
    if (IsErrorObject(root)) return Add(row, root, root.node(), errors_);
    for (NodeId node = root.node(); node != root.table().end(root.node()); ++node) {
      if (!IsString(root.table().kind(node))) continue;
      const TextSense sense = SenseOf(*TextOf(root, node));
      const bool is_whole = node == root.node();
      if (sense == TextSense::kFailure || sense == TextSense::kRefusal) {
        Add(row, root, node, errors_);
      } else if (sense == TextSense::kPlaceholder || (is_whole && sense == TextSense::kNoValue)) {
        Add(row, root, node, placeholders_);
      } else if (is_whole && sense == TextSense::kBlank) {
        AddId(gold_.Name(row), empty_);
      }
    }
  }

  static std::optional<std::string> TextOf(const JsonView& root, NodeId node) {
    return JsonView(root.table(), root.shapes(), node).Text();
  }

  void Add(std::uint32_t row, const JsonView& root, NodeId node, Suspects& suspects) {
    if (suspects.ids.count == 0) suspects.first = QuoteForMessage(*TextOf(root, node));
    if (suspects.last_row != row) AddId(gold_.Name(row), suspects.ids);
    suspects.last_row = row;
    gold_.paths().Follow(root.table(), root.shapes(), root.node(), places_);
    const std::uint32_t place = places_[node - root.node()];
    if (place == PathTree::kNone || place == PathTree::kRoot) return;
    suspects.is_listed.resize(gold_.paths().places().size());
    if (!suspects.is_listed[place]) AddId(gold_.paths().Text(place), suspects.paths);
    suspects.is_listed[place] = true;
  }

  // Gold in which a few records expect nothing is common; if most records expect nothing, it is not a test.
  void ReportEmpty(LintReport& report) const {
    AddAbout(empty_,
             {.severity = 2 * empty_.count > gold_.size() ? LintSeverity::kWarning : LintSeverity::kNote,
              .kind = LintKind::kEmptyGold,
              .message = RecordsHave(empty_) + " null or a blank text as the expected value.",
              .advice = "Check that the right answer is really empty, and that the value was not lost."},
             report);
  }

  const GoldRecords& gold_;
  GoldValues values_;
  ListedIds empty_;
  Suspects placeholders_;
  Suspects errors_;
  std::vector<std::uint32_t> places_;
};

}  // namespace

void CheckPlaceholders(const GoldRecords& gold, const EngineOptions& options, LintReport& report) {
  PlaceholderChecks(gold, options).Run(report);
}

}  // namespace leafscore::internal
