#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/config/config_value.h"
#include "engine/json/json_value.h"
#include "engine/lint/batch_judge.h"
#include "engine/lint/checks.h"
#include "engine/lint/shuffled_rows.h"
#include "engine/render/cells.h"
#include "engine/report/join_summary.h"
#include "engine/run/file_options.h"

namespace leafscore::internal {
namespace {

// The approximate limit of record pairs to which a tolerance is applied. Each record is paired with the next
// ones in the shuffled order.
constexpr std::size_t kMaxPairs = 100'000;
constexpr std::size_t kMaxNeighbours = 16;
constexpr std::size_t kMaxNumberPaths = 50;  // to which number_tolerance is applied

// A tolerance is a note, or a warning, if it accepts at least this share of the unequal pairs as equal.
constexpr double kNotedShare = 0.01;
constexpr double kWarnedShare = 0.1;

ConfigValue Scalar(std::string text) {
  ConfigValue value;
  value.kind = ConfigValue::Kind::kScalar;
  value.scalar = std::move(text);
  return value;
}

void Set(std::string_view key, ConfigValue value, ConfigValue& map) {
  std::erase_if(map.members, [&](const ConfigMember& member) { return member.key == key; });
  map.members.push_back({std::string(key), 0, std::move(value)});
}

// Returns a plan of two scorers: one that accepts values within a tolerance, and one that accepts only equal
// values.
Plan MakePlan(std::string_view type, ConfigValue tolerant, ConfigValue exact) {
  std::vector<ScorerSpec> specs = {{"tolerant", std::string(type), std::move(tolerant), 0},
                                   {"exact", std::string(type), std::move(exact), 0}};
  return Plan(std::make_shared<const ScorerSet>(std::move(specs), "lint"));
}

// How many pairs of values are unequal, and how many of these are accepted as equal.
struct PairCounts {
  std::uint64_t different = 0;
  std::uint64_t taken = 0;

  double Share() const {
    return different == 0 ? 0 : static_cast<double>(taken) / static_cast<double>(different);
  }
};

// Scores each value against the next ones. REQUIRES: the judge has the scorers of MakePlan.
PairCounts CountPairs(BatchJudge& judge, const std::vector<std::string_view>& values) {
  PairCounts counts;
  if (values.size() < 2) return counts;
  std::vector<bool> is_taken(values.size() * kMaxNeighbours);
  judge.SetTake([&](const Judgement& judgement) {
    if (judgement.scorer == 0) {
      is_taken[judgement.row] = judgement.score >= 1;
    } else if (judgement.scored && judgement.score < 1) {
      ++counts.different;
      counts.taken += is_taken[judgement.row];
    }
  });
  const std::size_t neighbours =
      std::min({values.size() - 1, kMaxNeighbours, std::max<std::size_t>(kMaxPairs / values.size(), 1)});
  std::uint32_t pair = 0;
  for (std::size_t next = 1; next <= neighbours; ++next) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      judge.Add(pair++, values[i], values[(i + next) % values.size()]);
    }
  }
  judge.Flush();
  return counts;
}

void AddWide(const std::string& scorer, const ListedIds& paths, const PairCounts& counts,
             const std::string& option, LintReport& report) {
  if (counts.Share() < kNotedShare) return;
  LintFinding finding;
  finding.severity = counts.Share() >= kWarnedShare ? LintSeverity::kWarning : LintSeverity::kNote;
  finding.kind = LintKind::kWideTolerance;
  finding.scorer = scorer;
  finding.paths = paths;
  finding.numbers = {{"share_of_pairs", counts.Share()}, {"pairs", static_cast<double>(counts.different)}};
  finding.message =
      fmt::format("{} accepts the value of another record in {:.1f}% of {} pairs of different values.",
                  option, 100 * counts.Share(), WithThousands(counts.different));
  finding.advice = "Choose one that is smaller than the distance between the values of different records.";
  report.findings.push_back(std::move(finding));
}

void AddZero(const std::string& scorer, const std::string& option, LintReport& report) {
  LintFinding finding;
  finding.severity = LintSeverity::kWarning;
  finding.kind = LintKind::kZeroThreshold;
  finding.scorer = scorer;
  finding.message = fmt::format("{} is 0, which every answer reaches.", option);
  finding.advice = "Set it to the lowest score that is good enough.";
  report.findings.push_back(std::move(finding));
}

bool IsZero(const ConfigMember* option) { return option != nullptr && AsNumber(option->value) == 0.0; }

std::string TextOf(const ConfigValue& map, std::string_view key) {
  const ConfigMember* const member = map.Find(key);
  return member == nullptr ? std::string() : member->value.scalar;
}

// Returns the options of a scorer, reduced to one of its fields, so that it scores 1 for a hit and 0
// otherwise.
ConfigValue OfField(ConfigValue options, ConfigValue field, std::string_view option, std::string value) {
  Set(option, Scalar(std::move(value)), field);
  Set("weight", Scalar("1"), field);
  ConfigValue fields;
  fields.kind = ConfigValue::Kind::kList;
  fields.items.push_back(std::move(field));
  Set("fields", std::move(fields), options);
  Set("aggregation", Scalar("all_or_nothing"), options);
  return options;
}

class ThresholdChecks {
 public:
  ThresholdChecks(const GoldRecords& gold, const EngineOptions& options, LintReport& report)
      : gold_(gold), options_(options), report_(report), rows_(ShuffledRows(gold)) {
    rows_.resize(std::min(rows_.size(), kMaxPairs));
  }

  void Check(const ScorerSpec& spec, const NamedScorer& scorer) {
    for (const std::string_view name : {"threshold", "similar_threshold"}) {
      if (IsZero(scorer.options.Find(name))) AddZero(spec.name, std::string(name), report_);
    }
    if (spec.type == "field_accuracy") CheckFields(spec);
    if (spec.type == "json_similarity") CheckNumbers(spec);
  }

 private:
  void CheckFields(const ScorerSpec& spec) {
    const ConfigMember* const fields = spec.options.Find("fields");
    if (fields == nullptr) return;
    for (const ConfigValue& field : fields->value.items) {
      const std::string match = TextOf(field, "match");
      const std::string path = TextOf(field, "path");
      ListedIds paths;
      AddId(path, paths);
      if (match == "fuzzy") {
        if (IsZero(field.Find("threshold"))) {
          AddZero(spec.name, fmt::format("The threshold of {}", DisplayName(path)), report_);
        }
        const std::string threshold = TextOf(field, "threshold");
        AddWide(spec.name, paths,
                CountFieldPairs(spec, field, "threshold", threshold.empty() ? "0.85" : threshold, "1"),
                fmt::format("The threshold of {}", DisplayName(path)), report_);
      } else if (const ConfigMember* const tolerance = field.Find("tolerance"); tolerance != nullptr) {
        AddWide(spec.name, paths, CountFieldPairs(spec, field, "tolerance", tolerance->value.scalar, "0"),
                fmt::format("The tolerance of {}", DisplayName(path)), report_);
      }
    }
  }

  PairCounts CountFieldPairs(const ScorerSpec& spec, const ConfigValue& field, std::string_view option,
                             std::string value, std::string exact) {
    std::vector<std::string_view> values;
    for (const std::uint32_t row : rows_) values.push_back(*gold_.Expected(row));
    BatchJudge judge(MakePlan(spec.type, OfField(spec.options, field, option, std::move(value)),
                              OfField(spec.options, field, option, std::move(exact))),
                     options_, /*pass_score=*/1);
    return CountPairs(judge, values);
  }

  // Applies the tolerance to the numbers at each path that always has one, outside of arrays.
  void CheckNumbers(const ScorerSpec& spec) {
    const ConfigMember* const tolerance = spec.options.Find("number_tolerance");
    if (tolerance == nullptr || IsZero(tolerance)) return;
    ConfigValue options;
    options.kind = ConfigValue::Kind::kMap;
    Set("number_tolerance", tolerance->value, options);
    ConfigValue exact;
    exact.kind = ConfigValue::Kind::kMap;
    BatchJudge judge(MakePlan(spec.type, std::move(options), std::move(exact)), options_, /*pass_score=*/1);
    PairCounts all;
    ListedIds paths;
    for (const auto& [place, numbers] : Numbers()) {
      const std::vector<std::string_view> values(numbers.begin(), numbers.end());
      const PairCounts counts = CountPairs(judge, values);
      all.different += counts.different;
      all.taken += counts.taken;
      if (counts.Share() >= kNotedShare) AddId(gold_.paths().Text(place), paths);
    }
    AddWide(spec.name, paths, all, "The number_tolerance", report_);
  }

  // Returns the numbers at each place, as written.
  std::vector<std::pair<std::uint32_t, std::vector<std::string>>> Numbers() {
    std::vector<std::pair<std::uint32_t, std::vector<std::string>>> numbers;
    std::vector<std::uint32_t> index(gold_.paths().places().size(), PathTree::kNone);
    for (std::uint32_t place = 0; place < index.size() && numbers.size() < kMaxNumberPaths; ++place) {
      const PathTree::Place& p = gold_.paths().places()[place];
      if (p.numbers == 0 || p.numbers != p.leaves || p.leaves != p.records) continue;
      index[place] = static_cast<std::uint32_t>(numbers.size());
      numbers.emplace_back(place, std::vector<std::string>());
    }
    JsonValue value(JsonOptionsOf(options_));
    std::vector<std::uint32_t> places;
    for (const std::uint32_t row : rows_) {
      const JsonView read = value.Read(*gold_.Expected(row));
      if (!read.present()) continue;
      gold_.paths().Follow(value.table(), value.shapes(), 0, places);
      for (NodeId node = 0; node < places.size(); ++node) {
        const std::uint32_t place = places[node];
        if (place == PathTree::kNone || index[place] == PathTree::kNone) continue;
        numbers[index[place]].second.emplace_back(value.table().token(node));
      }
    }
    return numbers;
  }

  const GoldRecords& gold_;
  const EngineOptions& options_;
  LintReport& report_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace

void CheckThresholds(const GoldRecords& gold, const EngineOptions& options, const ScorerSet& scorers,
                     LintReport& report) {
  ThresholdChecks checks(gold, options, report);
  for (std::size_t s = 0; s < scorers.scorers().size(); ++s) {
    checks.Check(scorers.specs()[s], scorers.scorers()[s]);
  }
}

}  // namespace leafscore::internal
