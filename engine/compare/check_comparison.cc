#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/compare/comparison_cells.h"
#include "engine/compare/paired_mean.h"
#include "engine/report/human_numbers.h"
#include "leafscore/compare.h"

namespace leafscore {

using namespace internal;

namespace {

constexpr std::string_view kEachField = "*";

// What a gate says of a row.
struct Ruling {
  bool passed;
  std::string sentence;
};

std::string_view WordFor(FailOn what) {
  switch (what) {
    case FailOn::kRegressed:
      return "regressed";
    case FailOn::kInconclusive:
      return "inconclusive";
    case FailOn::kAnyDrop:
      break;
  }
  return "any-drop";
}

std::string Change(const ComparedMean& row) {
  return fmt::format("{:.4f} -> {:.4f} ({:+.4f})", row.base, row.now, row.difference);
}

Ruling RuleOnVerdict(const ComparedMean& row, FailOn what) {
  const bool regressed = row.verdict == ComparisonVerdict::kRegressed;
  const bool inconclusive = row.verdict == ComparisonVerdict::kInconclusive;
  switch (what) {
    case FailOn::kRegressed:
      return {!regressed,
              fmt::format("{}: {}", regressed ? "it regressed" : "it did not regress", Change(row))};
    case FailOn::kInconclusive:
      return {!regressed && !inconclusive, fmt::format("{}: {}",
                                                       regressed      ? "it regressed"
                                                       : inconclusive ? "these records cannot tell"
                                                                      : "these records can tell",
                                                       Change(row))};
    case FailOn::kAnyDrop:
      break;
  }
  return {row.now >= row.base, Change(row)};
}

// The greatest drop that the intervals do not leave out.
Ruling RuleOnDrop(const ComparedMean& row, double most, double alpha) {
  if (!row.interval) return {false, "there is no interval, as there is one record or cluster"};
  const std::uint64_t least = most > 0 ? LeastUnits(most, alpha) : 1;
  if (row.units < least && row.wins + row.losses == 0) {
    return {false,
            fmt::format("no record changed, but {} are too few to leave out a drop of {}: {} are needed",
                        row.units, most, least)};
  }
  const double drop = -std::min(row.interval->low, row.t_interval->low);
  const double shown = drop > 0 ? std::min(drop, 1.0) : 0;
  return {shown <= most, fmt::format("{}; the drop may be up to {:.4f}", Change(row), shown)};
}

Ruling RuleOnFlips(const ComparedMean& row, double most) {
  if (!row.flips) return {false, "nothing passes or fails on both sides"};
  const auto flips = static_cast<double>(row.flips->pass_to_fail);
  return {flips <= most, fmt::format("{} records that passed fail now", row.flips->pass_to_fail)};
}

// Returns for example "3 records say nothing of the answers: errors in the base 1, errors here 2". A record
// may be in error on both sides.
std::string ErrorsText(std::uint64_t errors, const ScorerComparison& scorer, std::uint64_t only_now) {
  if (errors == 0) return "every record says something of the answers";
  std::string text = fmt::format("{} say nothing of the answers: ", Counted(errors, "record", "records"));
  std::string_view separator;
  const auto add = [&](std::string_view what, std::uint64_t count) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", separator, what, WithThousands(count));
    separator = ", ";
  };
  add("errors in the base", scorer.base_errors);
  add("errors here", scorer.now_errors);
  add("nothing was compared of", scorer.nothing_compared);
  add("without a line in the base", only_now);
  return text;
}

class Checker {
 public:
  Checker(const Comparison& comparison, const ComparisonGates& gates)
      : comparison_(comparison), gates_(gates) {}

  std::vector<GateResult> Check() {
    for (const ComparisonGates::Verdict& gate : gates_.fail_on) {
      Hold(fmt::format("fail-on {}", WordFor(gate.what)), gate.scope,
           [&](const ComparedMean& row) { return RuleOnVerdict(row, gate.what); });
    }
    for (const ComparisonLimit& gate : gates_.max_drop) {
      Hold(fmt::format("max-drop {}", gate.most), gate.scope,
           [&](const ComparedMean& row) { return RuleOnDrop(row, gate.most, comparison_.alpha); });
    }
    for (const ComparisonLimit& gate : gates_.max_flips) {
      Hold(fmt::format("max-flips {}", gate.most), gate.scope,
           [&](const ComparedMean& row) { return RuleOnFlips(row, gate.most); });
    }
    if (gates_.any()) CheckErrors();
    return std::move(results_);
  }

 private:
  template <class Rule>
  void Hold(const std::string& gate, const ComparisonScope& scope, Rule rule);
  void CheckErrors();
  void Add(const std::string& gate, const FileComparison& file, const ComparedMean& row, Ruling ruling) {
    results_.push_back(
        {gate, file.file, row.scorer, row.group, row.field, ruling.passed, std::move(ruling.sentence)});
  }

  const Comparison& comparison_;
  const ComparisonGates& gates_;
  std::vector<GateResult> results_;
};

// Holds a gate against all rows of its scope. ERRORS: Error(kUsage) when there is none.
template <class Rule>
void Checker::Hold(const std::string& gate, const ComparisonScope& scope, Rule rule) {
  bool has_scorer = false;
  bool has_row = false;
  std::set<std::string_view> scorers;
  std::set<std::string_view> fields;  // of the scorers that are meant
  for (const FileComparison& file : comparison_.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      scorers.emplace(scorer.scorer);
      if (!scope.scorer.empty() && scope.scorer != scorer.scorer) continue;
      has_scorer = true;
      const auto hold = [&](const ComparedMean& row) {
        has_row = true;
        Add(gate, file, row, rule(row));
      };
      if (scope.field.empty()) {
        hold(scorer.all);
        std::ranges::for_each(scorer.groups, hold);
        continue;
      }
      for (const ComparedMean& row : scorer.fields) {
        fields.emplace(*row.field);
        if (scope.field == kEachField || scope.field == row.field) hold(row);
      }
    }
  }
  if (has_row) return;
  const auto unknown = [](std::string_view what, std::string_view name,
                          const std::set<std::string_view>& known) {
    return UnknownNameMessage(what, name, std::vector(known.begin(), known.end()));
  };
  std::string problem;
  if (!has_scorer) {
    problem = unknown("scorer", scope.scorer, scorers);
  } else if (!fields.empty()) {
    problem = unknown("field", scope.field, fields);
  } else {
    problem = (scope.scorer.empty() ? "no line" : "no line of " + QuoteForMessage(scope.scorer)) +
              " lists fields; use a scorer that judges them, and score with --details leaves";
  }
  throw Error(ErrorCode::kUsage, "--" + gate + ": " + problem);
}

// Records that say nothing of the answers on one side must not decide.
void Checker::CheckErrors() {
  for (const FileComparison& file : comparison_.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      const std::uint64_t only_now = comparison_.common_only ? 0 : file.only_now.count;
      const std::uint64_t errors = scorer.all.say_nothing + only_now;
      const ErrorLimit limit = gates_.max_errors.value_or(ErrorLimit{});
      const auto records = static_cast<double>(scorer.all.records);
      const bool passed =
          limit.share ? static_cast<double>(errors) <= *limit.share * records : errors <= limit.count;
      // Without the option, only what fails is worth a line.
      if (passed && !gates_.max_errors) continue;
      Add(limit.share ? fmt::format("max-errors {}%", *limit.share * 100)
                      : fmt::format("max-errors {}", limit.count),
          file, scorer.all, {passed, ErrorsText(errors, scorer, only_now)});
    }
  }
}

}  // namespace

std::vector<GateResult> CheckComparison(const Comparison& comparison, const ComparisonGates& gates) {
  return Checker(comparison, gates).Check();
}

}  // namespace leafscore
