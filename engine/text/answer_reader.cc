#include "engine/text/answer_reader.h"

#include <algorithm>
#include <array>

#include "engine/languages/python_literal.h"
#include "engine/languages/python_text.h"
#include "engine/text/answer_scan.h"

namespace leafscore::internal {
namespace {

bool BeginsJson(char c) { return std::string_view("{[\"-0123456789tfnNI").find(c) != std::string_view::npos; }

// A text that begins with one of these may be more than text: an answer label, or a word that is a value.
constexpr std::string_view kOpeningWords[] = {"true",     "false",  "null",  "none",   "nan",    "infinity",
                                              "<answer>", "answer", "final", "output", "result", "response"};

// A text that has one of these characters anywhere may be more than text, too: they open a structure or a
// fence, or end a line.
constexpr std::string_view kTelling = "{[(`\n\r";

constexpr std::string_view kOpenings = "0123456789.+-\"'";

// The classes of a byte, one bit each. All except kIsTelling matter only at the beginning of a text.
enum : std::uint8_t {
  kIsTelling = 1,
  kMayBeSpace = 2,
  kIsOpening = 4,
  kBeginsWord = 8,
  kIsStringPrefix = 16
};
constexpr std::array<std::uint8_t, 256> kCharacters = [] {
  std::array<std::uint8_t, 256> characters{};
  const auto mark = [&](char c, std::uint8_t bit) { characters[static_cast<unsigned char>(c)] |= bit; };
  for (const char c : kTelling) mark(c, kIsTelling);
  for (const char c : kOpenings) mark(c, kIsOpening);
  for (const std::string_view word : kOpeningWords) {
    mark(word[0], kBeginsWord);
    mark(static_cast<char>(word[0] & ~0x20), kBeginsWord);
  }
  for (const char c : std::string_view("bBfFrRuU")) mark(c, kIsStringPrefix);
  for (int c = 0; c < 256; ++c) {
    if (c <= ' ' || c >= 0x80) mark(static_cast<char>(c), kMayBeSpace);
  }
  return characters;
}();

bool Is(char c, std::uint8_t bit) { return (kCharacters[static_cast<unsigned char>(c)] & bit) != 0; }

}  // namespace

void AnswerSteps::AppendText(std::string& out) const {
  constexpr std::string_view kNames[] = {"value", "json", "python", "quotes", "count", "text"};
  if (label) out += "label/";
  if (fence) out += "fence/";
  if (balanced) out += "balanced/";
  out += kNames[static_cast<std::size_t>(rung)];
}

AnswerReader::AnswerReader(ShapeTable* shapes, std::uint32_t max_depth, PartOrder parts)
    : reader_(shapes, JsonOptions{.strict = false, .max_depth = max_depth}), parts_(parts) {}

void AnswerReader::Read(std::string_view text, CountRule counts, ReadAnswer& answer) {
  const auto [content, label, fence] = FindAnswerContent(text);
  answer.steps = {};
  answer.steps.label = label;
  answer.steps.fence = fence;
  answer.root = kNoNode;
  if (!ReadStructure(content, answer) && !ReadStretch(content, answer) &&
      (counts == CountRule::kNone || !ReadCount(content, counts, answer))) {
    answer.steps.rung = AnswerRung::kText;
    answer.text = content;
  }
  answer.steps.begin = static_cast<std::uint32_t>(answer.text.data() - text.data());
  answer.steps.end = answer.steps.begin + static_cast<std::uint32_t>(answer.text.size());
}

bool AnswerReader::ReadStretch(std::string_view text, ReadAnswer& answer) {
  stretches_.clear();
  FindBalanced(text, stretches_);
  if (parts_ == PartOrder::kFirstFirst) {  // within each kind
    for (auto begin = stretches_.begin(); begin != stretches_.end();) {
      const auto end = std::find_if(begin, stretches_.end(), [&](std::string_view stretch) {
        return stretch.front() != begin->front();
      });
      std::reverse(begin, end);
      begin = end;
    }
  }
  const auto reads = [&](std::string_view stretch) {
    return stretch.size() != text.size() && ReadStructure(stretch, answer);
  };
  return answer.steps.balanced = std::ranges::any_of(stretches_, reads);
}

bool AnswerReader::ReadCount(std::string_view text, CountRule counts, ReadAnswer& answer) {
  answer.json.clear();
  answer.steps.rung = AnswerRung::kCount;
  const auto find = counts == CountRule::kAny ? FindCount : FindStatedCount;
  return find(text, answer.json, &answer.text) && ReadJson(answer.json, answer);
}

bool AnswerReader::IsPlain(std::string_view text) {
  if (text.empty()) return true;
  if (Is(text[0], kMayBeSpace)) text.remove_prefix(SkipSpace(text, 0));
  if (text.empty()) return true;
  if (Is(text[0], kIsOpening)) return false;
  const auto is_quote = [&](std::size_t at) {
    return at < text.size() && (text[at] == '"' || text[at] == '\'');
  };
  if (Is(text[0], kIsStringPrefix) && (is_quote(1) || is_quote(2))) return false;
  if (Is(text[0], kBeginsWord) &&
      std::ranges::any_of(kOpeningWords, [&](auto word) { return StartsIgnoringCase(text, word); })) {
    return false;
  }
  return std::ranges::none_of(text, [](char c) { return Is(c, kIsTelling); });
}

bool AnswerReader::ReadStructure(std::string_view text, ReadAnswer& answer) {
  answer.text = text;
  answer.steps.rung = AnswerRung::kJson;
  if (ReadJson(text, answer)) return true;
  answer.steps.rung = AnswerRung::kPython;
  answer.json.clear();
  if (PythonLiteralToJson(text, answer.json, TupleForm::kMarked) && ReadJson(answer.json, answer))
    return true;
  if (text.find('\'') == std::string_view::npos) return false;
  answer.steps.rung = AnswerRung::kQuotes;
  answer.json = text;
  std::ranges::replace(answer.json, '\'', '"');
  return ReadJson(answer.json, answer);
}

bool AnswerReader::ReadJson(std::string_view json, ReadAnswer& answer) {
  if (json.empty() || !BeginsJson(json[0])) return false;  // cheap, and most texts end here
  reader_.Begin(json, /*lines=*/false, &answer.table);
  const JsonResult result = reader_.Read(0, static_cast<std::uint32_t>(json.size()));
  answer.root = result.root;
  answer.repeated_keys = result.duplicate_keys;
  return answer.root != kNoNode;
}

}  // namespace leafscore::internal
