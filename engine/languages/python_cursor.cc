#include "engine/languages/python_cursor.h"

#include "engine/languages/python_string.h"

namespace leafscore::internal {

// Skips a backslash and the line break that must follow it; the text must go on after that.
bool PythonCursor::SkipJoint() {
  const std::size_t line_break = PythonLineBreak(text_, pos_ + 1);
  pos_ += 1 + line_break;
  return line_break != 0 && !at_end();
}

// Skips the space at the start of a line as Python's tokenizer does: a form feed begins the line anew, and
// over joined lines the first backslash behind a space decides. False for an indented token outside brackets.
bool PythonCursor::SkipIndentation(bool in_brackets) {
  std::size_t column = 0;
  std::size_t joint_column = 0;
  while (!at_end()) {
    const char c = text_[pos_];
    if (c == '\\') {
      if (joint_column == 0) joint_column = column;
      if (!SkipJoint()) return false;
      continue;
    }
    if (c == '\f') {
      column = 0;
    } else if (c == ' ' || c == '\t') {
      ++column;
    } else {
      break;
    }
    ++pos_;
  }
  const bool empty = at_end() || text_[pos_] == '#' || PythonLineBreak(text_, pos_) != 0;
  return empty || in_brackets || (joint_column == 0 && column == 0);
}

char PythonCursor::Next(bool in_brackets) {
  for (;;) {
    if (line_start_ && !SkipIndentation(in_brackets)) return kBad;
    line_start_ = false;
    if (at_end()) return kEnd;
    const char c = text_[pos_];
    if (const std::size_t line_break = PythonLineBreak(text_, pos_); line_break != 0) {
      pos_ += line_break;
      line_start_ = true;
      if (in_brackets || line_empty_) continue;
      line_empty_ = true;
      return '\n';
    }
    if (c == '#') {
      while (!at_end() && PythonLineBreak(text_, pos_) == 0) ++pos_;
    } else if (c == '\\') {
      if (!SkipJoint()) return kBad;
    } else if (c == ' ' || c == '\t' || c == '\f') {
      ++pos_;
    } else {
      line_empty_ = false;
      return c;
    }
  }
}

}  // namespace leafscore::internal
