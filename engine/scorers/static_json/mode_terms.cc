#include "engine/scorers/static_json/mode_terms.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>

#include "engine/base/utf8.h"
#include "engine/languages/python_text.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

// The known terms, which are searched in the gold.
constexpr std::string_view kKnownTerms[] = {
    "air conditioner", "cannot determine", "date", "dataset",  "exhaust leak", "handrail", "lately",
    "main unit",       "pressure vessel",  "pump", "steering", "tag",          "time",     "unreliable",
    "usual suspect"};

constexpr std::string_view kStopWords[] = {"a",    "an",   "and", "are",  "as",    "because", "by",   "do",
                                           "does", "for",  "has", "have", "is",    "it",      "of",   "or",
                                           "the",  "this", "to",  "what", "which", "why",     "with", "you"};

bool IsCapital(char c) { return c >= 'A' && c <= 'Z'; }

// Returns whether the character at `at` matches Python's \w.
bool IsWordAt(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  UChar32 c = 0;
  U8_NEXT_UNSAFE(text.data(), at, c);
  return c == '_' || u_isalpha(c) || u_getNumericValue(c) != U_NO_NUMERIC_VALUE;
}
bool IsWordBefore(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  U8_BACK_1_UNSAFE(text.data(), at);
  return IsWordAt(text, at);
}

// Returns the size of the quotation mark at `at`, or 0.
std::size_t QuoteSize(std::string_view text, std::size_t at) {
  if (text[at] == '"' || text[at] == '\'') return 1;
  const std::string_view rest = text.substr(at, 3);
  return rest == "\u201c" || rest == "\u201d" || rest == "\u2018" || rest == "\u2019" ? 3 : 0;
}

bool IsShortName(std::string_view phrase) {
  phrase = StripSpace(phrase);
  return phrase.size() >= 2 && phrase.size() <= 4 && std::ranges::all_of(phrase, IsCapital);
}

// Appends the texts between quotation marks of any kind.
void AppendQuoted(std::string_view text, std::vector<std::string_view>& terms) {
  constexpr std::size_t kLeast = 2;
  constexpr std::size_t kMost = 80;
  std::size_t open = kNowhere;  // position after a mark that may open a phrase
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t quote = QuoteSize(text, at);
    if (quote == 0) {
      ++at;
      continue;
    }
    const std::string_view phrase = open == kNowhere ? std::string_view() : text.substr(open, at - open);
    const std::size_t characters = CountCodePoints(phrase);
    at += quote;
    open = at;
    if (characters < kLeast || characters > kMost) continue;  // this mark may open the next phrase
    open = kNowhere;
    if (!IsShortName(phrase)) terms.push_back(phrase);
  }
}

// Appends identifiers. They begin with two capitals, continue with capitals, digits and hyphens, and have at
// least one digit.
void AppendIdentifiers(std::string_view text, std::vector<std::string_view>& terms) {
  for (std::size_t begin = 0; begin + 1 < text.size();) {
    if (!IsCapital(text[begin]) || !IsCapital(text[begin + 1]) || IsWordBefore(text, begin)) {
      ++begin;
      continue;
    }
    std::size_t end = begin + 2;
    while (end < text.size() && (IsCapital(text[end]) || IsDigit(text[end]) || text[end] == '-')) ++end;
    const std::size_t run_end = end;
    const std::string_view run = text.substr(begin, run_end - begin);
    const std::size_t digit = begin + std::min(run.find_first_of("0123456789"), run.size());
    // The longest part that ends at a word boundary.
    while (end > digit && (text[end - 1] != '-') == IsWordAt(text, end)) --end;
    if (end > digit) {
      terms.push_back(text.substr(begin, end - begin));
      begin = end;
    } else {
      // From here to the end of the run, an identifier can begin only after a hyphen.
      begin = digit == run_end ? run_end : begin + std::min(run.find('-'), run.size() - 1) + 1;
    }
  }
}

std::string WithoutArticle(std::string term) {
  for (const std::string_view article : {"a ", "an ", "the "}) {
    if (term.starts_with(article)) return term.substr(article.size());
  }
  return term;
}

}  // namespace

std::string WordsOf(std::string_view text) {
  std::string words;
  bool between = false;
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || IsDigit(c)) {
      if (between && !words.empty()) words += ' ';
      words += c;
      between = false;
    } else {
      between = true;
    }
  }
  return words;
}

std::string NormaliseTerm(std::string_view text) {
  std::string lower(text);
  ToLowerCase(lower);
  return WordsOf(lower);
}

TextSet<std::string_view> TermsWithin(std::string_view text, std::span<const std::string_view> terms) {
  const auto first_word = [](std::string_view words) { return words.substr(0, words.find(' ')); };
  TextSet<std::string_view> wanted;
  TextMap<std::string_view, std::set<std::size_t>> counts;  // by first word: how many words such terms have
  for (const std::string_view term : terms) {
    if (wanted.insert(term).second) counts[first_word(term)].insert(1 + std::ranges::count(term, ' '));
  }
  TextSet<std::string_view> found;
  for (std::size_t begin = 0; begin < text.size() && found.size() < wanted.size();) {
    const std::string_view rest = text.substr(begin);
    const std::string_view word = first_word(rest);
    if (const auto of_word = counts.find(word); of_word != counts.end()) {
      std::size_t words = 0;
      std::size_t end = 0;  // where these words, and the blank after them, end in the rest
      for (const std::size_t count : of_word->second) {
        for (; words < count && end <= rest.size(); ++words)
          end = std::min(rest.find(' ', end), rest.size()) + 1;
        if (words < count) break;
        const std::string_view piece = rest.substr(0, end - 1);
        if (wanted.contains(piece)) found.insert(piece);
      }
    }
    begin += word.size() + 1;
  }
  return found;
}

std::vector<std::string> RequiredTerms(std::string_view text, std::string_view normalised) {
  std::vector<std::string_view> found;
  AppendQuoted(text, found);
  AppendIdentifiers(text, found);
  const TextSet<std::string_view> held = TermsWithin(normalised, kKnownTerms);
  std::ranges::copy_if(kKnownTerms, std::back_inserter(found),
                       [&](std::string_view known) { return held.contains(known); });
  for (const std::string_view verdict : {"no", "yes"}) {
    const bool goes_on = normalised.size() > verdict.size() && normalised[verdict.size()] == ' ';
    if (goes_on && normalised.starts_with(verdict)) found.push_back(verdict);
  }
  std::vector<std::string> terms;
  TextSet<std::string> known = {""};
  for (const std::string_view word : kStopWords) known.emplace(word);
  for (const std::string_view raw : found) {
    std::string term = WithoutArticle(NormaliseTerm(raw));
    if (known.insert(term).second) terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace leafscore::internal
