// engine/render/document.h: a report for people, section by section, and its formats: text for terminals,
// Markdown and LaTeX. Plain values: all texts are valid UTF-8, safe to show on a terminal, and contain no
// markup; each format escapes them. Stateless.
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

// Cells of a table, by row and column.
using CellSet = std::set<std::pair<std::size_t, std::size_t>>;

struct Table {
  std::vector<TextRow> rows = {};    // all of the same length; the titles come first
  std::size_t left_columns = 1;      // columns of names, aligned left; the others are numbers, aligned right
  std::size_t foot_rows = 0;         // totals at the end
  CellSet bold = {};                 // cells in bold
  std::string_view plain_mark = {};  // plain text has no bold, and has this before such cells
  std::vector<std::size_t> idle = {};  // columns that add nothing, in order; a narrow terminal does without
};

// Any part may be empty. A title belongs to a table, a list or both.
struct Section {
  struct Item {
    std::size_t depth = 0;
    std::string text;  // may contain marks (engine/render/edit_marks.h)
  };

  std::string_view part = {};  // a name by which callers can leave the section out
  std::string title = {};
  Table table = {};
  std::vector<Item> items = {};         // a list below the table
  std::vector<std::string> notes = {};  // paragraphs, which may have several lines
  bool items_in_latex = false;          // as comments; other lists are left out of LaTeX
};

struct Document {
  std::string headline = {};  // on one line
  std::vector<Section> sections = {};
};

// Returns the document for a terminal that is `columns` wide; without a terminal, `columns` is 0. The texts
// already contain their escape sequences for colours, so `colour` applies only to the marks of items. A table
// that is wider than the terminal is shown without its idle columns, and a line below it names them.
std::string RenderText(const Document& document, bool colour = false, std::size_t columns = 0);

std::string RenderMarkdown(const Document& document);

// Returns LaTeX tables for papers. They need the package booktabs. Titles and notes become comments.
std::string RenderLatex(const Document& document);

// Append a single table, or a section after an empty line. REQUIRES: the table has a row.
void AppendTextTable(const Table& table, std::string& text, std::size_t columns = 0);  // as RenderText
void AppendMarkdownTable(const Table& table, std::string& text);
void AppendMarkdownSection(const Section& section, std::string& text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_DOCUMENT_H_
