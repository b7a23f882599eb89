#include "engine/schema/schema_pattern.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "engine/base/utf8.h"

namespace leafscore::internal {

class ClassRow::Parser {
 public:
  explicit Parser(std::string_view pattern) : rest_(pattern) {}

  std::optional<ClassRow> Parse() {
    if (!Take('^')) return std::nullopt;
    ClassRow row;
    while (!rest_.empty() && good_) {
      if (rest_ == "$") {
        row.to_end_ = true;
        break;
      }
      Item item;
      ReadCharacters(item.characters);
      ReadCount(item);
      row.items_.push_back(item);
    }
    return good_ && row.NeverGivesBack() ? std::optional(std::move(row)) : std::nullopt;
  }

 private:
  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  char Next() {
    good_ = good_ && !rest_.empty() && static_cast<unsigned char>(rest_[0]) < 128;
    if (!good_) return '\0';
    const char c = rest_[0];
    rest_.remove_prefix(1);
    return c;
  }

  static void AddRange(Class& characters, char first, char last) {
    for (int c = first; c <= last; ++c) characters.set(static_cast<std::size_t>(c));
  }

  // Reads what follows a backslash. RETURNS: the character, or nullopt for a class.
  std::optional<char> ReadEscape(Class& characters) {
    constexpr std::string_view kMarks = "^$\\.*+?()[]{}|/-";
    const char c = Next();
    if (kMarks.find(c) != kMarks.npos && good_) {
      characters.set(static_cast<std::size_t>(c));
      return c;
    }
    good_ = good_ && (c == 'd' || c == 'w');
    AddRange(characters, '0', '9');
    if (c == 'd') return std::nullopt;
    AddRange(characters, 'a', 'z');
    AddRange(characters, 'A', 'Z');
    characters.set('_');
    return std::nullopt;
  }

  std::optional<char> ReadOne(Class& characters) {
    const char c = Next();
    if (c == '\\') return ReadEscape(characters);
    characters.set(static_cast<std::size_t>(c));
    return c;
  }

  void ReadCharacters(Class& characters) {
    constexpr std::string_view kSyntax = "^$.*+?()]{}|";
    if (!Take('[')) {
      if (!rest_.empty() && kSyntax.find(rest_[0]) != kSyntax.npos) good_ = false;
      ReadOne(characters);
      return;
    }
    if (rest_.starts_with('^')) good_ = false;
    while (good_ && !Take(']')) {
      const std::optional<char> first = ReadOne(characters);
      const bool is_range = rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']';
      if (!is_range) continue;
      Take('-');
      const std::optional<char> last = ReadOne(characters);
      good_ = good_ && first && last && *first <= *last;
      if (good_) AddRange(characters, *first, *last);
    }
  }

  std::size_t ReadNumber() {
    constexpr std::size_t kMost = 1'000'000;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    good_ = good_ && error == std::errc() && number <= kMost;
    if (good_) rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return number;
  }

  void ReadCount(Item& item) {
    constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
    if (Take('?')) {
      item.least = 0;
    } else if (Take('*')) {
      item.least = 0;
      item.most = kAny;
    } else if (Take('+')) {
      item.most = kAny;
    } else if (Take('{')) {
      item.least = item.most = ReadNumber();
      if (Take(',')) item.most = !rest_.empty() && IsDigit(rest_[0]) ? ReadNumber() : kAny;
      good_ = good_ && Take('}') && item.least <= item.most;
    } else {
      return;
    }
    if (rest_.starts_with('?')) good_ = false;  // a lazy count
  }

  std::string_view rest_;
  bool good_ = true;
};

std::optional<ClassRow> ClassRow::Parse(std::string_view pattern) { return Parser(pattern).Parse(); }

bool ClassRow::NeverGivesBack() const {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].least == items_[i].most) continue;
    for (std::size_t next = i + 1; next < items_.size(); ++next) {
      if ((items_[i].characters & items_[next].characters).any()) return false;
      if (items_[next].least > 0) break;
    }
  }
  return true;
}

bool ClassRow::Matches(std::string_view text) const {
  std::size_t at = 0;
  for (const Item& item : items_) {
    std::size_t count = 0;
    while (count < item.most && at < text.size() && static_cast<unsigned char>(text[at]) < 128 &&
           item.characters[static_cast<std::size_t>(text[at])]) {
      ++count;
      ++at;
    }
    if (count < item.least) return false;
  }
  return !to_end_ || at == text.size();
}

SchemaPattern::SchemaPattern(const std::string& pattern) : row_(ClassRow::Parse(pattern)) {
  // Try the Unicode mode first. It refuses escapes such as \_, which many patterns have.
  regex_ = std::make_unique<const JavaScriptRegex>(pattern, "u");
  if (regex_->state() == JavaScriptRegex::State::kReady) return;
  regex_ = std::make_unique<const JavaScriptRegex>(pattern, "");
}

}  // namespace leafscore::internal
