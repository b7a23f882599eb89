#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/json/json_value.h"
#include "engine/lint/checks.h"
#include "engine/lint/findings.h"
#include "engine/report/join_summary.h"
#include "engine/run/file_options.h"

namespace leafscore::internal {
namespace {

struct KnownText {
  std::string_view text;  // in lower case, with straight apostrophes
  bool is_start;          // the start of a longer text; otherwise the whole text
  TextSense sense;
};

// docs/lint.md lists them.
constexpr KnownText kKnownTexts[] = {
    {"n/a", false, TextSense::kNoValue},
    {"n.a.", false, TextSense::kNoValue},
    {"#n/a", false, TextSense::kNoValue},
    {"<na>", false, TextSense::kNoValue},
    {"nan", false, TextSense::kNoValue},
    {"null", false, TextSense::kNoValue},
    {"undefined", false, TextSense::kNoValue},
    {"todo", false, TextSense::kPlaceholder},
    {"todo:", true, TextSense::kPlaceholder},
    {"fixme", false, TextSense::kPlaceholder},
    {"fixme:", true, TextSense::kPlaceholder},
    {"tbd", false, TextSense::kPlaceholder},
    {"tbd:", true, TextSense::kPlaceholder},
    {"placeholder", false, TextSense::kPlaceholder},
    {"lorem ipsum", true, TextSense::kPlaceholder},
    {"traceback (most recent call last)", true, TextSense::kError},
    {"error code:", true, TextSense::kError},
    {"429 too many requests", true, TextSense::kError},
    {"500 internal server error", true, TextSense::kError},
    {"502 bad gateway", true, TextSense::kError},
    {"503 service unavailable", true, TextSense::kError},
    {"504 gateway time", true, TextSense::kError},
    {"internal server error", true, TextSense::kError},
    {"too many requests", true, TextSense::kError},
    {"rate limit exceeded", true, TextSense::kError},
    {"rate limit reached", true, TextSense::kError},
    {"request timed out", true, TextSense::kError},
    {"i'm sorry, i can", true, TextSense::kError},
    {"i'm sorry, but i can", true, TextSense::kError},
    {"i am sorry, but i can", true, TextSense::kError},
    {"sorry, i can't", true, TextSense::kError},
    {"sorry, but i can't", true, TextSense::kError},
    {"i can't assist", true, TextSense::kError},
    {"i cannot assist", true, TextSense::kError},
    {"i can't help with", true, TextSense::kError},
    {"i cannot help with", true, TextSense::kError},
    {"as an ai language model", true, TextSense::kError},
};

constexpr std::size_t kHeadBytes = 128;  // longer than any of them, and than most names of exceptions
constexpr std::string_view kAsciiBlanks = " \t\n\v\f\r";

// Returns the beginning of a text in lower case with straight apostrophes.
std::string HeadOf(std::string_view text) {
  std::string head;
  for (std::size_t at = 0; at < text.size() && head.size() < kHeadBytes; ++at) {
    if (text.substr(at).starts_with("\xE2\x80\x99")) {
      head += '\'';
      at += 2;
    } else {
      head += text[at] >= 'A' && text[at] <= 'Z' ? static_cast<char>(text[at] - 'A' + 'a') : text[at];
    }
  }
  return head;
}

// Tells whether a text begins like a printed exception: openai.RateLimitError: ... A word like "Terror" is
// not one; measures and good news can have such names.
bool BeginsWithException(std::string_view text) {
  const std::size_t colon = text.find_first_of(": \t\n");
  if (colon == std::string_view::npos || text[colon] != ':' || colon > kHeadBytes) return false;
  const std::string_view path = text.substr(0, colon);
  const std::string_view name = path.substr(path.rfind('.') + 1);  // the whole text if there is no dot
  if (name == "StandardError" || name == "NoError") return false;
  if (name.ends_with("Error") || name.ends_with("Exception")) return true;
  const std::string word = HeadOf(name);
  return word == "error" || word == "exception";
}

// Tells whether a text begins with an HTTP failure: HTTP 429, HTTP 500 Internal Server Error, HTTP Error 503:
// ... An amount (HTTP 500 ml) or errors in general do not count.
bool BeginsWithHttpFailure(std::string_view head) {
  constexpr std::string_view kCodes[] = {"429", "500", "502", "503", "504"};
  constexpr std::string_view kWords[] = {"too many requests",   "internal server error", "bad gateway",
                                         "service unavailable", "gateway time",          "error"};
  if (!head.starts_with("http ")) return false;
  head.remove_prefix(std::string_view("http ").size());
  const bool is_error = head.starts_with("error");
  const std::string_view first = head.substr(0, is_error ? 5 : 3);
  if (!is_error && std::ranges::find(kCodes, first) == std::end(kCodes)) return false;
  head.remove_prefix(first.size());
  if (head.empty()) return true;
  if (!head.starts_with(' ')) return head[0] > 0 && !std::isalnum(head[0]);
  head.remove_prefix(1);
  if (is_error) return head.starts_with("occurred") || (!head.empty() && head[0] >= '0' && head[0] <= '9');
  return std::ranges::any_of(kWords, [&](std::string_view word) { return head.starts_with(word); }) ||
         head.starts_with('-') || head.starts_with('(');
}

// Tells whether a value is an object with only an error, which services send in place of a result. A null
// error means that there was no error.
bool IsErrorObject(const JsonView& value) {
  std::size_t members = 0;
  value.ForEachMember([&](std::string_view, const JsonView&) { ++members; });
  const JsonView error = value.Member("error");
  return members == 1 && error.present() && !error.Is(ValueKind::kNull);
}

// Records whose expected value is no value, and the paths of leaves that are no values.
struct Suspects {
  ListedIds ids;
  ListedIds paths;
  std::string first;  // the first of them
  std::uint32_t last_row = TextNumbers::kNone;
  std::vector<bool> is_listed;  // indexed by place
};

class PlaceholderChecks {
 public:
  PlaceholderChecks(const GoldRecords& gold, const EngineOptions& options)
      : gold_(gold), value_(JsonOptionsOf(options)) {}

  void Run(LintReport& report) {
    for (std::uint32_t row = 0; row < gold_.size(); ++row) {
      if (const std::optional<std::string_view> expected = gold_.Expected(row)) Look(row, *expected);
    }
    TellEmpty(report);
    AddAbout(
        placeholders_.ids,
        {.severity = LintSeverity::kWarning,
         .kind = LintKind::kPlaceholderGold,
         .paths = placeholders_.paths,
         .message = fmt::format("{} a placeholder where a value is expected; the first is {}.",
                                RecordsHave(placeholders_.ids), placeholders_.first),
         .advice = "Put the value there, or take the records out: who knows the answer is wrong on them."},
        report);
    AddAbout(
        errors_.ids,
        {.severity = LintSeverity::kWarning,
         .kind = LintKind::kErrorGold,
         .paths = errors_.paths,
         .message = fmt::format("{} what a failure or a refusal left in place of a value; the first is {}.",
                                RecordsHave(errors_.ids), errors_.first),
         .advice = "Make this gold again: whoever fails likewise is right on it, and nobody else."},
        report);
  }

 private:
  void Look(std::uint32_t row, std::string_view expected) {
    const JsonView root = value_.Read(expected);
    if (!root.present()) return;
    if (root.Is(ValueKind::kNull)) return AddId(gold_.Name(row), empty_);
    if (IsErrorObject(root)) return Add(row, root.node(), errors_);
    for (NodeId node = root.node(); node != value_.table().end(root.node()); ++node) {
      if (!IsString(value_.table().kind(node))) continue;
      const TextSense sense = SenseOf(*TextOf(node));
      const bool is_whole = node == root.node();
      if (sense == TextSense::kError) {
        Add(row, node, errors_);
      } else if (sense == TextSense::kPlaceholder || (is_whole && sense == TextSense::kNoValue)) {
        Add(row, node, placeholders_);
      } else if (is_whole && sense == TextSense::kBlank) {
        AddId(gold_.Name(row), empty_);
      }
    }
  }

  std::optional<std::string> TextOf(NodeId node) {
    return JsonView(value_.table(), value_.shapes(), node).Text();
  }

  void Add(std::uint32_t row, NodeId node, Suspects& suspects) {
    if (suspects.ids.count == 0) suspects.first = QuoteForMessage(*TextOf(node));
    if (suspects.last_row != row) AddId(gold_.Name(row), suspects.ids);
    suspects.last_row = row;
    gold_.paths().Follow(value_.table(), value_.shapes(), 0, places_);
    const std::uint32_t place = places_[node];
    if (place == PathTree::kNone || place == PathTree::kRoot) return;
    suspects.is_listed.resize(gold_.paths().places().size());
    if (!suspects.is_listed[place]) AddId(gold_.paths().Text(place), suspects.paths);
    suspects.is_listed[place] = true;
  }

  // A few records that expect nothing are common; if most records do, it is not a test.
  void TellEmpty(LintReport& report) const {
    AddAbout(
        empty_,
        {.severity = 2 * empty_.count > gold_.size() ? LintSeverity::kWarning : LintSeverity::kNote,
         .kind = LintKind::kEmptyGold,
         .message = RecordsHave(empty_) + " null or a blank text as the expected value.",
         .advice = "See that nothing is what they shall be answered with, and that the value was not lost."},
        report);
  }

  const GoldRecords& gold_;
  JsonValue value_;
  ListedIds empty_;
  Suspects placeholders_;
  Suspects errors_;
  std::vector<std::uint32_t> places_;
};

}  // namespace

TextSense SenseOf(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kAsciiBlanks);
  if (begin == std::string_view::npos) return TextSense::kBlank;
  const std::size_t end = text.find_last_not_of(kAsciiBlanks) + 1;
  text = text.substr(begin, end - begin);
  const std::string head = HeadOf(text);
  for (const KnownText& known : kKnownTexts) {
    if (known.is_start ? head.starts_with(known.text) : head == known.text) return known.sense;
  }
  return BeginsWithHttpFailure(head) || BeginsWithException(text) ? TextSense::kError : TextSense::kValue;
}

void CheckPlaceholders(const GoldRecords& gold, const EngineOptions& options, LintReport& report) {
  PlaceholderChecks(gold, options).Run(report);
}

}  // namespace leafscore::internal
