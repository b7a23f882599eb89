// engine/report/markdown_text.h: texts from data in Markdown, where they stay texts: GitHub Flavored Markdown
// (https://github.github.com/gfm), what GitHub and GitLab add to it (mentions, references, emoji, formulas),
// and GitHub's own advice to put a character into a <span> where a backslash does not keep it. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_MARKDOWN_TEXT_H_
#define LEAFSCORE_ENGINE_REPORT_MARKDOWN_TEXT_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Appends a text that stands within a line or a cell of a table: what it holds is no markup. Line ends become
// spaces. REQUIRES: valid UTF-8.
void AppendMarkdownCell(std::string& out, std::string_view text);

// Appends a text with which a paragraph or an item of a list begins: it also begins no list, rule, table or
// block of code.
void AppendMarkdownLine(std::string& out, std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_MARKDOWN_TEXT_H_
