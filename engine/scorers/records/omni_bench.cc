// records by the rules of omni-extract-bench. Values have addresses and are compared in a form without
// cosmetics. Rows are paired so that as many values as possible match, then so that as many addresses as
// possible are shared. Rows without a matching value are not paired.
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/match/value_ids.h"
#include "engine/scorers/records/cell_batch.h"
#include "engine/scorers/records/omni_judge.h"
#include "engine/scorers/records/omni_values.h"
#include "engine/scorers/records/revisions.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kOmniMetricNames[] = {
    "precision",     "recall",      "f1",          "accuracy",   "matched",       "expected_cells",
    "actual_cells",  "wrong",       "missing",     "fabricated", "invented_item", "invented_field",
    "expected_rows", "actual_rows", "matched_rows"};
constexpr TextMetric kOmniTextMetrics[] = {{"pairing", /*is_list=*/false}};
constexpr std::string_view kOmniRemarks[] = {"near"};

struct OmniSettings {
  PairSelectorOptions selection;
  OmniRules rules;
  double threshold;
};

class OmniBatch final : public CellBatch {
 public:
  OmniBatch(const OmniSettings* settings, WorkerTools tools)
      : CellBatch(&settings->selection, tools, kOmniMetricNames),
        settings_(settings),
        reader_(&settings->rules, tools, &ids_) {
    judge_.fields = &tally_;
    judge_.cells = listed_cells_;
  }

  std::span<const TextMetric> text_metrics() const override { return kOmniTextMetrics; }
  void AppendTexts(std::uint32_t record, std::size_t /*metric*/,
                   std::vector<std::string>& texts) const override {
    texts.emplace_back(exact_[record] ? "exact" : "near");
  }
  void AppendNamedPaths(std::vector<NamedPaths>& rows) const override;
  std::span<const std::string_view> remark_names() const override { return kOmniRemarks; }
  std::uint8_t RemarksOn(std::uint32_t record) const override { return exact_[record] ? 0 : 1; }

 private:
  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void MissRecord(std::uint32_t record, StringPairs& pairs) override;
  void ReadExpected(ValueRef value);
  void SortCells(std::size_t first);
  std::string_view FieldPath(std::uint32_t field) const override { return reader_.fields().PathOf(field); }
  void Keep(std::uint32_t record, std::uint64_t expected_rows, std::uint64_t actual_rows);

  const OmniSettings* settings_;
  ValueIds ids_;
  OmniReader reader_;
  OmniJudge judge_;
  OmniValues expected_;
  OmniValues actual_;
  std::vector<bool> exact_;  // by record
};

void OmniBatch::BeginBatch(std::uint32_t records) {
  constexpr std::size_t kKeptBytes = std::size_t{16} << 20;
  const bool forgets = ids_.memory_bytes() > kKeptBytes;
  if (forgets) ids_.Clear();
  reader_.BeginBatch(forgets);
  BeginCells(records);
  exact_.assign(records, true);
}

void OmniBatch::ReadExpected(ValueRef value) {
  reader_.Read(value, /*is_answer=*/false, expected_);
  for (const OmniValues::Leaf& leaf : expected_.leaves) ++tally_[leaf.field].expected;
}

// Sorts the cells of a part, which were listed from index `first` on, by their position in the value. The
// order of addresses depends on earlier records.
void OmniBatch::SortCells(std::size_t first) {
  if (listed_cells_ == nullptr) return;
  std::ranges::sort(std::span(*listed_cells_).subspan(first), {}, [](const JudgedCell& cell) {
    return std::pair(!cell.expected.present(),
                     cell.expected.present() ? cell.expected.node : cell.actual.node);
  });
}

// Without an answer, everything expected is missing.
void OmniBatch::MissRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  for (const SelectedPart& part : selector_.parts()) {
    if (part.expected.present()) ReadExpected(part.expected);
  }
  KeepFields(record);
}

void OmniBatch::MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  const std::size_t first_cell = cell_count();
  judge_.BeginRecord();
  std::uint64_t values = 0;
  std::uint64_t expected_rows = 0;
  std::uint64_t actual_rows = 0;
  for (const SelectedPart& part : selector_.parts()) {
    ReadExpected(part.expected);
    reader_.Read(part.actual, /*is_answer=*/true, actual_);
    for (const OmniValues::Leaf& leaf : actual_.leaves) ++tally_[leaf.field].actual;
    AddSides(record, {part.expected, part.actual, part.path});
    const std::size_t first_of_part = cell_count();
    judge_.Judge(expected_, actual_);
    SortCells(first_of_part);
    values += expected_.root().values + std::uint64_t{actual_.root().values};
    expected_rows += expected_.root().object_rows;
    actual_rows += actual_.root().object_rows;
  }
  KeepFields(record);
  KeepCells(record, first_cell);
  Keep(record, expected_rows, actual_rows);
  if (values == 0) CompareNothing(record);
}

void OmniBatch::Keep(std::uint32_t record, std::uint64_t expected_rows, std::uint64_t actual_rows) {
  const OmniTally& tally = judge_.tally();
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  const auto share = [](double some, double all) { return all == 0 ? 0 : some / all; };
  const double matched = number(tally.matched);
  const double shared = matched + number(tally.wrong);
  const double extra = number(tally.fabricated + tally.invented_item + tally.invented_field);
  const double expected = shared + number(tally.missing);
  const double actual = shared + extra;
  const double f1 = share(2 * matched, expected + actual);
  const double metrics[] = {share(matched, actual),
                            share(matched, expected),
                            f1,
                            share(matched, expected + extra),
                            matched,
                            expected,
                            actual,
                            number(tally.wrong),
                            number(tally.missing),
                            number(tally.fabricated),
                            number(tally.invented_item),
                            number(tally.invented_field),
                            number(expected_rows),
                            number(actual_rows),
                            number(tally.matched_rows)};
  for (std::size_t m = 0; m < std::size(metrics); ++m) metric(m, record) = metrics[m];
  columns_.score[record] = f1;
  columns_.passed[record] = f1 >= settings_->threshold;
  exact_[record] = tally.exact;
}

void OmniBatch::AppendNamedPaths(std::vector<NamedPaths>& rows) const {
  SelectingBatch::AppendNamedPaths(rows);
  NamedPaths& row = rows.emplace_back(selector_.LookedAt());
  for (const PathRules::Pattern& pattern : settings_->rules.paths.patterns()) {
    row.found.push_back(reader_.led_somewhere()[row.paths.size()]);
    row.paths.push_back({pattern.text, pattern.option});
  }
}

// Reads the arrays whose order counts.
PathRules ReadOrderedArrays(const OptionReader& options) {
  PathRules paths;
  const std::optional<ConfigValue> arrays =
      options.GetMap("arrays", "give a map from path patterns, such as {tags: ordered}");
  if (!arrays) return paths;
  for (const ConfigMember& member : arrays->members) {
    if (member.value.scalar == "any_order") continue;
    if (member.value.scalar != "ordered") {
      throw options.MakeError("arrays", "this revision pairs elements in any_order, or as they are ordered");
    }
    paths.AddMark(options, "arrays", member.key, 0);
  }
  return paths;
}

}  // namespace

std::unique_ptr<Scorer> MakeOmniBench(const OptionReader& options) {
  return std::make_unique<ConfiguredScorer<OmniBatch, OmniSettings>>(
      OmniSettings{PairSelectorOptions::OfStructure(options),
                   OmniRules{ReadOrderedArrays(options), OmniSchema(options)}, ReadThreshold(options)});
}

}  // namespace leafscore::internal
