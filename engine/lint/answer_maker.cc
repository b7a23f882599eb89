#include "engine/lint/answer_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "engine/json/json_text.h"
#include "engine/lint/shuffled_rows.h"
#include "engine/lint/value_edits.h"
#include "engine/run/file_options.h"

namespace leafscore::internal {

AnswerMaker::AnswerMaker(const GoldRecords& gold, const EngineOptions& options)
    : gold_(gold), value_(JsonOptionsOf(options)), others_(gold.size(), TextNumbers::kNone) {
  const std::vector<std::uint32_t> rows = ShuffledRows(gold);
  for (std::size_t i = 0; i < rows.size() && rows.size() > 1; ++i) {
    others_[rows[i]] = rows[(i + 1) % rows.size()];
  }
  std::vector<std::uint64_t> counts(gold.expected_values().size());
  for (const GoldRecords::Row& row : gold.rows()) {
    if (row.expected != TextNumbers::kNone) ++counts[row.expected];
  }
  const auto most = std::ranges::max_element(counts);
  if (most == counts.end() || *most < 2) return;
  most_common_ = gold.expected_values().text(static_cast<std::uint32_t>(most - counts.begin()));
}

std::optional<MadeAnswer> AnswerMaker::Same(std::string_view json, std::uint32_t row) const {
  const std::uint32_t expected = gold_.rows()[row].expected;
  return MadeAnswer{std::string(json),
                    expected != TextNumbers::kNone && gold_.expected_values().text(expected) == json};
}

std::optional<MadeAnswer> AnswerMaker::Question(std::uint32_t row) const {
  const std::uint32_t question = gold_.rows()[row].question;
  if (question == TextNumbers::kNone) return std::nullopt;
  return Same(gold_.questions().text(question), row);
}

std::optional<MadeAnswer> AnswerMaker::Other(std::uint32_t row) const {
  const std::uint32_t other = others_[row];
  if (other == TextNumbers::kNone) return std::nullopt;
  return MadeAnswer{std::string(*gold_.Expected(other)),
                    gold_.rows()[other].expected == gold_.rows()[row].expected};
}

std::optional<MadeAnswer> AnswerMaker::NullValues(std::uint32_t row) {
  if (!Read(row).present()) return std::nullopt;
  MadeAnswer answer;
  answer.is_right = !AppendWithNulls(value_.table(), value_.shapes(), 0, answer.json);
  return answer;
}

std::optional<MadeAnswer> AnswerMaker::ConstantLeaves(std::uint32_t row) {
  if (!Read(row).present()) return std::nullopt;
  gold_.paths().Follow(value_.table(), value_.shapes(), 0, places_);
  keep_.resize(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    keep_[i] = places_[i] != PathTree::kNone && gold_.paths().IsConstant(places_[i]);
  }
  MadeAnswer answer;
  answer.is_right = !AppendKeptLeaves(value_.table(), value_.shapes(), 0, keep_, answer.json);
  return answer;
}

std::optional<MadeAnswer> AnswerMaker::NumberInProse(std::uint32_t row) {
  const JsonView value = Read(row);
  if (!value.IsText() && !value.Is(ValueKind::kNumber)) return std::nullopt;
  const std::string text = *value.Text();
  const std::string_view number = OnlyNumber(text);
  if (number.empty()) return std::nullopt;
  MadeAnswer answer;
  AppendJsonString(answer.json, fmt::format("The tool failed after examining {} records.", number));
  return answer;
}

bool AnswerMaker::has_constants() const {
  for (std::uint32_t place = 0; place < gold_.paths().places().size(); ++place) {
    if (gold_.paths().IsConstant(place)) return true;
  }
  return false;
}

JsonView AnswerMaker::Read(std::uint32_t row) {
  const std::optional<std::string_view> expected = gold_.Expected(row);
  return expected ? value_.Read(*expected) : JsonView(value_.table(), value_.shapes(), kNoNode);
}

}  // namespace leafscore::internal
