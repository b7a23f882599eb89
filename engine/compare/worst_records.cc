#include "engine/compare/worst_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/compare/compared_scores.h"
#include "engine/io/record_reader.h"
#include "engine/json/json_reader.h"
#include "engine/match/field_finder.h"
#include "engine/match/record_text.h"
#include "engine/report/score_ledger.h"
#include "engine/scores/line_details.h"
#include "engine/scores/line_use.h"
#include "engine/scores/score_line.h"
#include "engine/scores/score_reader.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxFields = 20;
constexpr std::size_t kMaxAnswerBytes = 2000;

// Identifies a record under a scorer: the scorer, the group as in ChangedRecord, and the id.
using RecordKey = std::tuple<std::string, std::optional<std::string>, std::string>;

// The lines that count for a record: how many there are, whether they come from a record that could not be
// read but shows its id, and the rows in the details of the last line. Several lines count only with
// Repeats::kAll.
struct CountedLine {
  std::size_t lines = 0;
  bool from_broken = false;
  std::vector<ListedRow> rows = {};
};
using ListedRecords = std::map<RecordKey, CountedLine>;

// A line of scores, and its record if the record is listed.
struct ListedLine {
  ScoreLine score;
  CountedLine* record = nullptr;
  std::vector<ListedRow> rows;
};

struct Answer {
  std::string expected;
  std::string actual;
};
using AnswersById = std::map<std::string, Answer>;

// Reads the rows in the details of these records on one side into `records`. `side` is the name of the side
// (SideSource).
void ReadRows(const std::string& side, const ComparisonOptions& options, ListedRecords& records) {
  const auto parse = [&](JsonView view, ListedLine& line) {
    line.record = nullptr;
    if (!line.score.is_asked) return;
    if (!options.between.empty() && RecordField(view, options.between).Text() != side) return;
    std::optional<std::string> group;
    if (!options.by.empty()) {
      const JsonView value = RecordField(view, options.by);
      group = value.present() ? value.Text().value_or("null") : std::string(kNoGroup);
    }
    const auto found = records.find({line.score.scorer, std::move(group), line.score.id});
    if (found == records.end()) return;
    line.record = &found->second;
    line.rows = RowsOf(view.Member("details"));
  };
  const auto take = [&](ListedLine& line, std::uint64_t) {
    if (line.record == nullptr) return;
    CountedLine& counted = *line.record;
    const bool is_broken = line.score.from_broken();
    const LineUse use = UseOfLine(options.repeats, counted.lines, counted.from_broken, is_broken);
    if (use == LineUse::kNot) return;
    counted = {use == LineUse::kAlone ? 1 : counted.lines + 1, is_broken, std::move(line.rows)};
  };
  ScoreReader<ListedLine> reader;
  const std::string& file = options.between.empty() ? side : options.base;
  reader.Read(file, {options.unverified, options.max_ratio, options.stop}, parse, take);
}

std::string Clipped(std::string text) {
  if (text.size() <= kMaxAnswerBytes) return text;
  return std::string(ClipText(text, kMaxAnswerBytes)) + "…";
}

// Fills the answers for these ids from a file of records.
void ReadAnswers(const std::string& file, const ComparisonOptions& options, AnswersById& answers) {
  ShapeTable shapes;
  LeafTable table;
  JsonReader reader(&shapes);
  FieldFinder finder({"id", "expected", "actual"}, &shapes);
  ReaderOptions how;
  how.max_ratio = options.max_ratio;
  how.stop = options.stop;
  RecordReader records({file}, how);
  RecordBatch batch;
  while (records.Next(batch)) {
    shapes.Clear();
    finder.Reset();
    RecordText text(batch, 0, reader, table);
    for (std::size_t r = 0; r < batch.records.size(); ++r) {
      const JsonResult parsed = text.Read(r);
      if (parsed.root == kNoNode) continue;
      const std::vector<NodeId> fields = finder.Find(table, parsed.root);
      const auto view = [&](std::size_t f) { return JsonView(table, shapes, fields[f]); };
      const auto found = answers.find(view(0).Text().value_or(""));
      if (found == answers.end()) continue;
      found->second = {Clipped(view(1).Json().value_or("")), Clipped(view(2).Json().value_or(""))};
    }
  }
  if (records.stopped()) throw Error(ErrorCode::kInterrupted, "reading " + file + " was stopped");
}

// Returns the fields whose matches differ between two lines, the greatest drop first.
std::vector<ChangedField> ChangedFields(const std::vector<ListedRow>& base,
                                        const std::vector<ListedRow>& now) {
  std::map<std::string_view, ChangedField> by_path;
  const auto add = [&](const std::vector<ListedRow>& rows, auto set) {
    for (const ListedRow& row : rows) {
      ChangedField& field = by_path[row.place.path];
      field.path = row.place.path;
      if (row.expected) field.expected = row.expected;
      set(field, row);
    }
  };
  add(base, [](ChangedField& field, const ListedRow& row) {
    field.base = row.actual;
    field.base_match = row.place.match;
  });
  add(now, [](ChangedField& field, const ListedRow& row) {
    field.now = row.actual;
    field.now_match = row.place.match;
  });
  std::vector<ChangedField> changed;
  for (auto& [path, field] : by_path) {
    if (field.base_match != field.now_match) changed.push_back(std::move(field));
  }
  std::ranges::stable_sort(changed, {}, [](const ChangedField& field) {
    return field.now_match.value_or(0) - field.base_match.value_or(0);
  });
  if (changed.size() > kMaxFields) changed.resize(kMaxFields);
  return changed;
}

template <class Visit>
void ForEachWorst(FileComparison& file, Visit visit) {
  for (ScorerComparison& scorer : file.scorers) {
    for (ChangedRecord& record : scorer.worst)
      visit(RecordKey{scorer.scorer, record.group, record.id}, record);
  }
}

void AddFields(const ComparisonOptions& options, Comparison& comparison) {
  ListedRecords base;
  for (FileComparison& file : comparison.files) {
    ForEachWorst(file, [&](const RecordKey& key, ChangedRecord&) { base[key]; });
  }
  if (base.empty()) return;
  ReadRows(comparison.base, options, base);
  for (FileComparison& file : comparison.files) {
    ListedRecords now;
    ForEachWorst(file, [&](const RecordKey& key, ChangedRecord&) { now[key]; });
    if (now.empty()) continue;
    ReadRows(file.file, options, now);
    ForEachWorst(file, [&](const RecordKey& key, ChangedRecord& record) {
      record.fields = ChangedFields(base.at(key).rows, now.at(key).rows);
    });
  }
}

void AddAnswers(const ComparisonOptions& options, Comparison& comparison) {
  if (options.records.empty()) return;
  AnswersById base;
  for (FileComparison& file : comparison.files) {
    ForEachWorst(file, [&](const RecordKey& key, ChangedRecord&) { base[std::get<2>(key)]; });
  }
  ReadAnswers(options.records.front(), options, base);
  const auto set = [](const std::string& text, std::optional<std::string>& value) {
    if (!text.empty()) value = text;
  };
  for (std::size_t f = 0; f < comparison.files.size(); ++f) {
    AnswersById now;
    ForEachWorst(comparison.files[f], [&](const RecordKey& key, ChangedRecord&) { now[std::get<2>(key)]; });
    ReadAnswers(options.records[f + 1], options, now);
    ForEachWorst(comparison.files[f], [&](const RecordKey& key, ChangedRecord& record) {
      const Answer& of_base = base.at(std::get<2>(key));
      const Answer& of_now = now.at(std::get<2>(key));
      set(of_base.expected.empty() ? of_now.expected : of_base.expected, record.expected);
      set(of_base.actual, record.base_answer);
      set(of_now.actual, record.now_answer);
    });
  }
}

}  // namespace

void DescribeWorst(const ComparisonOptions& options, bool lists_fields, Comparison& comparison) {
  if (lists_fields) AddFields(options, comparison);
  AddAnswers(options, comparison);
}

}  // namespace leafscore::internal
