#include "engine/evaluate/evaluation_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "engine/base/display.h"
#include "engine/base/utf8.h"
#include "engine/evaluate/asked_scenarios.h"
#include "engine/evaluate/report_folder.h"
#include "engine/evaluate/report_list.h"

namespace leafscore::internal {
namespace {

// In pixels.
constexpr int kWidth = 800;
constexpr int kBarLeft = 320;
constexpr int kBarWidth = 290;
constexpr int kTop = 44;
constexpr int kRow = 26;
constexpr int kBarHeight = 16;
constexpr int kTextBase = 13;  // below the top of a bar

constexpr std::size_t kMaxLabelBytes = 40;

// Returns a text on one line, as XML has it.
std::string Xml(std::string_view text) {
  std::string xml;
  for (const char c : DisplayText(text)) {
    switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '\n':
      case '\t':
        xml += ' ';
        break;
      default:
        xml += c;
    }
  }
  return xml;
}

std::string Label(const std::string& text) {
  const std::string_view clipped = ClipText(text, kMaxLabelBytes);
  return Xml(clipped) + (clipped.size() < text.size() ? "\u2026" : "");
}

}  // namespace

std::vector<PassBar> PassBars(const RunReport& asked, std::string_view field) {
  std::vector<PassBar> bars;
  for (const ScorerReport& scorer : asked.scorers) {
    for (const GroupFigures& group : scorer.groups) {
      if (group.field != field || !group.figures.over_all.pass_rate) continue;
      const std::string label = group.kind == GroupKind::kValue  ? group.value
                                : group.kind == GroupKind::kNone ? "unknown"
                                                                 : "(others)";
      auto bar = std::ranges::find(bars, label, &PassBar::label);
      if (bar == bars.end()) bar = bars.insert(bar, {label});
      const auto records = static_cast<double>(group.figures.asked);
      bar->passed += *group.figures.over_all.pass_rate * records;
      bar->asked += records;
      bar->passed_answers += static_cast<double>(group.figures.passed.value_or(0));
    }
  }
  std::ranges::sort(bars, {}, &PassBar::label);
  return bars;
}

std::string PassChart(std::string_view title, const std::vector<PassBar>& bars) {
  const std::size_t height = kTop + kRow * bars.size() + 12;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
      "<text x=\"12\" y=\"26\" font-size=\"15\" font-weight=\"bold\">{2}</text>\n",
      kWidth, height, Xml(title));
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const PassBar& bar = bars[i];
    const double rate = bar.asked > 0 ? bar.passed / bar.asked : 0;
    const std::size_t y = kTop + kRow * i;
    // Several runs of a scenario are one by their shares, of which no count of runs tells.
    const bool is_repeated = std::abs(bar.passed - bar.passed_answers) > 1e-6;
    const std::string counts =
        is_repeated ? "" : fmt::format(" ({:.6g} of {:.6g})", bar.passed_answers, bar.asked);
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n"
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#e3e6ea\"/>\n"
        "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"#2f6fb0\"/>\n"
        "<text x=\"{}\" y=\"{}\">{:.1f}%{}</text>\n",
        kBarLeft - 10, y + kTextBase, Label(bar.label), kBarLeft, y, kBarWidth, kBarHeight, kBarLeft, y,
        kBarWidth * rate, kBarHeight, kBarLeft + kBarWidth + 10, y + kTextBase, rate * 100, counts);
  }
  return svg + "</svg>\n";
}

std::vector<std::string> WriteCharts(const RunReport& asked, const std::string& folder) {
  ReportFolder charts(folder);
  std::vector<std::string> paths;
  const auto write = [&](const std::string& name, std::string_view title, std::string_view field) {
    charts.Record(name, charts.Write(name, PassChart(title, PassBars(asked, field))));
    paths.push_back(folder + "/" + name);
  };
  write("pass_rate_by_runner_and_model.svg", "Passed of all scenarios asked for, by runner and model",
        kRunnerAndModelField);
  write("pass_rate_by_scenario_type.svg", "Passed of all scenarios asked for, by scenario type",
        kScenarioTypeField);
  charts.EndList(/*clean=*/false);
  return paths;
}

void RemoveCharts(const std::string& folder) {
  std::error_code none;
  if (!std::filesystem::exists(fmt::format("{}/{}", folder, kReportListName), none)) return;
  const bool removed_any = ReportFolder(folder).EndList(/*clean=*/true).removed != 0;
  if (!removed_any || std::filesystem::is_symlink(folder, none)) return;
  std::filesystem::remove(folder, none);  // unless something else lies there
}

}  // namespace leafscore::internal
