#include "engine/scorers/static_json/choice_letter.h"

#include <algorithm>
#include <cstddef>

#include "engine/languages/python_text.h"
#include "engine/text/answer_scan.h"

namespace leafscore::internal {
namespace {

bool EndsWithWord(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && StartsIgnoringCase(text.substr(text.size() - word.size()), word);
}

}  // namespace

std::string_view FindChoiceLetter(std::string_view text) {
  // In every form, the letter is at the end of the text, or only a bracket, point or colon follows it.
  text = StripSpace(text);
  std::string_view line = LastLine(text);
  if (!line.empty() && std::string_view(")].:").find(line.back()) != std::string_view::npos)
    line.remove_suffix(1);
  if (line.empty() || !IsAsciiLetter(line.back())) return {};
  const std::string_view letter = line.substr(line.size() - 1);
  line.remove_suffix(1);
  const bool in_bracket = line.ends_with('(') || line.ends_with('[');
  if (in_bracket) line.remove_suffix(1);
  if (line.empty() || std::string_view(",;:").find(line.back()) != std::string_view::npos) return letter;
  const std::string_view before = StripSpace(line);
  if (before.data() + before.size() != line.data() + line.size()) return letter;  // after a blank
  // After "answer", "option" or "choice", with or without "is", no blank is needed.
  line = before;
  if (EndsWithWord(line, "is")) line = StripSpace(line.substr(0, line.size() - 2));
  const auto ends_with = [&](std::string_view word) { return EndsWithWord(line, word); };
  return ends_with("answer") || ends_with("option") || ends_with("choice") ? letter : std::string_view();
}

}  // namespace leafscore::internal
