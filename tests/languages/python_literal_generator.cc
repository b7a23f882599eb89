#include "languages/python_literal_generator.h"

#include <cstddef>

namespace leafscore::internal {
namespace {

using corpus::Random;

// Space as it may stand between tokens inside brackets.
std::string Space(Random& random) {
  static constexpr const char* kSpaces[] = {" ",  "  ", "\t",      "\n",   "\r\n",
                                            "\r", "\f", "# c {\n", "\\\n", "\\\r\n"};
  return random.OneIn(6) ? random.Pick(kSpaces) : "";
}

std::string Number(Random& random) {
  static constexpr const char* kNumbers[] = {"0",
                                             "1",
                                             "7",
                                             "10",
                                             "1_000",
                                             "00",
                                             "0_0",
                                             "0xfF",
                                             "0X_1f",
                                             "0o17",
                                             "0b1_01",
                                             "1.",
                                             ".5",
                                             "1.0",
                                             "1.5e3",
                                             "1e5",
                                             "1E-7",
                                             "00.5",
                                             "09.25",
                                             "1_0.0_1",
                                             "1e16",
                                             "1e400",
                                             "1e-400",
                                             "123456789012345678901234567890",
                                             "9007199254740993",
                                             "9007199254740993.0",
                                             "0.1",
                                             "0xffffffffffffffffffffffffffffffffffffffff",
                                             "3j",
                                             "1.5J",
                                             "0j",
                                             "01",
                                             "1__0",
                                             "1_",
                                             "0x",
                                             "1e",
                                             "0b2",
                                             "1._5",
                                             "1e+05",
                                             "18446744073709551616",
                                             "1e22",
                                             "123456789012345680.0",
                                             "2."};
  return random.Pick(kNumbers);
}

std::string SignedNumber(Random& random) {
  static constexpr const char* kSigns[] = {"-", "+", "- ", "-(", "("};
  std::string text = Number(random);
  if (random.OneIn(3)) {
    const std::string sign = random.Pick(kSigns);
    text = sign + text + (sign.back() == '(' ? ")" : "");
  }
  if (random.OneIn(8)) {
    text += random.OneIn(2) ? "+" : " - ";
    text += random.OneIn(4) ? "(2j)" : random.OneIn(3) ? Number(random) : "1.5j";
  }
  return text;
}

std::string String(Random& random) {
  static constexpr const char* kPrefixes[] = {"",  "",  "",  "",   "r",  "R", "u",
                                              "U", "b", "B", "rb", "bR", "f", "ur"};
  static constexpr const char* kQuotes[] = {"'", "'", "\"", "\"", "'''", "\"\"\""};
  static constexpr const char* kPieces[] = {"a",
                                            "abc",
                                            " ",
                                            "[1]",
                                            "\\n",
                                            "\\'",
                                            "\\\"",
                                            "\\\\",
                                            "\\x41",
                                            "\\x4",
                                            "\\101",
                                            "\\0",
                                            "\\777",
                                            "\\8",
                                            "\\d",
                                            "\\u00e9",
                                            "\\ud800",
                                            "\\ude00",
                                            "\\u12",
                                            "\\U0001F600",
                                            "\\U00110000",
                                            "\\N{NO SUCH NAME}",
                                            "é",
                                            "😀",
                                            "\\é",
                                            "\xc2\xad",
                                            "\xe2\x80\x8b",
                                            "'",
                                            "\"",
                                            "\n",
                                            "\r\n",
                                            "\r",
                                            "\\\n",
                                            "\\\r\n",
                                            "\t",
                                            "\x01",
                                            "\x7f",
                                            "#",
                                            "{",
                                            "\\a\\b\\f\\v\\r\\t",
                                            "\xee\x80\x80",
                                            "\xed\x9f\xbf"};
  const std::string quote = random.Pick(kQuotes);
  std::string text = random.Pick(kPrefixes) + quote;
  for (std::uint64_t n = random.Below(5); n > 0; --n) text += random.Pick(kPieces);
  return text + quote;
}

std::string Scalar(Random& random) {
  static constexpr const char* kNames[] = {"None", "True", "False", "...", "set()", "nan", "true", "set"};
  switch (random.Below(5)) {
    case 0:
      return random.Pick(kNames);
    case 1:
      return SignedNumber(random);
    case 2:
      return Number(random);
    case 3:
      return String(random) + Space(random) + (random.OneIn(8) ? String(random) : "");
    default:
      return random.OneIn(2) ? "1" : "'k'";  // so that keys meet again
  }
}

std::string Value(Random& random, int depth) {
  const std::uint64_t kind = depth == 0 ? 0 : random.Below(8);
  if (kind < 3) return Scalar(random);
  static constexpr const char* kBrackets[] = {"[]", "()", "{}", "{}", "{}"};
  const std::string brackets = random.Pick(kBrackets);
  const bool dict = brackets == "{}" && !random.OneIn(4);
  // Keys and elements of sets are mostly such as have a hash.
  const int inner = brackets == "{}" && !random.OneIn(8) ? 0 : depth - 1;
  std::string text = brackets.substr(0, 1) + Space(random);
  const std::uint64_t count = random.Below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    text += inner == 0 && random.OneIn(6) ? "(" + Scalar(random) + ", 1)" : Value(random, inner);
    if (dict) text += Space(random) + ":" + Space(random) + Value(random, depth - 1);
    text += Space(random);
    if (i + 1 < count || random.OneIn(5)) text += "," + Space(random);
  }
  return text + brackets.substr(1);
}

}  // namespace

std::string RandomPythonLiteral(Random& random) {
  std::string text = Value(random, static_cast<int>(random.Below(5)));
  if (random.OneIn(8)) text = Space(random) + text + "," + Space(random);
  if (random.OneIn(8)) text = Space(random) + text + Space(random);
  if (random.OneIn(16)) text += ", " + Value(random, 1);
  return text;
}

std::string DamagedPythonLiteral(std::string text, Random& random) {
  static constexpr char kBytes[] = "()[]{},:+-'\"\\ \t\n\r#0123456789._eExXjJbruNTFs\f;=*";
  for (std::uint64_t n = 1 + random.Below(3); n > 0 && !text.empty(); --n) {
    const std::size_t at = random.Below(text.size());
    if (static_cast<unsigned char>(text[at]) >= 0x80) continue;  // the text stays valid UTF-8
    const char byte = kBytes[random.Below(sizeof kBytes - 1)];
    switch (random.Below(4)) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.erase(at, 1);
        break;
      case 2:
        text.insert(at, 1, text[at]);
        break;
      default:
        text.insert(at, 1, byte);
        break;
    }
  }
  return text;
}

}  // namespace leafscore::internal
