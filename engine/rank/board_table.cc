#include "engine/rank/board_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/report/look_alikes.h"
#include "engine/report/markdown_text.h"

namespace leafscore::internal {
namespace {

void AppendLatex(const BoardTable& table, std::string& text) {
  const std::size_t columns = table.rows[0].size();
  text += "\\begin{tabular}{" + std::string(table.left_columns, 'l') +
          std::string(columns - table.left_columns, 'r') + "}\n\\toprule\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (r == 1 || (table.foot_rows > 0 && r == table.rows.size() - table.foot_rows)) text += "\\midrule\n";
    for (std::size_t c = 0; c < columns; ++c) {
      if (c > 0) text += " & ";
      const bool bold = table.bold.contains({r, c});
      if (bold) text += "\\textbf{";
      AppendLatexCell(text, table.rows[r][c]);
      if (bold) text += '}';
    }
    text += " \\\\\n";
  }
  text += "\\bottomrule\n\\end{tabular}\n";
}

void AppendPlain(const BoardTable& table, std::string& text) {
  std::vector<TextRow> rows = table.rows;
  for (const auto& [row, column] : table.bold) rows[row][column].insert(0, table.plain_mark);
  AppendAligned(rows, table.left_columns, text);
}

}  // namespace

void AppendTable(std::string_view title, const BoardTable& table, LeaderboardFormat format,
                 std::string& text) {
  if (format == LeaderboardFormat::kMarkdown) {
    text += "### ";
    AppendMarkdownCell(text, title);
    text += "\n\n";
    AppendMarkdownTable(table.rows, table.left_columns, text, table.bold);
  } else if (format == LeaderboardFormat::kLatex) {
    (text += "% ").append(title) += '\n';
    AppendLatex(table, text);
  } else {
    text.append(title) += '\n';
    AppendPlain(table, text);
  }
}

void AppendNote(std::string_view note, LeaderboardFormat format, std::string& text) {
  text += '\n';
  if (format == LeaderboardFormat::kMarkdown) {
    AppendMarkdownLine(text, note);
  } else {
    const std::string_view line_begin = format == LeaderboardFormat::kLatex ? "% " : "";
    text += line_begin;
    for (const char c : note) {
      text += c;
      if (c == '\n') text += line_begin;
    }
  }
  text += '\n';
}

void AppendNamesNote(std::string_view about, const std::vector<std::string>& names, LeaderboardFormat format,
                     std::string& text) {
  if (!names.empty()) AppendNote(fmt::format("{}: {}", about, fmt::join(names, ", ")), format, text);
}

SourceAnswers AnswersOf(const LeaderboardRow& row) {
  const std::uint64_t answers = row.scored + row.unreadable + row.unanswered + row.errors;
  return {row.model, answers, row.of_other_kind, row.unexpected_share};
}

void AppendModelNotes(std::span<const LeaderboardRow> rows, LeaderboardFormat format, std::string& text) {
  std::vector<SourceAnswers> answers;
  std::vector<std::string> models;
  std::vector<std::string> unverified;
  for (const LeaderboardRow& row : rows) {
    answers.push_back(AnswersOf(row));
    models.push_back(row.model);
    const std::string name = DisplayName(row.model);
    if (!row.verified && std::ranges::find(unverified, name) == unverified.end()) unverified.push_back(name);
  }
  const std::string alike = LookAlikeNotes(models);
  if (!alike.empty()) AppendNote(std::string_view(alike).substr(0, alike.size() - 1), format, text);
  AppendNamesNote("Not verified, for want of a manifest", unverified, format, text);
  if (std::string strange = StrangeAnswersText(answers); !strange.empty()) {
    strange[0] = static_cast<char>(strange[0] - 'a' + 'A');
    AppendNote(strange, format, text);
  }
}

std::string_view TableHead(LeaderboardFormat format) {
  if (format != LeaderboardFormat::kLatex) return "";
  return "% Needs \\usepackage{booktabs}, and LuaLaTeX or XeLaTeX with a font for names in other scripts.\n";
}

}  // namespace leafscore::internal
