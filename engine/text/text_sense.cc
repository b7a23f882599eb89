#include "engine/text/text_sense.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

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
    {"traceback (most recent call last)", true, TextSense::kFailure},
    {"error code:", true, TextSense::kFailure},
    {"429 too many requests", true, TextSense::kFailure},
    {"500 internal server error", true, TextSense::kFailure},
    {"502 bad gateway", true, TextSense::kFailure},
    {"503 service unavailable", true, TextSense::kFailure},
    {"504 gateway time", true, TextSense::kFailure},
    {"internal server error", true, TextSense::kFailure},
    {"too many requests", true, TextSense::kFailure},
    {"rate limit exceeded", true, TextSense::kFailure},
    {"rate limit reached", true, TextSense::kFailure},
    {"request timed out", true, TextSense::kFailure},
    {"i'm sorry, i can", true, TextSense::kRefusal},
    {"i'm sorry, but i can", true, TextSense::kRefusal},
    {"i am sorry, but i can", true, TextSense::kRefusal},
    {"sorry, i can't", true, TextSense::kRefusal},
    {"sorry, but i can't", true, TextSense::kRefusal},
    {"i can't assist", true, TextSense::kRefusal},
    {"i cannot assist", true, TextSense::kRefusal},
    {"i can't help with", true, TextSense::kRefusal},
    {"i cannot help with", true, TextSense::kRefusal},
    {"as an ai language model", true, TextSense::kRefusal},
    {"i'm sorry, but i'm", true, TextSense::kRefusal},
    {"i'm sorry, but i am", true, TextSense::kRefusal},
    {"i am sorry, i can", true, TextSense::kRefusal},
    {"i apologize, but i can", true, TextSense::kRefusal},
    {"i apologize, but i'm", true, TextSense::kRefusal},
    {"i'm not able to", true, TextSense::kRefusal},
    {"i am not able to", true, TextSense::kRefusal},
    {"i'm unable to", true, TextSense::kRefusal},
    {"i am unable to", true, TextSense::kRefusal},
    {"unfortunately, i can", true, TextSense::kRefusal},
    {"i can't provide", true, TextSense::kRefusal},
    {"i cannot provide", true, TextSense::kRefusal},
    {"i can't comply", true, TextSense::kRefusal},
    {"i cannot comply", true, TextSense::kRefusal},
    {"i can't fulfill", true, TextSense::kRefusal},
    {"i cannot fulfill", true, TextSense::kRefusal},
    {"i won't be able to", true, TextSense::kRefusal},
    {"i must decline", true, TextSense::kRefusal},
    {"i have to decline", true, TextSense::kRefusal},
    {"as an ai, i", true, TextSense::kRefusal},
    {"as an ai model", true, TextSense::kRefusal},
};

constexpr std::size_t kBeginningBytes = 128;   // longer than any of them, and than most names of exceptions
constexpr std::size_t kOpeningBytes = 240;     // about two sentences
constexpr std::size_t kMaxFailureBytes = 800;  // longer texts about failures are reports
constexpr std::string_view kAsciiBlanks = " \t\n\v\f\r";

// Returns the beginning of a text in lower case with straight apostrophes.
std::string HeadOf(std::string_view text, std::size_t max_bytes = kBeginningBytes) {
  std::string head;
  for (std::size_t at = 0; at < text.size() && head.size() < max_bytes; ++at) {
    if (text.substr(at).starts_with("\xE2\x80\x99")) {
      head += '\'';
      at += 2;
    } else {
      head += text[at] >= 'A' && text[at] <= 'Z' ? static_cast<char>(text[at] - 'A' + 'a') : text[at];
    }
  }
  return head;
}

// A refusal has words of all three lists at its beginning.
constexpr std::string_view kFirstPerson[] = {"i ",    "i'm",       "i'd",           "my ",
                                             "we ",   "me ",       "this model",    "apologies",
                                             "sorry", "by policy", "this assistant"};
constexpr std::string_view kUnwilling[] = {"can't",
                                           "cannot",
                                           "can not",
                                           "unable",
                                           "not able",
                                           "won't",
                                           "will not",
                                           "decline",
                                           "refuse",
                                           "not comfortable",
                                           "don't feel comfortable",
                                           "not something i can",
                                           "not allowed",
                                           "not permitted",
                                           "against my",
                                           "against our",
                                           "violates",
                                           "not going to",
                                           "rather not",
                                           "not appropriate",
                                           "have to pass",
                                           "isn't something",
                                           "is not something",
                                           "say no",
                                           "permitted",
                                           "not possible",
                                           "not proceed",
                                           "prevent me",
                                           "not comply",
                                           "declined",
                                           "appropriate for me",
                                           "outside what",
                                           "outside the scope",
                                           "do not have",
                                           "don't have",
                                           "not enough information",
                                           "no way for me"};
constexpr std::string_view kHelping[] = {
    "help",     "assist",    "answer",  "provide",   "comply",  "fulfil",    "share",     "respond",
    "process",  "complete",  "support", "request",   "discuss", "policy",    "policies",  "guideline",
    "generate", "produce",   "extract", "do that",   "do this", "carry out", "engage",    "write",
    "create",   "access",    "proceed", "question",  "prompt",  "thank",     "permitted", "open",
    "identify", "determine", "give",    "speculate", "read"};
// Phrases that are refusals by themselves. Among them are "I am sorry" and "I cannot" in German, French,
// Spanish, Portuguese, Italian, Dutch, Swedish, Polish, Turkish, Russian, Chinese, Japanese and Korean.
constexpr std::string_view kPlainRefusals[] = {"tut mir leid",
                                               "leider kann",
                                               "nicht beantworten",
                                               "kann ich nicht",
                                               "ich kann kein",
                                               "ich kann dir",
                                               "ich kann das nicht",
                                               "ich kann nicht",
                                               "désolé",
                                               "je ne peux pas",
                                               "je ne suis pas en mesure",
                                               "lo siento",
                                               "no puedo",
                                               "desculpe",
                                               "não posso",
                                               "mi dispiace",
                                               "non posso",
                                               "het spijt me",
                                               "ik kan niet",
                                               "respectfully decline",
                                               "can't do that",
                                               "cannot do that",
                                               "feel comfortable",
                                               "violates our",
                                               "content policy",
                                               "usage policies",
                                               "не могу",
                                               "извините",
                                               "죄송",
                                               "nie mogę",
                                               "üzgünüm",
                                               "tyvärr",
                                               "nicht helfen",
                                               "抱歉",
                                               "对不起",
                                               "无法",
                                               "申し訳",
                                               "できません"};
constexpr std::string_view kFailures[] = {"status code",
                                          "rate limit",
                                          "ratelimit",
                                          "timed out",
                                          "timeout",
                                          "overloaded",
                                          "context length",
                                          "context window",
                                          "connection reset",
                                          "connection refused",
                                          "connection error",
                                          "connection aborted",
                                          "service unavailable",
                                          "bad gateway",
                                          "internal server error",
                                          "too many requests",
                                          "quota",
                                          "had an error while",
                                          "apierror",
                                          "api error",
                                          "upstream",
                                          "panicked",
                                          "segmentation fault",
                                          "core dumped",
                                          "sigkill",
                                          "forbidden",
                                          "unauthorized",
                                          "not authenticated",
                                          "spending limit",
                                          "too large",
                                          "exceeded",
                                          "exception",
                                          "temporarily unavailable",
                                          "out of memory",
                                          "<!doctype html",
                                          "<html",
                                          "deadline exceeded",
                                          "econnreset",
                                          "stack trace",
                                          "unexpected error",
                                          "error occurred",
                                          "failed to generate",
                                          "request failed",
                                          "invalid_request",
                                          "authentication"};

bool HasAny(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Returns whether a text begins like a printed exception: openai.RateLimitError: ... Words such as "Terror"
// do not count, nor do StandardError (a measure) and NoError (good news).
bool BeginsWithException(std::string_view text) {
  const std::size_t colon = text.find_first_of(": \t\n");
  if (colon == std::string_view::npos || text[colon] != ':' || colon > kBeginningBytes) return false;
  const std::string_view path = text.substr(0, colon);
  const std::string_view name = path.substr(path.rfind('.') + 1);  // the whole text if there is no dot
  if (name == "StandardError" || name == "NoError") return false;
  if (name.ends_with("Error") || name.ends_with("Exception")) return true;
  const std::string word = HeadOf(name);
  return word == "error" || word == "exception";
}

// Returns whether a text begins with an HTTP failure: HTTP 429, HTTP 500 Internal Server Error, HTTP Error
// 503: ... Neither an amount (HTTP 500 ml) nor a sentence about errors in general (HTTP errors are rare)
// counts.
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
  return BeginsWithHttpFailure(head) || BeginsWithException(text) ? TextSense::kFailure : TextSense::kValue;
}

bool SoundsLikeRefusal(std::string_view text) {
  if (SenseOf(text) == TextSense::kRefusal) return true;
  const std::string head = HeadOf(text, kOpeningBytes);
  if (HasAny(head, kPlainRefusals)) return true;
  return HasAny(head, kFirstPerson) && HasAny(head, kUnwilling) && HasAny(head, kHelping);
}

bool SoundsLikeFailure(std::string_view text) {
  if (SenseOf(text) == TextSense::kFailure) return true;
  return text.size() <= kMaxFailureBytes && HasAny(HeadOf(text, kOpeningBytes), kFailures);
}

}  // namespace leafscore::internal
