#include "engine/lint/gold_records.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/json/compact_text.h"
#include "engine/json/json_view.h"
#include "engine/report/join_summary.h"
#include "engine/run/field_presence.h"
#include "engine/run/file_options.h"
#include "engine/run/record_scan.h"
#include "engine/threads/memory_plan.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kGoldIdPlace = 0;
constexpr std::size_t kGoldExpectedPlace = 1;
constexpr std::size_t kQuestionPlace = 2;

}  // namespace

GoldRecords::GoldRecords(const LintOptions& options, bool needs_expected) {
  const FileOptions& files = options.files;
  std::vector<std::string> names = {GoldIdField(files), GoldExpectedField(files)};
  if (options.question_field.empty()) {
    names.insert(names.end(), {"question", "input", "prompt"});
  } else {
    names.push_back(options.question_field);
  }
  const std::size_t group_place = names.size();
  for (const std::string& field : RecordGroups(files)) {
    groups_.push_back({.field = field});
    names.push_back(field);
  }
  RecordScan scan({files.gold}, ReaderOptionsOf(files), JsonOptionsOf(files), names);
  const std::uint64_t budget = MemoryBudget(files.memory_bytes);
  while (scan.Next()) {
    if (scan.begins_batch()) {
      if (files.progress != nullptr) files.progress->bytes = scan.reader().consumed_bytes();
      CheckMemory(budget);
    }
    ++records_;
    if (!scan.is_readable()) {
      AddId(fmt::format("record {}", records_), unreadable_);
      const JsonResult& parsed = scan.parsed();
      if (first_fault_.empty()) {
        first_fault_ =
            fmt::format("{}: {} (byte {})", RejectReasonName(parsed.reason), parsed.message, parsed.offset);
      }
      continue;
    }
    const std::vector<NodeId>& found = scan.nodes();
    NodeId question = kNoNode;
    for (std::size_t f = kQuestionPlace; f < group_place && question == kNoNode; ++f) question = found[f];
    if (!AddRecord(scan.table(), scan.shapes(), found[kGoldIdPlace], found[kGoldExpectedPlace], question,
                   needs_expected)) {
      continue;
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) AddToGroup(scan.field(group_place + g), groups_[g]);
  }
  if (scan.reader().stopped()) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
  std::vector<WantedField> wanted = {{names[kGoldIdPlace], "--gold-id-field", kGoldIdPlace}};
  if (needs_expected)
    wanted.push_back({names[kGoldExpectedPlace], "--gold-expected-field", kGoldExpectedPlace});
  if (!options.question_field.empty()) {
    wanted.push_back({options.question_field, "--question-field", kQuestionPlace});
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    wanted.push_back({groups_[g].field, "--group-by", group_place + g});
  }
  CheckFieldsAreThere(scan.presence(), wanted, "no record of " + files.gold);
  if (rows_.empty()) {
    throw Error(ErrorCode::kInput, fmt::format("no record of {} can be judged ({} read, {} of them rejected)",
                                               files.gold, records_, unreadable_.count));
  }
}

// The rest of the budget is for scoring.
void GoldRecords::CheckMemory(std::uint64_t budget) const {
  std::size_t held = ids_.held_bytes() + questions_.held_bytes() + values_.held_bytes() +
                     written_.capacity() + rows_.capacity() * sizeof(Row) +
                     ends_.capacity() * sizeof(std::uint64_t);
  for (const Group& group : groups_) {
    held += group.values.held_bytes() + 2 * group.rows.capacity() * sizeof(std::uint32_t);
  }
  if (held <= budget / 4 * 3) return;
  throw Error(ErrorCode::kResources,
              fmt::format("the first {} records of the gold take {} bytes, more than three quarters of the "
                          "memory for the run, {} bytes; give more with --memory, or lint a part of the gold",
                          records_, held, budget));
}

bool GoldRecords::AddRecord(const LeafTable& table, const ShapeTable& shapes, NodeId id, NodeId expected,
                            NodeId question, bool needs_expected) {
  const std::optional<std::string> name = JsonView(table, shapes, id).Text();
  if (!name) AddId(fmt::format("record {}", records_), without_id_);
  if (expected == kNoNode && needs_expected) {
    AddId(name.value_or(fmt::format("record {}", records_)), without_expected_);
    return false;
  }
  Row row{.record = records_};
  if (name) row.id = ids_.Add(*name);
  const std::optional<std::string> asked = JsonView(table, shapes, question).Text();
  if (asked && !asked->empty()) row.question = questions_.Add(*JsonView(table, shapes, question).Json());
  if (expected != kNoNode) {
    text_.clear();
    AppendSortedJson(table, shapes, expected, text_);
    row.expected = values_.Add(text_);
    paths_.AddGold(table, shapes, expected);
    written_ += JsonView(table, shapes, expected).Written();
  }
  ends_.push_back(written_.size());
  rows_.push_back(row);
  return true;
}

void GoldRecords::AddToGroup(const JsonView& value, Group& group) const {
  const std::optional<std::string> text = value.Text();
  if (!text) return;
  const std::uint32_t number = group.values.Add(*text);
  if (number == group.rows.size()) {
    group.rows.push_back(0);
    group.first_row.push_back(static_cast<std::uint32_t>(rows_.size() - 1));
  }
  ++group.rows[number];
}

std::string GoldRecords::Name(std::size_t row) const {
  const Row& r = rows_[row];
  return r.id == TextNumbers::kNone ? fmt::format("record {}", r.record) : std::string(ids_.text(r.id));
}

std::optional<std::string_view> GoldRecords::Expected(std::size_t row) const {
  if (rows_[row].expected == TextNumbers::kNone) return std::nullopt;
  const std::uint64_t begin = row == 0 ? 0 : ends_[row - 1];
  return std::string_view(written_).substr(begin, ends_[row] - begin);
}

}  // namespace leafscore::internal
