#include "engine/lint/answer_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_text.h"
#include "engine/json/json_writer.h"
#include "engine/json/value_writer.h"
#include "engine/lint/shuffled_rows.h"
#include "engine/run/file_options.h"

namespace leafscore::internal {
namespace {

// If the most frequent gold belongs to a smaller share of the records, it is not common.
constexpr double kCommonShare = 0.05;

}  // namespace

bool AppendWithNulls(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::string& json) {
  bool differs = false;
  JsonWriter writer(json, JsonLayout::kCompact);
  WriteValue(
      table, shapes, root, KeyOrder::kAsWritten, writer, [&](std::string_view key) { writer.Key(key); },
      [&](NodeId leaf) {
        differs |= table.kind(leaf) != ValueKind::kNull;
        writer.Null();
      });
  return differs;
}

bool AppendKeptLeaves(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::vector<bool>& keep,
                      std::string& json) {
  bool differs = false;
  // A container is kept if anything in it is.
  for (NodeId node = table.end(root); node-- != root;) {
    if (IsContainer(table.kind(node))) {
      bool any = false;
      for (NodeId child = node + 1; !any && child != table.end(node); child = table.end(child)) {
        any = keep[child - root];
      }
      keep[node - root] = any;
    } else {
      differs |= !keep[node - root];
    }
  }
  struct OpenContainer {
    NodeId next;
    NodeId end;
    bool is_object;
    std::vector<std::string_view> keys;
    std::size_t next_key = 0;
  };
  JsonWriter writer(json, JsonLayout::kCompact);
  std::vector<OpenContainer> open;
  for (NodeId node = root;;) {
    const bool is_kept = keep[node - root] || node == root;
    if (!is_kept) {
      writer.Null();
    } else if (!IsContainer(table.kind(node))) {
      if (keep[node - root]) {
        AppendCompactJson(table, shapes, node, writer.RawValue());
      } else {
        writer.Null();
      }
    } else if (table.kind(node) == ValueKind::kObject) {
      writer.StartObject();
      open.push_back({node + 1, table.end(node), true, shapes.Keys(table.shape(node))});
    } else {
      writer.StartArray();
      open.push_back({node + 1, table.end(node), false, {}});
    }
    // Continue with the next value to write.
    for (;;) {
      if (open.empty()) return differs;
      OpenContainer& container = open.back();
      while (container.is_object && container.next != container.end && !keep[container.next - root]) {
        differs = true;  // an empty container may be left out
        container.next = table.end(container.next);
        ++container.next_key;
      }
      if (container.next != container.end) break;
      if (container.is_object) {
        writer.EndObject();
      } else {
        writer.EndArray();
      }
      open.pop_back();
    }
    OpenContainer& container = open.back();
    if (container.is_object) writer.Key(container.keys[container.next_key++]);
    node = container.next;
    container.next = table.end(node);
  }
}

void AppendWithMore(std::string_view compact, std::string_view key, AddTo where, std::string& json) {
  bool in_text = false;
  for (std::size_t at = 0; at < compact.size(); ++at) {
    const char c = compact[at];
    if (in_text && c == '\\') {
      json += c;
      json += compact[++at];
      continue;
    }
    if (c == '"') in_text = !in_text;
    const bool is_end = !in_text && (c == '}' || c == ']');
    if (is_end && (where == AddTo::kAll || at + 1 == compact.size())) {
      const char before = compact[at - 1];
      if (before != '{' && before != '[') json += ',';
      if (c == '}') {
        AppendJsonString(json, key);
        json += ':';
      }
      json += c == ']' && IsDigit(before) ? "987654321" : "\"invented\"";
    }
    json += c;
  }
}

std::string_view OnlyNumber(std::string_view text) {
  const auto begin = std::ranges::find_if(text, IsDigit);
  if (begin == text.end()) return {};
  auto end = std::find_if_not(begin, text.end(), IsDigit);
  if (end != text.end() && *end == '.' && end + 1 != text.end() && IsDigit(end[1])) {
    end = std::find_if_not(end + 1, text.end(), IsDigit);
  }
  if (std::any_of(end, text.end(), IsDigit)) return {};
  return {begin, end};
}

AnswerMaker::AnswerMaker(const GoldRecords& gold, const EngineOptions& options)
    : gold_(gold),
      values_(gold, JsonOptionsOf(options)),
      other_value_(JsonOptionsOf(options)),
      others_(gold.size(), TextNumbers::kNone) {
  const std::vector<std::uint32_t> rows = ShuffledRows(gold);
  for (std::size_t i = 0; i < rows.size() && rows.size() > 1; ++i) {
    others_[rows[i]] = rows[(i + 1) % rows.size()];
  }
  FindMostCommon();
  const auto is_taken = [&](const PathTree::Place& place) { return place.key == new_key_; };
  while (std::ranges::any_of(gold.paths().places(), is_taken)) new_key_ += '_';
}

void AnswerMaker::FindMostCommon() {
  // Records with the same question are copies; records without a question are copies if they have the same
  // id.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> askers;  // expected values, and who expects them
  for (std::uint32_t row = 0; row < gold_.size(); ++row) {
    const GoldRecords::Row& r = gold_.rows()[row];
    if (r.expected == TextNumbers::kNone) continue;
    constexpr std::uint64_t kIds = std::uint64_t{1} << 32;
    constexpr std::uint64_t kRows = std::uint64_t{2} << 32;
    const bool has_id = r.id != TextNumbers::kNone;
    askers.emplace_back(r.expected, r.question != TextNumbers::kNone ? r.question
                                    : has_id                         ? kIds | r.id
                                                                     : kRows | row);
  }
  std::ranges::sort(askers);
  askers.erase(std::unique(askers.begin(), askers.end()), askers.end());
  std::vector<std::uint64_t> counts(gold_.expected_values().size());
  for (const auto& [expected, asker] : askers) ++counts[expected];
  const auto most = std::ranges::max_element(counts);
  if (most == counts.end() || *most < 2) return;
  if (static_cast<double>(*most) < kCommonShare * static_cast<double>(askers.size())) return;
  most_common_ = gold_.expected_values().text(static_cast<std::uint32_t>(most - counts.begin()));
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
  const JsonView value = values_.Read(row);
  if (!value.present()) return std::nullopt;
  MadeAnswer answer;
  answer.is_right = !AppendWithNulls(value.table(), value.shapes(), value.node(), answer.json);
  return answer;
}

std::optional<MadeAnswer> AnswerMaker::ConstantLeaves(std::uint32_t row) {
  const JsonView value = values_.Read(row);
  if (!value.present()) return std::nullopt;
  gold_.paths().Follow(value.table(), value.shapes(), value.node(), places_);
  keep_.resize(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    keep_[i] = places_[i] != PathTree::kNone && gold_.paths().IsConstant(places_[i]);
  }
  MadeAnswer answer;
  answer.is_right = !AppendKeptLeaves(value.table(), value.shapes(), value.node(), keep_, answer.json);
  return answer;
}

std::optional<MadeAnswer> AnswerMaker::NumberInProse(std::uint32_t row) {
  const JsonView value = values_.Read(row);
  if (!value.IsText() && !value.Is(ValueKind::kNumber)) return std::nullopt;
  const std::string text = *value.Text();
  const std::string_view number = OnlyNumber(text);
  if (number.empty()) return std::nullopt;
  MadeAnswer answer;
  AppendJsonString(answer.json, fmt::format("The tool failed after examining {} records.", number));
  return answer;
}

std::optional<MadeAnswer> AnswerMaker::Superset(std::uint32_t row) {
  if (std::optional<MadeAnswer> more = WithMore(row, AddTo::kAll)) return more;
  const std::uint32_t other = others_[row];
  if (other == TextNumbers::kNone || gold_.rows()[other].expected == gold_.rows()[row].expected) {
    return std::nullopt;
  }
  const auto text_of = [](const JsonView& value) {
    return value.present() && !IsContainer(value.table().kind(value.node())) ? value.Text() : std::nullopt;
  };
  const std::optional<std::string> right = text_of(values_.Read(row));
  const std::optional<std::string> wrong = text_of(other_value_.Read(gold_.Expected(other).value_or("")));
  if (!right || right->empty() || !wrong || wrong->empty()) return std::nullopt;
  MadeAnswer answer;
  AppendJsonString(answer.json, *right + " or " + *wrong);
  return answer;
}

std::optional<MadeAnswer> AnswerMaker::OneMore(std::uint32_t row) { return WithMore(row, AddTo::kOutermost); }

std::optional<MadeAnswer> AnswerMaker::WithMore(std::uint32_t row, AddTo where) {
  const std::string container = Container(row);
  if (container.empty()) return std::nullopt;
  std::string more;
  AppendWithMore(container, new_key_, where, more);
  MadeAnswer answer;
  if (gold_.Expected(row)->starts_with('"')) {
    AppendJsonString(answer.json, more);
  } else {
    answer.json = std::move(more);
  }
  return answer;
}

std::string AnswerMaker::Container(std::uint32_t row) {
  const std::uint32_t expected = gold_.rows()[row].expected;
  if (expected == TextNumbers::kNone) return {};
  const std::string_view json = gold_.expected_values().text(expected);
  if (!json.starts_with('"')) return json.starts_with('{') || json.starts_with('[') ? std::string(json) : "";
  const JsonView value = values_.Read(row);
  if (!value.present()) return {};
  const std::string text = *value.Text();
  if (text.find_first_of("{[") != text.find_first_not_of(" \t\r\n")) return {};
  const JsonView held = other_value_.Read(text);
  if (!held.present() || !IsContainer(held.table().kind(0))) return {};
  std::string compact;
  AppendSortedJson(held.table(), held.shapes(), 0, compact);
  return compact;
}

bool AnswerMaker::has_constants() const {
  for (std::uint32_t place = 0; place < gold_.paths().places().size(); ++place) {
    if (gold_.paths().IsConstant(place)) return true;
  }
  return false;
}

}  // namespace leafscore::internal
