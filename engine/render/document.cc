#include "engine/render/document.h"

#include <algorithm>
#include <numeric>

#include "engine/render/display_width.h"
#include "engine/render/edit_marks.h"
#include "engine/render/markup.h"

namespace leafscore::internal {
namespace {

// A paragraph or section begins with an empty line, unless it is the first.
void Separate(std::string& text) {
  if (!text.empty()) text += '\n';
}

void AppendLatexTable(const Table& table, std::string& text) {
  const std::size_t columns = table.rows[0].size();
  text += "\\begin{tabular}{" + std::string(table.left_columns, 'l') +
          std::string(columns - table.left_columns, 'r') + "}\n\\toprule\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (table.foot_rows > 0 && r == table.rows.size() - table.foot_rows) text += "\\midrule\n";
    for (std::size_t c = 0; c < columns; ++c) {
      std::string_view cell = table.rows[r][c];
      const bool bold = table.bold.contains({r, c});
      if (c > 0) text += " & ";
      if (bold) text += "\\textbf{";
      if (r > 0 && c >= table.left_columns && cell.size() > 1 && cell[0] == '-') {
        text += "$-$";  // a minus, where "-" would be a hyphen
        cell.remove_prefix(1);
      }
      AppendLatexCell(text, cell);
      if (bold) text += '}';
    }
    text += r == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
  }
  text += "\\bottomrule\n\\end{tabular}\n";
}

// Appends a comment for each line of the text.
void AppendLatexComment(std::string_view lines, std::string& text) {
  text += "% ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "% ";
  }
  text += '\n';
}

void AppendLatexSection(const Section& section, std::string& text) {
  if (!section.table.rows.empty()) {
    Separate(text);
    AppendLatexComment(section.title, text);
    AppendLatexTable(section.table, text);
  }
  if (section.items_in_latex && !section.items.empty()) {
    Separate(text);
    for (const Section::Item& item : section.items) AppendLatexComment(item.text, text);
  }
  for (const std::string& note : section.notes) {
    Separate(text);
    AppendLatexComment(note, text);
  }
}

// Returns a cell as plain text shows it.
std::string PlainCell(const Table& table, std::size_t r, std::size_t c) {
  return std::string(table.bold.contains({r, c}) ? table.plain_mark : "") + table.rows[r][c];
}

std::vector<std::size_t> ColumnWidths(const Table& table) {
  std::vector<std::size_t> widths(table.rows[0].size());
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (std::size_t c = 0; c < widths.size(); ++c)
      widths[c] = std::max(widths[c], DisplayWidth(PlainCell(table, r, c)));
  }
  return widths;
}

constexpr std::string_view kColumnGap = "  ";

std::size_t TableWidth(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), (widths.size() - 1) * kColumnGap.size());
}

void AppendTableRows(const Table& table, const std::vector<std::size_t>& widths, std::string& text) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const std::string shown = PlainCell(table, r, c);
      const std::string padding(widths[c] - DisplayWidth(shown), ' ');
      if (c > 0) text += kColumnGap;
      text += c < table.left_columns ? shown + padding : padding + shown;
    }
    text += '\n';
  }
}

// Returns a table without its idle columns. Columns of names are never idle.
Table WithoutIdle(const Table& table) {
  Table kept = table;
  kept.idle.clear();
  kept.bold.clear();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    kept.rows[r].clear();
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
      if (std::ranges::binary_search(table.idle, c)) continue;
      if (table.bold.contains({r, c})) kept.bold.insert({r, kept.rows[r].size()});
      kept.rows[r].push_back(table.rows[r][c]);
    }
  }
  return kept;
}

// Returns a line that names the idle columns.
std::string IdleNote(const Table& table) {
  std::string names;
  for (const std::size_t c : table.idle) names += (names.empty() ? "" : ", ") + table.rows[0][c];
  return "(left out, as they add nothing here: " + names + ")\n";
}

void AppendTextSection(const Section& section, bool colour, std::size_t columns, std::string& text) {
  if (!section.title.empty()) {
    Separate(text);
    text += section.title + '\n';
  }
  if (!section.table.rows.empty()) AppendTextTable(section.table, text, columns);
  for (const Section::Item& item : section.items) {
    text.append(2 * (item.depth + 1), ' ') += RenderMarks(item.text, colour) + '\n';
  }
  for (const std::string& note : section.notes) {
    Separate(text);
    text += note + '\n';
  }
}

}  // namespace

void AppendTextTable(const Table& table, std::string& text, std::size_t columns) {
  const std::vector<std::size_t> widths = ColumnWidths(table);
  if (columns == 0 || TableWidth(widths) <= columns || table.idle.empty())
    return AppendTableRows(table, widths, text);
  const Table kept = WithoutIdle(table);
  AppendTableRows(kept, ColumnWidths(kept), text);
  text += IdleNote(table);
}

void AppendMarkdownTable(const Table& table, std::string& text) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
      const std::string_view mark = table.bold.contains({r, c}) ? "**" : "";
      (text += "| ") += mark;
      AppendMarkdownCell(text, table.rows[r][c]);
      (text += mark) += ' ';
    }
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) text += c < table.left_columns ? "|---" : "|---:";
    text += "|\n";
  }
}

void AppendMarkdownSection(const Section& section, std::string& text) {
  if (!section.title.empty()) {
    Separate(text);
    text += "### ";
    AppendMarkdownCell(text, section.title);
    text += "\n\n";
  }
  AppendMarkdownTable(section.table, text);
  if (!section.table.rows.empty() && !section.items.empty()) text += '\n';
  for (const Section::Item& item : section.items) {
    text.append(2 * item.depth, ' ') += "- ";
    AppendMarkdownLine(text, RenderMarks(item.text, /*colour=*/false));
    text += '\n';
  }
  for (const std::string& note : section.notes) {
    Separate(text);
    AppendMarkdownLine(text, note);
    text += '\n';
  }
}

std::string RenderText(const Document& document, bool colour, std::size_t columns) {
  std::string text = document.headline.empty() ? "" : document.headline + '\n';
  for (const Section& section : document.sections) AppendTextSection(section, colour, columns, text);
  return text;
}

std::string RenderMarkdown(const Document& document) {
  std::string text;
  if (!document.headline.empty()) {
    text += "## ";
    AppendMarkdownCell(text, document.headline);
    text += '\n';
  }
  for (const Section& section : document.sections) AppendMarkdownSection(section, text);
  return text;
}

std::string RenderLatex(const Document& document) {
  std::string sections;
  for (const Section& section : document.sections) AppendLatexSection(section, sections);
  if (document.headline.empty()) {
    return "% Needs \\usepackage{booktabs}, and LuaLaTeX or XeLaTeX with a font for names in other "
           "scripts.\n" +
           sections;
  }
  return "% " + document.headline + "\n% needs \\usepackage{booktabs}\n\n" + sections;
}

}  // namespace leafscore::internal
