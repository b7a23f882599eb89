// engine/render/document.h: what a report tells people, section by section, and the formats that it is shown
// in: text for terminals, Markdown and LaTeX. Plain values: all texts are valid UTF-8, safe to show on a
// terminal, and hold no markup; each format escapes them. Stateless.
#ifndef LEAFSCORE_ENGINE_RENDER_DOCUMENT_H_
#define LEAFSCORE_ENGINE_RENDER_DOCUMENT_H_

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leafscore::internal {

using TextRow = std::vector<std::string>;  // a text for each column

// The cells of a table by row and column.
using CellSet = std::set<std::pair<std::size_t, std::size_t>>;

struct Table {
  std::vector<TextRow> rows = {};    // of one length; the titles come first
  std::size_t left_columns = 1;      // columns of names, aligned left; the others are numbers, aligned right
  std::size_t foot_rows = 0;         // rows at the end that sum up
  CellSet bold = {};                 // Plain text has no bold:
  std::string_view plain_mark = {};  // there this stands before those cells.
};

// Each part may be empty. A title belongs to a table, a list or both.
struct Section {
  struct Item {
    std::size_t depth = 0;
    std::string text;  // may hold marks (engine/render/edit_marks.h)
  };

  std::string_view part = {};  // what the section tells of, where a maker leaves sections out by that name
  std::string title = {};
  Table table = {};
  std::vector<Item> items = {};         // a list below the table
  std::vector<std::string> notes = {};  // paragraphs, which may have several lines
  bool items_in_latex = false;          // as comments; LaTeX has no other list
};

struct Document {
  std::string headline = {};  // one line
  std::vector<Section> sections = {};
};

// Returns the document for a terminal. A colour is an escape sequence in the texts themselves; `colour`
// is for the marks of items.
std::string RenderText(const Document& document, bool colour = false);

std::string RenderMarkdown(const Document& document);

// Returns tables for papers, which need the package booktabs; titles and notes are comments.
std::string RenderLatex(const Document& document);

// Append a table alone, or a section with an empty line before it. REQUIRES: the table has a row.
void AppendTextTable(const Table& table, std::string& text);
void AppendMarkdownTable(const Table& table, std::string& text);
void AppendMarkdownSection(const Section& section, std::string& text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_DOCUMENT_H_
