#include "corpus/text.h"

#include <charconv>

#include "corpus/word_lists.h"

namespace leafscore::internal::corpus {
namespace {

void AppendSentence(Random& random, std::string& out) {
  out += random.Pick(kSubjects);
  out += ' ';
  out += random.Pick(kVerbPhrases);
  out += ' ';
  out += random.Pick(kObjects);
  out += random.Pick(kEndings);
  out += '.';
}

}  // namespace

void AppendPadded(std::string& out, std::uint64_t number, std::size_t width) {
  char digits[24];
  const auto size =
      static_cast<std::size_t>(std::to_chars(digits, digits + sizeof(digits), number).ptr - digits);
  if (size < width) out.append(width - size, '0');
  out.append(digits, size);
}

std::string DigitString(Random& random, std::string prefix, int width) {
  for (int i = 0; i < width; ++i) prefix += static_cast<char>('0' + random.Below(10));
  return prefix;
}

std::string PersonName(Random& random) {
  std::string name(random.Pick(kFirstNames));
  name += ' ';
  name += random.Pick(kLastNames);
  return name;
}

std::string Date(Random& random) {
  std::string date = "202";
  AppendPadded(date, random.Below(7), 1);
  date += '-';
  AppendPadded(date, 1 + random.Below(12), 2);
  date += '-';
  AppendPadded(date, 1 + random.Below(28), 2);
  return date;
}

std::string Timestamp(Random& random) {
  std::string time = Date(random);
  time += 'T';
  AppendPadded(time, random.Below(24), 2);
  time += ':';
  AppendPadded(time, random.Below(60), 2);
  time += ':';
  AppendPadded(time, random.Below(60), 2);
  time += 'Z';
  return time;
}

std::string Sentence(Random& random) {
  std::string sentence;
  AppendSentence(random, sentence);
  return sentence;
}

std::string Prose(Random& random, std::size_t min_bytes, bool paragraphs) {
  std::string text;
  text.reserve(min_bytes + 128);
  AppendSentence(random, text);
  while (text.size() < min_bytes) {
    text += paragraphs && random.OneIn(8) ? "\n\n" : " ";
    AppendSentence(random, text);
  }
  return text;
}

}  // namespace leafscore::internal::corpus
