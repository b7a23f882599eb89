#include "engine/render/document.h"

#include <algorithm>

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

void AppendTextSection(const Section& section, bool colour, std::string& text) {
  if (!section.title.empty()) {
    Separate(text);
    text += section.title + '\n';
  }
  if (!section.table.rows.empty()) AppendTextTable(section.table, text);
  for (const Section::Item& item : section.items) {
    text.append(2 * (item.depth + 1), ' ') += RenderMarks(item.text, colour) + '\n';
  }
  for (const std::string& note : section.notes) {
    Separate(text);
    text += note + '\n';
  }
}

}  // namespace

void AppendTextTable(const Table& table, std::string& text) {
  const auto cell = [&](std::size_t r, std::size_t c) {
    return std::string(table.bold.contains({r, c}) ? table.plain_mark : "") + table.rows[r][c];
  };
  const std::size_t columns = table.rows[0].size();
  std::vector<std::size_t> widths(columns);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) widths[c] = std::max(widths[c], DisplayWidth(cell(r, c)));
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string shown = cell(r, c);
      const std::string padding(widths[c] - DisplayWidth(shown), ' ');
      if (c > 0) text += "  ";
      text += c < table.left_columns ? shown + padding : padding + shown;
    }
    text += '\n';
  }
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

std::string RenderText(const Document& document, bool colour) {
  std::string text = document.headline.empty() ? "" : document.headline + '\n';
  for (const Section& section : document.sections) AppendTextSection(section, colour, text);
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
