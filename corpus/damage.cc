#include "corpus/damage.h"

#include <algorithm>
#include <utility>

#include "corpus/json_tree.h"
#include "corpus/text.h"
#include "corpus/word_lists.h"
#include "engine/base/utf8.h"

namespace leafscore::internal::corpus {
namespace {

using Children = std::vector<JsonTree>;

Children::iterator RandomChild(Random& random, Children& children) {
  return children.begin() + static_cast<std::ptrdiff_t>(random.Below(children.size()));
}

void MakeNull(JsonTree& value) { value = {JsonKind::kNull, value.key, "null", {}}; }

void Wrap(JsonTree& value, JsonKind kind) {
  JsonTree inner = std::move(value);
  value = {kind, inner.key, {}, {}};
  inner.key = kind == JsonKind::kObject ? "value" : "";
  value.children.push_back(std::move(inner));
}

void DamageLeaf(Random& random, JsonTree& leaf) {
  switch (random.Below(16)) {
    case 0:
      return MakeNull(leaf);
    case 1:
      return Wrap(leaf, random.OneIn(2) ? JsonKind::kObject : JsonKind::kArray);
    case 2:
      leaf.kind = JsonKind::kString;  // the token as text: "12.5", "true", "null"
      return;
    default:
      break;
  }
  switch (leaf.kind) {
    case JsonKind::kString:
      return DamageString(random, leaf.text);
    case JsonKind::kNumber:
      leaf.text = DamageNumber(random, leaf.text);
      return;
    case JsonKind::kBool:
      leaf.text = leaf.text == "true" ? "false" : "true";
      return;
    default:
      leaf.kind = JsonKind::kString;
      leaf.text = random.Pick(kPlaceholders);
  }
}

// No document has keys of these names.
void AddExtraMember(Random& random, JsonTree& object) {
  switch (random.Below(3)) {
    case 0:
      return object.AddNumber("confidence", random.Between(50, 99), 2);
    case 1:
      return object.AddNumber("source_page", random.Between(1, 12));
    default:
      return object.AddString("explanation", Sentence(random));
  }
}

void DamageMembers(Random& random, Probability rate, JsonTree& object) {
  Children& members = object.children;
  if (random.Chance(rate / 2) && !members.empty()) members.erase(RandomChild(random, members));
  if (random.Chance(rate / 3)) AddExtraMember(random, object);
  if (random.Chance(rate / 2)) {
    for (std::uint64_t moves = random.Below(members.size() + 1); moves > 0; --moves) {
      std::swap(*RandomChild(random, members), members.front());
    }
  }
}

void DamageElements(Random& random, Probability rate, Children& elements) {
  if (elements.empty() || !random.Chance(rate)) return;
  const auto element = RandomChild(random, elements);
  switch (random.Below(3)) {
    case 0:
      elements.erase(element);
      break;
    case 1:
      elements.push_back(JsonTree(*element));
      break;
    default:
      std::swap(*element, elements.front());
  }
}

void CutAnywhere(Random& random, std::string& text) {
  text.resize(CodePointBegin(text, 1 + random.Below(text.size() - 1)));
}

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

// Return where a random code point begins, and where the word around a random byte begins. REQUIRES: text is
// not empty.
std::size_t RandomCodePoint(Random& random, std::string_view text) {
  return CodePointBegin(text, random.Below(text.size()));
}
std::size_t RandomWord(Random& random, std::string_view text) {
  return text.rfind(' ', random.Below(text.size())) + 1;
}

// Returns a code point that could stand by mistake for the one at `pos`: of the same class, or else from
// elsewhere in the text, and so mostly of the same script.
std::string Lookalike(Random& random, std::string_view text, std::size_t pos) {
  const char c = text[pos];
  if (IsLower(c)) return std::string(1, static_cast<char>('a' + random.Below(26)));
  if (IsUpper(c)) return std::string(1, static_cast<char>('A' + random.Below(26)));
  if (IsDigit(c)) return std::string(1, static_cast<char>('0' + random.Below(10)));
  const std::size_t other = RandomCodePoint(random, text);
  return std::string(text.substr(other, CodePointEnd(text, other) - other));
}

void MakeTypo(Random& random, std::string& text) {
  if (text.empty()) return;
  const std::size_t pos = RandomCodePoint(random, text);
  const std::size_t bytes = CodePointEnd(text, pos) - pos;
  switch (random.Below(4)) {
    case 0:
      text.replace(pos, bytes, Lookalike(random, text, pos));
      break;
    case 1:
      text.insert(pos, Lookalike(random, text, pos));
      break;
    case 2:
      text.erase(pos, bytes);
      break;
    default:  // transposition
      if (pos + bytes < text.size()) {
        const auto begin = text.begin() + static_cast<std::ptrdiff_t>(pos);
        const auto middle = begin + static_cast<std::ptrdiff_t>(bytes);
        std::rotate(begin, middle,
                    middle + static_cast<std::ptrdiff_t>(CodePointEnd(text, pos + bytes) - (pos + bytes)));
      }
  }
}

void ChangeCase(Random& random, std::string& text) {
  const bool to_upper = random.OneIn(2);
  for (char& c : text) {
    if (to_upper ? IsLower(c) : IsUpper(c)) c = static_cast<char>(c ^ 0x20);
  }
}

void ChangeSpaces(Random& random, std::string& text) {
  switch (random.Below(4)) {
    case 0:
      text.insert(0, 1, ' ');
      break;
    case 1:
      text += ' ';
      break;
    case 2:
      text += '\n';
      break;
    default:
      text.insert(std::min(text.find(' '), text.size()), 1, ' ');
  }
}

void SwapHalves(std::string& text) {  // "Anna Novák" becomes "Novák, Anna"
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return;
  text = text.substr(space + 1) + ", " + text.substr(0, space);
}

bool IsDate(std::string_view text) {
  return text.size() >= 10 && text[4] == '-' && text[7] == '-' && IsDigit(text[0]) && IsDigit(text[9]);
}

// Turns the date at the beginning of the text from 2024-03-31 into another format.
void ReformatDate(Random& random, std::string& text) {
  constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::string year = text.substr(0, 4), month = text.substr(5, 2), day = text.substr(8, 2);
  const int month_index = (month[0] - '0') * 10 + (month[1] - '1');
  std::string date;
  switch (random.Below(5)) {
    case 0:
      date = month + '/' + day + '/' + year;
      break;
    case 1:
      date = day + '/' + month + '/' + year;
      break;
    case 2:
      date = day + '-' + std::string(kMonths[month_index]) + '-' + year;
      break;
    case 3:
      date = std::string(kMonths[month_index]) + ' ' + day + ", " + year;
      break;
    default:
      date = day + '.' + month + '.' + year;
  }
  text.replace(0, 10, date);
}

void Reword(Random& random, std::string& text) {
  std::uint64_t edits = 1 + random.Below(4 + text.size() / 100);
  for (; edits > 0 && !text.empty(); --edits) {
    const std::size_t begin = RandomWord(random, text);
    switch (random.Below(8)) {
      case 0: {  // some words left out
        const std::size_t end = std::min(text.find(' ', begin + random.Below(60)), text.size());
        if (end > begin) text.erase(begin, end - begin);
        break;
      }
      case 1:  // something added
        text.insert(begin, Sentence(random) + ' ');
        break;
      case 2:
      case 3:  // another word
        if (const std::size_t end = std::min(text.find(' ', begin), text.size()); end > begin) {
          text.replace(begin, end - begin, random.Pick(kTags));
        }
        break;
      default:
        MakeTypo(random, text);
    }
  }
}

}  // namespace

void DamageValue(Random& random, Probability rate, JsonTree& value) {
  if (!value.is_container()) {
    const bool is_free_text = value.text.size() >= kFreeTextBytes;
    if (random.Chance(is_free_text ? 3 * rate : rate)) DamageLeaf(random, value);
    return;
  }
  for (JsonTree& child : value.children) {
    DamageValue(random, rate, child);
    if (child.is_container() && random.Chance(rate / 20)) MakeNull(child);
  }
  if (value.kind == JsonKind::kObject) {
    DamageMembers(random, rate, value);
  } else {
    DamageElements(random, rate, value.children);
  }
}

void AppendRawAnswer(Random& random, const JsonTree& value, std::string& out) {
  std::string answer;
  AppendJson(answer, value,
             {random.OneIn(2) ? JsonLayout::kIndented : JsonLayout::kOneLine, Escaping::kMinimal});
  switch (random.Below(16)) {
    case 0:
      out += random.Pick(kRefusals);
      break;
    case 1:
      out += random.Pick(kIntroductions);
      out += answer;
      break;
    case 2:
    case 3:
    case 4:
      out += "```json\n";
      out += answer;
      out += "\n```";
      break;
    default:
      CutAnywhere(random, answer);
      out += answer;
  }
}

void DamageString(Random& random, std::string& text) {
  if (IsDate(text) && !random.OneIn(3)) return ReformatDate(random, text);
  if (text.size() >= kFreeTextBytes) return Reword(random, text);
  switch (text.empty() ? 9 : random.Below(10)) {
    case 6:
      ChangeCase(random, text);
      break;
    case 7:
      ChangeSpaces(random, text);
      break;
    case 8:
      SwapHalves(text);
      break;
    case 9:
      text = random.Pick(kPlaceholders);
      break;
    default:
      for (std::uint64_t typos = 1 + random.Below(2 + text.size() / 30); typos > 0; --typos) {
        MakeTypo(random, text);
      }
  }
}

std::string DamageNumber(Random& random, std::string_view token) {
  Decimal number = ParseDecimal(token);
  if (number.units == 0) return FormatDecimal({random.Between(1, 9), 0});
  switch (random.Below(8)) {
    case 0:
      number.units = -number.units;
      break;
    case 1:  // percents; at least one unit
      number.units += number.units * random.Between(-9, 9) / 100 + 1;
      break;
    case 2:
      number.units *= 10;
      break;
    case 3:
      ++number.decimals;
      break;
    case 4:  // the same number
      return FormatDecimal(number) + (number.decimals > 0 ? "0" : ".0");
    default: {  // one digit, perhaps left out
      std::string digits(token);
      std::size_t pos = random.Below(digits.size());
      if (!IsDigit(digits[pos])) ++pos;
      digits[pos] = static_cast<char>('1' + random.Below(9));
      return digits;
    }
  }
  return FormatDecimal(number);
}

}  // namespace leafscore::internal::corpus
