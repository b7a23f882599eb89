// engine/render/markup.h: writes texts from data in Markdown and LaTeX, so that they stay plain texts.
// Markdown is GitHub Flavored Markdown (https://github.github.com/gfm), including the additions of GitHub and
// GitLab (mentions, references, emoji, formulas). Where a backslash is not enough, GitHub advises to put the
// character into a <span>. Stateless.
#ifndef LEAFSCORE_ENGINE_RENDER_MARKUP_H_
#define LEAFSCORE_ENGINE_RENDER_MARKUP_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Appends a text inside a line or a table cell: nothing in it is markup. Line ends become spaces. REQUIRES:
// valid UTF-8.
void AppendMarkdownCell(std::string& out, std::string_view text);

// Appends a text that begins a paragraph or list item. There it could also begin a list, rule, table or code
// block, so it is escaped. REQUIRES: valid UTF-8.
void AppendMarkdownLine(std::string& out, std::string_view text);

// Appends a cell of a LaTeX table: nothing in it is markup, makes a ligature, or is read as an argument of
// the \\ before it. Characters beyond ASCII stay, control characters and directional marks become escapes
// (\u001B), tabs and line ends spaces. REQUIRES: valid UTF-8.
void AppendLatexCell(std::string& out, std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_MARKUP_H_
