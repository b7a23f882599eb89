#include "engine/run/stream_scorer.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "engine/arrow/exported.h"
#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/base/text_map.h"
#include "engine/base/utf8.h"
#include "engine/judge/judge_service.h"
#include "engine/run/path_presence.h"
#include "engine/run/scorer_set.h"

namespace leafscore::internal {
namespace {

constexpr char kSource[] = "input";  // the name of the only source, in a stream with gold

ArrowField TextField(std::string name, bool nullable) {
  return {std::move(name), ArrowType::kText, nullable};
}

ArrowField TextListField(std::string name) {
  return {std::move(name), ArrowType::kList, true, {TextField("item", false)}};
}

ArrowField LeavesField() {
  return {"leaves",
          ArrowType::kList,
          true,
          {{"item",
            ArrowType::kStruct,
            false,
            {TextField("path", false),
             TextField("expected", true),
             TextField("actual", true),
             {"similarity", ArrowType::kNumber, false}}}}};
}

// Returns the type of a scorer's results; AppendColumns fills its members in this order.
ArrowField ResultField(const ColumnResults& results, bool with_leaves) {
  ArrowField field{results.scores.scorer, ArrowType::kStruct, false};
  field.children = {TextField("outcome", false), {"score", ArrowType::kNumber}, {"passed", ArrowType::kBool}};
  for (const Metric& metric : results.scores.metrics) {
    field.children.push_back({std::string(metric.name), ArrowType::kNumber});
  }
  for (const TextMetric& metric : results.text_metrics) {
    std::string name(metric.name);
    field.children.push_back(metric.is_list ? TextListField(std::move(name))
                                            : TextField(std::move(name), true));
  }
  field.children.push_back(TextField("reason", true));
  field.children.push_back(TextField("message", true));
  field.children.push_back(TextListField("causes"));
  if (with_leaves) {
    field.children.push_back(LeavesField());
    field.children.push_back({"leaves_cut", ArrowType::kBool});
  }
  return field;
}

void AppendNumber(double number, ColumnBuilder& column) {
  if (std::isnan(number)) {
    column.AppendNull();
  } else {
    column.AppendNumber(number);
  }
}

void AppendTextOrNull(std::string_view text, ColumnBuilder& column) {
  if (text.empty()) {
    column.AppendNull();
  } else {
    column.AppendText(text);
  }
}

void AppendTexts(const std::vector<std::string>& texts, ColumnBuilder& column) {
  for (const std::string& text : texts) column.child(0).AppendText(text);
  column.AppendList();
}

void AppendCauses(AnswerCauses causes, ColumnBuilder& column) {
  if (causes.empty()) return column.AppendNull();
  causes.ForEach([&](AnswerCause cause) { column.child(0).AppendText(AnswerCauseName(cause)); });
  column.AppendList();
}

void AppendLeaves(const LeafList& leaves, ColumnBuilder& column) {
  ColumnBuilder& element = column.child(0);
  for (const JudgedLeaf& leaf : leaves.leaves()) {
    element.child(0).AppendText(leaf.path);
    AppendTextOrNull(leaf.expected_json, element.child(1));
    AppendTextOrNull(leaf.actual_json, element.child(2));
    element.child(3).AppendNumber(leaf.similarity);
    element.AppendStruct();
  }
  column.AppendList();
}

// Appends all rows of a scorer's results.
void AppendColumns(const ColumnResults& results, const ArrowField& field, ColumnBuilder& column) {
  const ScoreColumns& scores = results.scores;
  column.Reserve(scores.outcome.size());
  auto error = scores.errors.begin();
  for (std::size_t row = 0; row < scores.outcome.size(); ++row) {
    const bool scored = scores.outcome[row] == Outcome::kScored;
    std::size_t member = 0;
    const auto next = [&]() -> ColumnBuilder& { return column.child(member++); };
    next().AppendText(OutcomeName(scores.outcome[row]));
    AppendNumber(scores.score[row], next());
    if (ColumnBuilder& passed = next(); scores.passed[row] < 0) {
      passed.AppendNull();
    } else {
      passed.AppendBool(scores.passed[row] == 1);
    }
    for (const Metric& metric : scores.metrics) AppendNumber(metric.values[row], next());
    for (const auto& texts_of_rows : results.texts) {
      const bool is_list = field.children[member].type == ArrowType::kList;
      ColumnBuilder& texts = next();
      const std::vector<std::string>& values = texts_of_rows[row];
      if (!scored || (!is_list && values.empty())) {
        texts.AppendNull();
      } else if (is_list) {
        AppendTexts(values, texts);
      } else {
        texts.AppendText(values.front());
      }
    }
    ColumnBuilder& reason = next();
    ColumnBuilder& message = next();
    if (scored) {
      reason.AppendNull();
      message.AppendNull();
    } else {
      reason.AppendText(RejectReasonName(error->reason));
      message.AppendText(ReplaceInvalidUtf8(error->message));
      ++error;
    }
    AppendCauses(results.causes[row], next());
    if (!results.leaves.empty()) {
      ColumnBuilder& leaves = next();
      ColumnBuilder& leaves_cut = next();
      if (scored) {
        AppendLeaves(results.leaves[row], leaves);
        leaves_cut.AppendBool(results.leaves[row].cut());
      } else {
        leaves.AppendNull();
        leaves_cut.AppendNull();
      }
    }
    column.AppendStruct();
  }
}

std::optional<std::string_view> TextOf(const TextArray& texts, std::size_t row) {
  return texts.is_null(row) ? std::nullopt : std::optional(texts.text(row));
}

std::unique_ptr<const TextSource> SourceOf(TextArray texts) {
  if (const std::optional<ContiguousTexts> parts = texts.Contiguous()) {
    const bool narrow = !parts->offsets32.empty();
    return std::make_unique<ContiguousSource>(
        narrow ? TextColumn(parts->bytes, parts->offsets32, parts->validity, parts->validity_offset)
               : TextColumn(parts->bytes, parts->offsets64, parts->validity, parts->validity_offset));
  }
  const std::size_t size = texts.size();
  auto text_of = [texts = std::move(texts)](std::size_t row) { return TextOf(texts, row); };
  return std::make_unique<ScatteredSource<decltype(text_of)>>(size, std::move(text_of));
}

// ERRORS: Error(kUsage) if two of these result columns have the same name.
void CheckResultNames(std::span<const std::string> kept, std::span<const std::string> scorers) {
  TextSet<std::string_view> names;
  for (const std::span<const std::string> list : {kept, scorers}) {
    for (const std::string& name : list) {
      if (names.insert(name).second) continue;
      throw Error(ErrorCode::kUsage, fmt::format("two columns of the results would be named {}; keep each "
                                                 "column once, and none with the name of a scorer",
                                                 QuoteForMessage(name)));
    }
  }
}

}  // namespace

StreamScorer::StreamScorer(std::shared_ptr<ColumnScorer> scorer, ArrowArrayStream* input,
                           const StreamOptions& options)
    : scorer_(std::move(scorer)),
      options_(options),
      input_(input),
      summary_(scorer_->plan().scorer_names(), options.group_by, options.max_groups) {
  {
    WorkerPool::Lease worker = scorer_->TakeWorker();
    layout_ = LayoutOf(worker->scorer);
    DescribeScorers(worker->scorer, summary_);
  }
  CheckLimit(kMaxGroups, options.max_groups);
  const ColumnNames columns(input_.schema());
  actual_ = FindTexts(columns, options.actual);
  if (!options.calls.empty())
    more_.push_back({options.calls, FindTexts(columns, options.calls), /*are_calls=*/true});
  for (const std::string& name : scorer_->plan().record_fields())
    if (columns.Has(name)) more_.push_back({name, FindTexts(columns, name), /*are_calls=*/false});
  for (const std::string& name : options.keep) keep_.push_back(columns.Find(name));
  CheckResultNames(options.keep, summary_.scorer_names());
  for (const std::string& name : options.group_by) groups_.push_back(FindTexts(columns, name));
  if (options.gold == nullptr) {
    expected_ = FindTexts(columns, options.expected);
  } else {
    id_ = FindTexts(columns, options.id);
    ReadGold(options.gold);
  }
  const bool with_leaves = scorer_->options().details == DetailLevel::kLeaves;
  for (const ColumnResults& results : scorer_->EmptyResults(0, /*with_texts=*/true)) {
    result_fields_.push_back(ResultField(results, with_leaves));
    builders_.emplace_back(result_fields_.back());
  }
}

StreamScorer::TextField StreamScorer::FindTexts(const ColumnNames& columns, std::string_view name) {
  const std::size_t column = columns.Find(name);
  return {column, ReadTextType(columns.type(column))};
}

TextArray StreamScorer::Texts(const TextField& field, const ArrowArray& batch) {
  return {field.type, *batch.children[field.column], batch.offset, batch.length};
}

void StreamScorer::ReadGold(ArrowArrayStream* gold) {
  StreamReader reader(gold);
  const ColumnNames columns(reader.schema());
  const TextField id_field = FindTexts(columns, options_.id);
  const TextField expected_field = FindTexts(columns, options_.expected);
  gold_.emplace();
  while (const OwnedArray batch = reader.Next()) {
    CheckRecordBatch(reader.schema(), *batch);
    const TextArray ids = Texts(id_field, *batch);
    const TextArray expected = Texts(expected_field, *batch);
    for (std::size_t row = 0; row < ids.size(); ++row) {
      gold_->Add(TextOf(ids, row), TextOf(expected, row).value_or(""));
    }
  }
  join_.emplace(*gold_, std::vector<std::string>{kSource}, layout_, groups_.size(), Repeats::kLast);
}

OwnedSchema StreamScorer::Schema() const {
  std::vector<OwnedSchema> columns;
  for (const std::size_t column : keep_) columns.push_back(CopySchema(*input_.schema().children[column]));
  for (const ArrowField& field : result_fields_) columns.push_back(ExportField(field));
  return ExportRecordSchema(std::move(columns));
}

OwnedArray StreamScorer::Next() {
  OwnedArray next = input_.Next();
  if (!next) {
    ReleaseInput();
    return next;
  }
  CheckRecordBatch(input_.schema(), *next);
  const ScoredRows rows = ScoreRows(*next);
  std::vector<OwnedArray> columns;
  for (const std::size_t column : keep_) columns.push_back(TakeColumn(next, column));
  for (std::size_t s = 0; s < rows.run.results.size(); ++s) {
    AppendColumns(rows.run.results[s], result_fields_[s], builders_[s]);
    columns.push_back(builders_[s].Finish());
  }
  OwnedArray results = ExportRecordBatch(next->length, std::move(columns));
  Count(rows);
  return results;
}

StreamScorer::ScoredRows StreamScorer::ScoreRows(const ArrowArray& batch) {
  ScoredRows rows;
  rows.groups = Groups(batch);
  const std::unique_ptr<const TextSource> actual = SourceOf(Texts(actual_, batch));
  std::vector<std::unique_ptr<const TextSource>> sources;
  std::vector<FieldSource> fields;
  for (const auto& [name, field, are_calls] : more_) {
    sources.push_back(SourceOf(Texts(field, batch)));
    fields.push_back({name, sources.back().get(), are_calls});
  }
  const auto score = [&](const TextSource& expected, std::span<const char* const> without_gold) {
    rows.run = scorer_->Score(expected, *actual, options_.formats, /*with_texts=*/true, without_gold, fields);
  };
  if (!gold_) {
    score(*SourceOf(Texts(*expected_, batch)), {});
    return rows;
  }
  const TextArray ids = Texts(*id_, batch);
  rows.gold.assign(ids.size(), GoldTable::kNone);
  std::vector<const char*> why_none(ids.size());
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const std::optional<std::string_view> id = TextOf(ids, row);
    const std::uint32_t before = row == 0 ? GoldTable::kNone : rows.gold[row - 1];
    if (id) rows.gold[row] = gold_->Find(*id, before + 1);
    if (rows.gold[row] != GoldTable::kNone) continue;
    why_none[row] = id ? kUnknownId : kNoId;
    AddId(id, rows.without_gold);
  }
  const auto expected_of = [&](std::size_t row) -> std::optional<std::string_view> {
    if (rows.gold[row] == GoldTable::kNone) return std::nullopt;
    const std::string_view json = gold_->expected_json(rows.gold[row]);
    return json.empty() ? std::nullopt : std::optional(json);
  };
  score(ScatteredSource(ids.size(), expected_of), why_none);
  return rows;
}

void StreamScorer::Count(const ScoredRows& rows) {
  try {
    AddTotals(rows.run.totals, summary_.totals());
    AddSums(rows.run.rows, summary_);
    AddPresence(rows.run.paths, paths_);
    if (join_) return join_->Add(rows.gold, rows.without_gold, rows.run.rows, rows.groups);
    const std::size_t width = groups_.size();
    for (std::uint32_t row = 0; row < rows.run.totals.records_read; ++row) {
      const std::span groups = std::span(rows.groups).subspan(row * width, width);
      const RecordName name{summary_.totals().records_read - rows.run.totals.records_read + row + 1, {}};
      AddRow(rows.run.rows, layout_, row, groups, name, summary_);
      AddHashes(rows.run.rows, layout_, {&row, 1}, groups, name, summary_);
    }
  } catch (...) {
    count_error_ = std::current_exception();
    throw;
  }
}

// Returns the groups of the rows, row by row.
std::vector<std::uint32_t> StreamScorer::Groups(const ArrowArray& batch) {
  std::vector<TextArray> columns;
  for (const TextField& field : groups_) columns.push_back(Texts(field, batch));
  std::vector<std::uint32_t> groups;
  for (std::size_t row = 0; row < static_cast<std::size_t>(batch.length); ++row) {
    for (std::size_t f = 0; f < columns.size(); ++f) {
      const std::optional<std::string_view> value = TextOf(columns[f], row);
      groups.push_back(value ? summary_.GroupIndex(f, *value) : kNoneGroup);
    }
  }
  return groups;
}

RunReport StreamScorer::Report() const {
  if (count_error_ != nullptr) std::rethrow_exception(count_error_);
  RunSummary summary = summary_;
  const EngineOptions& options = scorer_->options();
  if (options.judges != nullptr && scorer_->plan().scorers().asks())
    summary.judges() = options.judges->Report();
  std::vector<FieldPresence> paths = paths_;
  WorkerPool::Lease worker = scorer_->TakeWorker();
  BatchScorer& scorer = worker->scorer;
  if (join_) {
    GoldJoin join = *join_;
    const std::vector<std::uint32_t> unanswered = join.EndSource(summary);
    const std::vector<std::uint32_t> groups(unanswered.size() * groups_.size(), kNoneGroup);
    AddUnanswered(*gold_, unanswered, groups, scorer, summary,
                  [&](std::span<const std::uint32_t>) { AddPresence(scorer.PathPresence(), paths); });
    summary.join() = join.summary();
  }
  summary.SetAbsentPaths(AbsentPaths(scorer, paths));
  return summary.Report();
}

}  // namespace leafscore::internal
