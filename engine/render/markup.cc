#include "engine/render/markup.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "engine/base/display.h"
#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Returns the character before `at`, or a space if there is none.
char Before(std::string_view text, std::size_t at) { return at == 0 ? ' ' : text[at - 1]; }

// Returns the length of the run of letters, digits and `others` that starts at `at`.
std::size_t Run(std::string_view text, std::size_t at, std::string_view others) {
  std::size_t end = at;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                               others.find(text[end]) != others.npos)) {
    ++end;
  }
  return end - at;
}

// Returns whether the @ at this place belongs to a mention of a user, or to a mail address whose domain has a
// dot.
bool IsMentionOrAddress(std::string_view text, std::size_t at) {
  const std::size_t size = Run(text, at + 1, "-_.");
  if (size == 0) return false;
  return !IsWord(Before(text, at)) || text.substr(at + 1, size).find('.') != std::string_view::npos;
}

// Returns whether the colon at this place belongs to a link (http://) or begins an emoji (:tada:).
bool IsLinkOrEmoji(std::string_view text, std::size_t at) {
  const std::size_t size = Run(text, at + 1, "_+-");
  return text.substr(at + 1, 2) == "//" || (size > 0 && text.substr(at + 1 + size, 1) == ":");
}

// Returns whether the character would keep a meaning even after a backslash. Services search for some markup
// in the output of Markdown, where the backslash is gone.
bool NeedsSpan(std::string_view text, std::size_t at) {
  switch (text[at]) {
    case '$':  // a formula
      return true;
    case '@':
      return IsMentionOrAddress(text, at);
    case ':':
      return IsLinkOrEmoji(text, at);
    case '.':
      return at >= 3 && text.substr(at - 3, 3) == "www";
    case '#':  // an issue
      return at + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0;
    default:
      return false;
  }
}

// Returns the noncharacter at this place; empty if there is none.
std::string_view NoncharacterAt(std::string_view text, std::size_t at) {
  const std::string_view c = text.substr(at, 3);
  return c == "\uFFFE" || c == "\uFFFF" ? c : std::string_view();
}

void AppendFrom(std::string& out, std::string_view text, std::size_t begin) {
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (NeedsSpan(text, at)) {
      ((out += "<span>") += c) += "</span>";
    } else if (const std::string_view hidden = NoncharacterAt(text, at); !hidden.empty()) {
      (out += '\\') += EscapedCodePoint(hidden);
      at += hidden.size() - 1;
    } else {
      if (std::string_view("\\`*_{}[]<>#|~&!").find(c) != std::string_view::npos) out += '\\';
      out += c == '\n' || c == '\r' ? ' ' : c;
    }
  }
}

// Returns the LaTeX for a character; empty if it stands for itself. Unless a document asks for the font
// encoding T1, < > | ` would print as other characters.
std::string_view LatexSpecial(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '{':
      return "\\{";
    case '}':
      return "\\}";
    case '$':
      return "\\$";
    case '&':
      return "\\&";
    case '#':
      return "\\#";
    case '_':
      return "\\_";
    case '%':
      return "\\%";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '`':
      return "\\textasciigrave{}";
    case '\t':
    case '\n':
    case '\r':
      return " ";
    default:
      return "";
  }
}

// The same for the first character of a cell, which the \\ of the row before would take as its argument.
std::string_view LatexAtBegin(char c) {
  if (c == '[') return "{[}";
  if (c == '*') return "{*}";
  return LatexSpecial(c);
}

}  // namespace

void AppendMarkdownCell(std::string& out, std::string_view text) { AppendFrom(out, text, 0); }

void AppendMarkdownLine(std::string& out, std::string_view text) {
  if (text.empty()) return;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (text[0] == ' ' || text[0] == '\t' || text[0] == '\n' || text[0] == '\r') {
    out += "&#32;";  // not an indentation
    AppendFrom(out, text, 1);
  } else if (text[0] == '-' || text[0] == '+' || text[0] == '=') {
    (out += '\\') += text[0];
    AppendFrom(out, text, 1);
  } else if (digits > 0 && digits < text.size() && (text[digits] == '.' || text[digits] == ')')) {
    ((out += text.substr(0, digits)) += '\\') += text[digits];
    AppendFrom(out, text, digits + 1);
  } else {
    AppendFrom(out, text, 0);
  }
}

void AppendLatexCell(std::string& out, std::string_view text) {
  std::string plain;
  text = WithoutControls(text, plain);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (i > 0 && text[i - 1] == c && std::string_view("-',").find(c) != std::string_view::npos) out += "{}";
    const std::string_view special = i == 0 ? LatexAtBegin(c) : LatexSpecial(c);
    if (special.empty()) {
      out += c;
    } else {
      out += special;
    }
  }
}

}  // namespace leafscore::internal
