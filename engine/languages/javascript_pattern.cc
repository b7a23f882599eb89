#include "engine/languages/javascript_pattern.h"

#include <fmt/format.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/languages/javascript_groups.h"
#include "engine/languages/javascript_property.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMostOpenGroups = 200;  // below PCRE2's limit (250), as we add some
constexpr std::uint32_t kMostRepeats = 65535;

constexpr CharRange kDigits[] = {{'0', '9'}};
constexpr CharRange kWordCharacters[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
// The characters that equal a word character under the flags u and i.
constexpr CharRange kFoldedWordCharacters[] = {{'0', '9'}, {'A', 'Z'},     {'_', '_'},
                                               {'a', 'z'}, {0x17F, 0x17F}, {0x212A, 0x212A}};
constexpr CharRange kSpaces[] = {{'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680},
                                 {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                                 {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
constexpr CharRange kLineEnds[] = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};

// Why a pattern cannot be translated.
struct PatternFault {
  std::string message;
  bool unsupported = false;
};

// Canonicalize (22.2.2.7.3) of each UTF-16 code unit, without the flag u.
using UpperUnits = std::array<char16_t, 0x10000>;

const UpperUnits& Uppers() {
  static const std::unique_ptr<const UpperUnits> uppers = [] {
    auto table = std::make_unique<UpperUnits>();
    for (std::uint32_t c = 0; c < table->size(); ++c) {
      const auto unit = static_cast<char16_t>(c);
      (*table)[c] = unit;
      if (c >= 0xD800 && c < 0xE000) continue;
      char16_t upper[4];
      UErrorCode status = U_ZERO_ERROR;
      const std::int32_t size = u_strToUpper(upper, 4, &unit, 1, "", &status);
      if (U_SUCCESS(status) && size == 1 && (c < 0x80 || upper[0] >= 0x80)) (*table)[c] = upper[0];
    }
    return table;
  }();
  return *uppers;
}

// Adds the other cases of the characters in the ranges, code unit by code unit.
void AddOtherCases(CharRanges& ranges) {
  bool ascii = true;
  const std::size_t count = ranges.size();
  for (std::size_t i = 0; i < count; ++i) {
    const CharRange range = ranges[i];
    ascii &= range.last < 0x80;
    for (const auto [first, last, other] : {std::array<char32_t, 3>{'a', 'z', 'A'}, {'A', 'Z', 'a'}}) {
      const char32_t from = std::max(range.first, first);
      const char32_t to = std::min(range.last, last);
      if (from <= to) ranges.push_back({from - first + other, to - first + other});
    }
  }
  if (ascii) return;
  const UpperUnits& uppers = Uppers();
  auto held = std::make_unique<std::bitset<0x10000>>();
  for (std::size_t i = 0; i < count; ++i) {
    for (char32_t c = std::max<char32_t>(ranges[i].first, 0x80);
         c <= std::min<char32_t>(ranges[i].last, 0xFFFF); ++c) {
      held->set(uppers[c]);
    }
  }
  for (char32_t c = 0x80; c < held->size(); ++c) {
    if (!held->test(uppers[c])) continue;
    if (ranges.size() > count && ranges.back().last + 1 == c) {
      ranges.back().last = c;
    } else {
      ranges.push_back({c, c});
    }
  }
}

bool IsAsciiLetter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDecimal(char32_t c) { return c >= '0' && c <= '9'; }
std::optional<std::uint32_t> HexValue(char32_t c) {
  if (IsDecimal(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// The meaning of an escape: a character, or a class of characters.
struct Escape {
  char32_t character = 0;
  bool is_class = false;
  CharRanges ranges = {};
  std::string property = {};  // more characters, in PCRE2's syntax: \p{L}
};

class PatternTranslator {
 public:
  PatternTranslator(std::string_view pattern, JavaScriptFlags flags)
      : in_(CharactersOf(pattern, flags.unicode)), flags_(flags), groups_(in_) {}

  std::u16string Translate() {
    if (groups_.name_stands_twice()) throw PatternFault{"two groups that may both match have the same name"};
    Disjunction();
    if (!AtEnd()) throw PatternFault{"unmatched )"};
    return std::move(out_);
  }

 private:
  // Returns the UTF-16 code units, or the code points.
  static std::u32string CharactersOf(std::string_view pattern, bool code_points) {
    const std::u16string units = Utf16Of(pattern);
    std::u32string characters;
    for (std::size_t i = 0; i < units.size(); ++i) {
      char32_t c = units[i];
      const bool pair = c >= 0xD800 && c < 0xDC00 && i + 1 < units.size() && units[i + 1] >= 0xDC00 &&
                        units[i + 1] < 0xE000;
      if (code_points && pair) c = 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00);
      characters += c;
    }
    return characters;
  }

  bool AtEnd() const { return at_ == in_.size(); }
  char32_t Peek(std::size_t ahead = 0) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : 0; }
  bool Looks(std::u32string_view text) const { return in_.compare(at_, text.size(), text) == 0; }
  bool Take(std::u32string_view text) {
    if (!Looks(text)) return false;
    at_ += text.size();
    return true;
  }
  void Emit(std::string_view ascii) { out_.append(ascii.begin(), ascii.end()); }
  char32_t Most() const { return flags_.unicode ? 0x10FFFF : 0xFFFF; }

  void Disjunction() {
    for (;;) {
      while (!AtEnd() && Peek() != '|' && Peek() != ')') Term();
      if (!Take(U"|")) return;
      Emit("|");
    }
  }

  void Term() {
    const char32_t c = Peek();
    if (Take(U"^"))
      return flags_.multiline ? EmitAssertion("(?<!", kLineEnds, /*negated=*/true) : Emit("\\A");
    if (Take(U"$")) return flags_.multiline ? EmitAssertion("(?!", kLineEnds, /*negated=*/true) : Emit("\\z");
    if (Take(U"\\b")) return WordEdge("(?=", "(?!");
    if (Take(U"\\B")) return WordEdge("(?!", "(?=");
    bool can_repeat = true;
    if (c == '(') {
      can_repeat = Group();
    } else if (Take(U".")) {
      EmitClass(flags_.dot_all ? CharRanges{} : CharRanges(std::begin(kLineEnds), std::end(kLineEnds)), "",
                /*negated=*/true);
    } else if (Take(U"[")) {
      Class();
    } else if (c == '\\') {
      AtomEscape();
    } else if (c == '*' || c == '+' || c == '?' || (c == '{' && (flags_.unicode || IsQuantifier()))) {
      throw PatternFault{"nothing to repeat"};
    } else if (flags_.unicode && (c == '}' || c == ']')) {
      throw PatternFault{"a lone bracket, which the flag u does not allow"};
    } else {
      ++at_;
      EmitCharacter(c);
    }
    Quantifier(can_repeat);
  }

  // Emits a look-around for one character.
  void EmitAssertion(std::string_view open, std::span<const CharRange> ranges, bool negated) {
    Emit(open);
    EmitClass({ranges.begin(), ranges.end()}, "", negated);
    Emit(")");
  }

  std::span<const CharRange> WordRanges() const {
    if (flags_.unicode && flags_.ignore_case) return kFoldedWordCharacters;
    return kWordCharacters;
  }

  // Emits an assertion whether the next character is a word character. The assertion begins with `after_word`
  // after a word character, and with `else_word` elsewhere.
  void WordEdge(std::string_view else_word, std::string_view after_word) {
    Emit("(?:");
    EmitAssertion("(?<=", WordRanges(), false);
    EmitAssertion(after_word, WordRanges(), false);
    Emit("|");
    EmitAssertion("(?<!", WordRanges(), false);
    EmitAssertion(else_word, WordRanges(), false);
    Emit(")");
  }

  // RETURNS: whether a quantifier may follow.
  bool Group() {
    ++at_;
    if (++open_groups_ > kMostOpenGroups) throw PatternFault{"groups nested more than 200 deep", true};
    const JavaScriptFlags outer = flags_;
    bool can_repeat = true;
    if (Take(U"?<=") || Take(U"?<!")) {
      Emit(in_[at_ - 1] == '=' ? "(?<=" : "(?<!");
      can_repeat = false;
    } else if (Take(U"?=") || Take(U"?!")) {
      Emit(in_[at_ - 1] == '=' ? "(?=" : "(?!");
      can_repeat = !flags_.unicode;
    } else if (Take(U"?:")) {
      Emit("(?:");
    } else if (Take(U"?<")) {
      const std::size_t end = in_.find('>', at_);
      if (end == in_.npos || end == at_ || IsDecimal(Peek())) throw PatternFault{"a group's name is invalid"};
      for (; at_ < end; ++at_) {
        const char32_t c = Peek();
        if (c < 0x80 && !IsAsciiLetter(c) && !IsDecimal(c) && c != '_' && c != '$') {
          throw PatternFault{"a group's name is invalid"};
        }
      }
      ++at_;
      Emit("(");
    } else if (Take(U"?")) {
      Modifiers();
      Emit("(?:");
    } else {
      Emit("(");
    }
    Disjunction();
    if (!Take(U")")) throw PatternFault{"a group is not closed"};
    Emit(")");
    flags_ = outer;
    --open_groups_;
    return can_repeat;
  }

  // Reads (?i-s:
  void Modifiers() {
    std::u32string seen;
    bool on = true;
    std::size_t letters = 0;
    for (; Peek() != ':'; ++at_) {
      if (on && Peek() == '-') {
        on = false;
        continue;
      }
      const char32_t c = Peek();
      if ((c != 'i' && c != 'm' && c != 's') || seen.find(c) != seen.npos)
        throw PatternFault{"invalid group"};
      seen += c;
      ++letters;
      if (c == 'i') flags_.ignore_case = on;
      if (c == 'm') flags_.multiline = on;
      if (c == 's') flags_.dot_all = on;
    }
    if (letters == 0) throw PatternFault{"invalid group"};
    ++at_;
  }

  // Returns whether {n}, {n,} or {n,m} comes next.
  bool IsQuantifier() const {
    std::size_t i = at_ + 1;
    const auto digits = [&] {
      const std::size_t begin = i;
      while (i < in_.size() && IsDecimal(in_[i])) ++i;
      return i > begin;
    };
    if (!digits()) return false;
    if (i < in_.size() && in_[i] == ',') {
      ++i;
      digits();
    }
    return i < in_.size() && in_[i] == '}';
  }

  // Reads a number; more than a million counts as a million.
  std::uint32_t Number() {
    std::uint32_t number = 0;
    for (; IsDecimal(Peek()); ++at_) number = std::min(number * 10 + (Peek() - '0'), 1'000'000u);
    return number;
  }

  void Quantifier(bool can_repeat) {
    const char32_t c = Peek();
    const bool counted = c == '{' && IsQuantifier();
    if (c == '{' && flags_.unicode && !counted) throw PatternFault{"an incomplete quantifier"};
    if (!counted && c != '*' && c != '+' && c != '?') return;
    if (!can_repeat || AtEnd()) throw PatternFault{"nothing to repeat"};
    ++at_;
    if (counted) {
      const std::uint32_t least = Number();
      std::optional<std::uint32_t> most = least;
      if (Take(U",")) most = IsDecimal(Peek()) ? std::optional(Number()) : std::nullopt;
      ++at_;
      if (most && *most < least) throw PatternFault{"numbers out of order in a quantifier"};
      if (least > kMostRepeats) throw PatternFault{"a quantifier above 65535", true};
      if (!most || *most > kMostRepeats) {
        Emit(fmt::format("{{{},}}", least));
      } else {
        Emit(fmt::format("{{{},{}}}", least, *most));
      }
    } else {
      const char ascii = static_cast<char>(c);
      Emit({&ascii, 1});
    }
    if (Take(U"?")) Emit("?");
  }

  void AtomEscape() {
    const std::size_t begin = at_++;
    if (AtEnd()) throw PatternFault{"\\ at the end"};
    if (Peek() >= '1' && Peek() <= '9') {
      const std::uint32_t number = Number();
      if (number <= groups_.count()) return Backreference(std::array{number});
      if (flags_.unicode) throw PatternFault{"a back reference to a group that does not exist"};
      at_ = begin + 1;
    } else if (Peek() == 'k' && (flags_.unicode || groups_.has_names())) {
      const std::size_t end = Peek(1) == '<' ? in_.find('>', at_) : in_.npos;
      if (end == in_.npos) throw PatternFault{"an invalid back reference"};
      const auto numbers = groups_.Named(std::u32string_view(in_).substr(at_ + 2, end - at_ - 2));
      if (numbers.empty()) throw PatternFault{"a back reference to a group name that does not exist"};
      at_ = end + 1;
      return Backreference(numbers);
    }
    const Escape escape = ReadEscape(/*in_class=*/false);
    if (escape.is_class) {
      EmitClass(escape.ranges, escape.property, /*negated=*/false);
    } else {
      EmitCharacter(escape.character);
    }
  }

  // Only one of several groups matches, and a reference to any other matches the empty text.
  void Backreference(std::span<const std::uint32_t> numbers) {
    std::string references;
    for (const std::uint32_t number : numbers) {
      if (numbers.size() > 1 && groups_.RepeatMayPassOver(number)) {
        throw PatternFault{"a back reference to groups of the same name inside a repeat", true};
      }
      references += fmt::format("\\g{{{}}}", number);
    }
    if (!flags_.ignore_case && numbers.size() == 1) return Emit(references);
    Emit((flags_.ignore_case ? "(?i:" : "(?:") + references + ")");
  }

  // Reads the text after a backslash.
  Escape ReadEscape(bool in_class) {
    const char32_t c = in_[at_++];
    switch (c) {
      case 'd':
      case 'D':
        return ClassEscape(kDigits, c == 'D');
      case 's':
      case 'S':
        return ClassEscape(kSpaces, c == 'S');
      case 'w':
      case 'W':
        return ClassEscape(WordRanges(), c == 'W');
      case 'p':
      case 'P':
        if (flags_.unicode) return Property(c == 'P');
        return {c};
      case 't':
        return {'\t'};
      case 'n':
        return {'\n'};
      case 'v':
        return {'\v'};
      case 'f':
        return {'\f'};
      case 'r':
        return {'\r'};
      case 'x':
        if (const auto value = Hex(2)) return {*value};
        break;
      case 'u':
        if (const auto value = UnicodeEscape()) return {*value};
        break;
      case 'c':
        if (IsAsciiLetter(Peek()) || (in_class && !flags_.unicode && (IsDecimal(Peek()) || Peek() == '_'))) {
          return {in_[at_++] % 32};
        }
        if (flags_.unicode) break;
        --at_;  // the backslash stands for itself, and c comes next
        return {'\\'};
      default:
        if (IsDecimal(c)) return DecimalEscape(c);
    }
    if (in_class && c == 'b') return {'\b'};
    constexpr std::u32string_view kSyntax = U"^$\\.*+?()[]{}|/";
    constexpr std::u32string_view kPunctuationOfSets = U"&!#%,:;<=>@`~";
    const bool may_stand = kSyntax.find(c) != kSyntax.npos || (in_class && c == '-') ||
                           (in_class && flags_.sets && kPunctuationOfSets.find(c) != kSyntax.npos);
    if (flags_.unicode && !may_stand)
      throw PatternFault{"an invalid escape, which the flag u does not allow"};
    if (c == 'k' && groups_.has_names()) throw PatternFault{"an invalid back reference"};
    return {c};
  }

  Escape DecimalEscape(char32_t c) {
    if (flags_.unicode) {
      if (c != '0' || IsDecimal(Peek()))
        throw PatternFault{"an invalid escape, which the flag u does not allow"};
      return {0};
    }
    if (c >= '8') return {c};
    char32_t value = c - '0';  // octal, up to 377
    for (int i = 0; i < 2 && Peek() >= '0' && Peek() <= '7' && value * 8 + (Peek() - '0') < 256; ++i) {
      value = value * 8 + (in_[at_++] - '0');
    }
    return {value};
  }

  std::optional<char32_t> Hex(std::size_t digits) {
    char32_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const auto digit = HexValue(Peek(i));
      if (!digit) return std::nullopt;
      value = value * 16 + *digit;
    }
    at_ += digits;
    return value;
  }

  std::optional<char32_t> UnicodeEscape() {
    if (flags_.unicode && Peek() == '{') {
      char32_t value = 0;
      std::size_t i = 1;
      for (; const auto digit = HexValue(Peek(i)); ++i) {
        value = value * 16 + *digit;
        if (value > 0x10FFFF) return std::nullopt;
      }
      if (i == 1 || Peek(i) != '}') return std::nullopt;
      at_ += i + 1;
      return value;
    }
    const std::optional<char32_t> value = Hex(4);
    if (!value || !flags_.unicode || *value < 0xD800 || *value >= 0xDC00 || !Looks(U"\\u")) return value;
    const std::size_t behind = at_;
    at_ += 2;
    const std::optional<char32_t> low = Hex(4);
    if (low && *low >= 0xDC00 && *low < 0xE000) return 0x10000 + ((*value - 0xD800) << 10) + (*low - 0xDC00);
    at_ = behind;
    return value;
  }

  Escape ClassEscape(std::span<const CharRange> ranges, bool negated) {
    Escape escape{.is_class = true};
    if (!negated) {
      escape.ranges.assign(ranges.begin(), ranges.end());
      return escape;
    }
    char32_t next = 0;
    for (const CharRange& range : ranges) {  // in order
      if (range.first > next) escape.ranges.push_back({next, range.first - 1});
      next = range.last + 1;
    }
    escape.ranges.push_back({next, Most()});
    return escape;
  }

  // Reads \p{L}, \p{Script=Greek}
  Escape Property(bool negated) {
    const PatternFault invalid{"an invalid property name"};
    if (!Take(U"{")) throw invalid;
    std::string name;
    for (; IsAsciiLetter(Peek()) || IsDecimal(Peek()) || Peek() == '_' || Peek() == '='; ++at_) {
      name += static_cast<char>(Peek());
    }
    if (!Take(U"}")) throw invalid;
    if (flags_.sets && !negated && !in_negated_class_ && IsPropertyOfStrings(name)) {
      throw PatternFault{"a property of strings (flag v)", true};
    }
    const std::optional<JavaScriptProperty> property = FindJavaScriptProperty(name);
    if (!property) throw invalid;
    return EscapeOf(*property, negated);
  }

  // With the flag i, a property includes the other cases of its characters. With the flag v, \P{...} is the
  // complement of the property including these cases. With u, it is the complement of the property alone,
  // plus the other cases of the characters in this complement.
  Escape EscapeOf(const JavaScriptProperty& property, bool negated) const {
    Escape escape{.is_class = true};
    const bool folds_first = flags_.ignore_case && negated && flags_.sets;
    if (!property.pcre_name.empty() && !folds_first) {
      escape.property = fmt::format("\\{}{{{}}}", negated ? 'P' : 'p', property.pcre_name);
      if (!flags_.ignore_case) return escape;
    }
    CharRanges characters = property.Characters();
    if (folds_first) AddRanges(OtherCases(characters), characters);
    if (negated) characters = ComplementOf(std::move(characters));
    if (escape.property.empty()) escape.ranges = characters;
    if (flags_.ignore_case) AddRanges(OtherCases(characters), escape.ranges);
    return escape;
  }

  static void AddRanges(const CharRanges& more, CharRanges& ranges) {
    ranges.insert(ranges.end(), more.begin(), more.end());
  }

  void Class() {
    const bool negated = Take(U"^");
    in_negated_class_ = negated;
    CharRanges chosen;  // its other cases belong to it
    CharRanges closed;  // includes its other cases
    std::string properties;
    CheckNoOperation(/*at_start=*/true);
    while (!Take(U"]")) {
      const Escape first = ClassAtom();
      CheckNoOperation();
      const bool range = Peek() == '-' && at_ + 1 < in_.size() && Peek(1) != ']';
      if (!range) {
        AddAtom(first, chosen, closed, properties);
        continue;
      }
      ++at_;
      const Escape last = ClassAtom();
      if (first.is_class || last.is_class) {
        if (flags_.unicode) throw PatternFault{"a range that ends in a class"};
        AddAtom(first, chosen, closed, properties);
        chosen.push_back({'-', '-'});
        AddAtom(last, chosen, closed, properties);
      } else if (last.character < first.character) {
        throw PatternFault{"a range out of order"};
      } else {
        chosen.push_back({first.character, last.character});
      }
    }
    in_negated_class_ = false;
    if (flags_.ignore_case && !flags_.unicode) AddOtherCases(chosen);
    if (flags_.ignore_case && flags_.unicode) AddRanges(OtherCases(chosen), closed);
    AddRanges(closed, chosen);
    EmitClass(chosen, properties, negated);
  }

  void CheckNoOperation(bool at_start = false) const {
    if (!flags_.sets) return;
    const bool operation = Looks(U"--") || Looks(U"&&");
    if (operation && (at_start || Peek(2) == ']'))
      throw PatternFault{"a class operation without a second operand"};
    if (operation || Peek() == '[' || Looks(U"\\q")) {
      throw PatternFault{"operations on classes (flag v)", true};
    }
  }

  // With the flag v, some characters, and some pairs of equal characters, may be in a class only after a
  // backslash.
  void CheckMayStandInSet() const {
    constexpr std::u32string_view kNever = U"(){}/-|";
    constexpr std::u32string_view kNotTwice = U"&!#$%*+,.:;<=>?@^`~";
    const char32_t c = Peek();
    if (kNever.find(c) != kNever.npos || (c == Peek(1) && kNotTwice.find(c) != kNotTwice.npos)) {
      throw PatternFault{"a character without a backslash, which the flag v does not allow in a class"};
    }
  }

  Escape ClassAtom() {
    if (AtEnd()) throw PatternFault{"a class is not closed"};
    CheckNoOperation();
    if (flags_.sets) CheckMayStandInSet();
    if (Peek() != '\\') return {in_[at_++]};
    ++at_;
    if (AtEnd()) throw PatternFault{"\\ at the end"};
    return ReadEscape(/*in_class=*/true);
  }

  static void AddAtom(const Escape& atom, CharRanges& chosen, CharRanges& closed, std::string& properties) {
    if (!atom.is_class) {
      chosen.push_back({atom.character, atom.character});
      return;
    }
    closed.insert(closed.end(), atom.ranges.begin(), atom.ranges.end());
    properties += atom.property;
  }

  void EmitCharacter(char32_t c) {
    CharRanges ranges{{c, c}};
    if (flags_.ignore_case && !flags_.unicode) AddOtherCases(ranges);
    if (ranges.size() > 1) return EmitClass(ranges, "", /*negated=*/false);
    if (flags_.unicode && flags_.ignore_case) {  // (?i:...) may have changed it
      Emit(fmt::format("(?i:{})", Hexadecimal(c)));
    } else {
      Emit(Hexadecimal(c));
    }
  }

  std::string Hexadecimal(char32_t c) const {
    if (flags_.unicode && c >= 0xD800 && c < 0xE000) {
      throw PatternFault{"half a surrogate pair with the flag u", true};
    }
    if (IsAsciiLetter(c) || IsDecimal(c)) return {static_cast<char>(c)};
    return fmt::format("\\x{{{:x}}}", static_cast<std::uint32_t>(c));
  }

  void EmitClass(const CharRanges& ranges, std::string_view properties, bool negated) {
    if (ranges.empty() && properties.empty()) {
      Emit(negated ? fmt::format("[\\x{{0}}-\\x{{{:x}}}]", static_cast<std::uint32_t>(Most())) : "(?!)");
      return;
    }
    Emit(negated ? "[^" : "[");
    for (const CharRange& range : ranges) {
      Emit(Hexadecimal(range.first));
      if (range.last == range.first) continue;
      Emit("-");
      Emit(Hexadecimal(range.last));
    }
    Emit(properties);
    Emit("]");
  }

  std::u32string in_;
  std::size_t at_ = 0;
  std::u16string out_;
  JavaScriptFlags flags_;
  JavaScriptGroups groups_;
  bool in_negated_class_ = false;
  std::size_t open_groups_ = 0;
};

}  // namespace

bool JavaScriptFlags::Read(std::string_view letters) {
  constexpr std::string_view kLetters = "dgimsuvy";
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char letter = letters[i];
    if (kLetters.find(letter) == kLetters.npos || letters.find(letter, i + 1) != letters.npos) return false;
    ignore_case |= letter == 'i';
    multiline |= letter == 'm';
    dot_all |= letter == 's';
    unicode |= letter == 'u' || letter == 'v';
    sets |= letter == 'v';
    sticky |= letter == 'y';
  }
  return !sets || letters.find('u') == letters.npos;
}

TranslatedPattern TranslateJavaScriptPattern(std::string_view pattern, JavaScriptFlags flags) {
  TranslatedPattern translated;
  try {
    translated.pattern = PatternTranslator(pattern, flags).Translate();
  } catch (const PatternFault& fault) {
    translated.fault = fault.message;
    translated.unsupported = fault.unsupported;
  }
  return translated;
}

std::u16string Utf16Of(std::string_view utf8) {
  std::u16string units;
  units.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size();) {
    const std::size_t end = CodePointEnd(utf8, i);
    const auto lead = static_cast<unsigned char>(utf8[i]);
    char32_t c = lead;
    if (lead >= 0x80) {
      c = lead & (0x7Fu >> (end - i));
      for (std::size_t k = i + 1; k < end; ++k) c = c << 6 | (static_cast<unsigned char>(utf8[k]) & 0x3Fu);
    }
    if (c >= 0x10000) {
      units += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
      c = 0xDC00 + (c & 0x3FF);
    }
    units += static_cast<char16_t>(c);
    i = end;
  }
  return units;
}

}  // namespace leafscore::internal
