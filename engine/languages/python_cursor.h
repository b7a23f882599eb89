// engine/languages/python_cursor.h: steps from token to token over the lines of a Python expression (The Python
// Language Reference, 2.1). THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_CURSOR_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_CURSOR_H_

#include <cstddef>
#include <string_view>

namespace leafscore::internal {

class PythonCursor {
 public:
  static constexpr char kEnd = '\0';
  static constexpr char kBad = '\x7f';

  // REQUIRES: `text` outlives the cursor, and holds no NUL.
  explicit PythonCursor(std::string_view text) : text_(text) {}

  // Skips space, comments, joined lines and empty lines.
  // RETURNS: the first byte of a token, which rest() begins with; '\n' for the end of a line with tokens,
  //          outside brackets; kEnd; kBad for an indented token, and for a backslash that joins no lines.
  char Next(bool in_brackets);

  std::string_view rest() const { return text_.substr(pos_); }
  void Skip(std::size_t bytes) { pos_ += bytes; }

 private:
  bool SkipJoint();
  bool SkipIndentation(bool in_brackets);
  bool at_end() const { return pos_ == text_.size(); }

  std::string_view text_;
  std::size_t pos_ = 0;
  bool line_start_ = true;
  bool line_empty_ = true;  // no token has been on this line
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_CURSOR_H_
