// engine/render/markup.h: texts from data in Markdown and LaTeX, where they stay texts. Markdown is GitHub
// Flavored Markdown (https://github.github.com/gfm), with what GitHub and GitLab add to it (mentions,
// references, emoji, formulas) and GitHub's own advice to put a character into a <span> where a backslash
// does not keep it. Stateless.
#ifndef LEAFSCORE_ENGINE_RENDER_MARKUP_H_
#define LEAFSCORE_ENGINE_RENDER_MARKUP_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Appends a text that stands within a line or a cell of a table: nothing in it is markup. Line ends become
// spaces. REQUIRES: valid UTF-8.
void AppendMarkdownCell(std::string& out, std::string_view text);

// Appends a text with which a paragraph or an item of a list begins: it also begins no list, rule, table or
// block of code. REQUIRES: valid UTF-8.
void AppendMarkdownLine(std::string& out, std::string_view text);

// Appends a cell of a table in LaTeX: nothing in it is markup, makes a ligature, or is read as an argument of
// the \\ before it. Characters beyond ASCII stay, control characters and marks of direction become escapes
// (\u001B), tabs and line ends spaces. REQUIRES: valid UTF-8.
void AppendLatexCell(std::string& out, std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_MARKUP_H_
