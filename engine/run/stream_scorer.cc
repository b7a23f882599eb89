#include "engine/run/stream_scorer.h"

#include <cmath>
#include <utility>

#include "engine/arrow/exported.h"
#include "engine/arrow/record_columns.h"
#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

constexpr char kSource[] = "input";  // the name of the one source, of a stream with gold

ArrowField TextField(std::string name, bool nullable) {
  return {std::move(name), ArrowType::kText, nullable};
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
    const ArrowField text = TextField(metric.is_list ? "item" : std::string(metric.name), !metric.is_list);
    field.children.push_back(
        metric.is_list ? ArrowField{std::string(metric.name), ArrowType::kList, true, {text}} : text);
  }
  field.children.push_back(TextField("reason", true));
  field.children.push_back(TextField("message", true));
  if (with_leaves) field.children.push_back(LeavesField());
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

void AppendLeaves(const std::vector<JudgedLeaf>& leaves, ColumnBuilder& column) {
  ColumnBuilder& element = column.child(0);
  for (const JudgedLeaf& leaf : leaves) {
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
        for (const std::string& text : values) texts.child(0).AppendText(text);
        texts.AppendList();
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
    if (!results.leaves.empty()) {
      ColumnBuilder& leaves = next();
      if (scored) {
        AppendLeaves(results.leaves[row], leaves);
      } else {
        leaves.AppendNull();
      }
    }
    column.AppendStruct();
  }
}

std::optional<std::string_view> TextOf(const TextArray& texts, std::size_t row) {
  return texts.is_null(row) ? std::nullopt : std::optional(texts.text(row));
}

// Calls `use` with a source of the array's texts.
template <class Use>
auto WithSource(const TextArray& texts, Use use) {
  if (const std::optional<ContiguousTexts> parts = texts.Contiguous()) {
    const bool narrow = !parts->offsets32.empty();
    return use(ContiguousSource(
        narrow ? TextColumn(parts->bytes, parts->offsets32, parts->validity, parts->validity_offset)
               : TextColumn(parts->bytes, parts->offsets64, parts->validity, parts->validity_offset)));
  }
  return use(ScatteredSource(texts.size(), [&](std::size_t row) { return TextOf(texts, row); }));
}

}  // namespace

StreamScorer::StreamScorer(std::shared_ptr<ColumnScorer> scorer, ArrowArrayStream* input,
                           const StreamOptions& options)
    : scorer_(std::move(scorer)),
      options_(options),
      input_(input),
      actual_(FindTexts(options.actual)),
      summary_(scorer_->plan().scorer_names(), options.group_by, options.max_groups) {
  {
    const WorkerPool::Loan worker = scorer_->TakeWorker();
    layout_ = LayoutOf(worker->scorer);
    NameJudgedFields(worker->scorer, summary_);
  }
  for (const std::string& name : options.keep) keep_.push_back(FindColumn(input_.schema(), name));
  for (const std::string& name : options.group_by) groups_.push_back(FindTexts(name));
  if (options.gold == nullptr) {
    expected_ = FindTexts(options.expected);
  } else {
    id_ = FindTexts(options.id);
    ReadGold(options.gold);
  }
  const bool with_leaves = scorer_->options().details == DetailLevel::kLeaves;
  for (const ColumnResults& results : scorer_->EmptyResults(0, /*with_texts=*/true)) {
    result_fields_.push_back(ResultField(results, with_leaves));
    builders_.emplace_back(result_fields_.back());
  }
}

StreamScorer::TextField StreamScorer::FindTexts(std::string_view name) const {
  const std::size_t column = FindColumn(input_.schema(), name);
  return {column, ReadTextType(*input_.schema().children[column])};
}

TextArray StreamScorer::Texts(const TextField& field, const ArrowArray& batch) const {
  return {field.type, *batch.children[field.column], batch.offset, batch.length};
}

void StreamScorer::ReadGold(ArrowArrayStream* gold) {
  StreamReader reader(gold);
  const std::size_t id_column = FindColumn(reader.schema(), options_.id);
  const std::size_t expected_column = FindColumn(reader.schema(), options_.expected);
  const TextType id_type = ReadTextType(*reader.schema().children[id_column]);
  const TextType expected_type = ReadTextType(*reader.schema().children[expected_column]);
  gold_.emplace();
  while (const OwnedArray batch = reader.Next()) {
    CheckRecordBatch(reader.schema(), *batch);
    const TextArray ids(id_type, *batch->children[id_column], batch->offset, batch->length);
    const TextArray expected(expected_type, *batch->children[expected_column], batch->offset, batch->length);
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
  if (!next) return next;
  CheckRecordBatch(input_.schema(), *next);
  const auto batch = std::make_shared<const OwnedArray>(std::move(next));
  const ColumnRun run = ScoreRows(**batch);
  AddTotals(run.totals, summary_.totals());
  AddJsonInTexts(run.rows, summary_);
  std::vector<OwnedArray> columns;
  for (const std::size_t column : keep_) columns.push_back(ShareColumn(batch, column));
  for (std::size_t s = 0; s < run.results.size(); ++s) {
    AppendColumns(run.results[s], result_fields_[s], builders_[s]);
    columns.push_back(builders_[s].Finish());
  }
  return ExportRecordBatch((*batch)->length, std::move(columns));
}

ColumnRun StreamScorer::ScoreRows(const ArrowArray& batch) {
  const TextArray actual = Texts(actual_, batch);
  const std::vector<std::uint32_t> groups = Groups(batch);
  const auto score = [&](const TextSource& expected, std::span<const char* const> without_gold) {
    return WithSource(actual, [&](const TextSource& source) {
      return scorer_->Score(expected, source, options_.formats, /*with_texts=*/true, without_gold);
    });
  };
  if (!gold_) {
    const TextArray expected = Texts(*expected_, batch);
    ColumnRun run = WithSource(expected, [&](const TextSource& source) { return score(source, {}); });
    for (std::size_t row = 0; row < expected.size(); ++row) {
      AddRow(run.rows, layout_, row, std::span(groups).subspan(row * groups_.size(), groups_.size()),
             summary_);
    }
    return run;
  }
  const TextArray ids = Texts(*id_, batch);
  std::vector<std::uint32_t> entries(ids.size(), GoldTable::kNone);
  std::vector<const char*> why_none(ids.size());
  ListedIds without_gold;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const std::optional<std::string_view> id = TextOf(ids, row);
    if (id) entries[row] = gold_->Find(*id);
    if (entries[row] != GoldTable::kNone) continue;
    why_none[row] = id ? kUnknownId : kNoId;
    AddId(id, without_gold);
  }
  const auto expected_of = [&](std::size_t row) -> std::optional<std::string_view> {
    if (entries[row] == GoldTable::kNone) return std::nullopt;
    const std::string_view json = gold_->expected_json(entries[row]);
    return json.empty() ? std::nullopt : std::optional(json);
  };
  ColumnRun run = score(ScatteredSource(ids.size(), expected_of), why_none);
  join_->Add(entries, without_gold, run.rows, groups);
  return run;
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
  if (!join_) return summary_.Report();
  RunSummary summary = summary_;
  GoldJoin join = *join_;
  const std::vector<std::uint32_t> unanswered = join.EndSource(summary);
  const std::vector<std::uint32_t> groups(unanswered.size() * groups_.size(), kNoneGroup);
  AddUnanswered(*gold_, unanswered, groups, scorer_->TakeWorker()->scorer, summary);
  summary.join() = join.summary();
  return summary.Report();
}

}  // namespace leafscore::internal
