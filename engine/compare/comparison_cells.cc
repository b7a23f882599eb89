#include "engine/compare/comparison_cells.h"

#include <fmt/format.h>

#include "engine/base/display.h"
#include "engine/base/utf8.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/row_figures.h"
#include "engine/render/cells.h"
#include "engine/render/document.h"

namespace leafscore::internal {
namespace {

// Returns the number, without a sign if it rounds to zero.
std::string Rounded(const char* format, double number) {
  std::string text = fmt::format(fmt::runtime(format), number);
  return text.find_first_not_of("+-0.") == std::string::npos ? "0.0000" : text;
}

}  // namespace

std::string Visible(std::string_view bytes) {
  const std::string valid = ReplaceInvalidUtf8(bytes);
  std::string shown;
  for (const std::string_view c : SplitCodePoints(valid)) shown += VisibleCodePoint(c);
  return shown;
}

std::string ShownName(std::string_view bytes) { return DisplayName(ReplaceInvalidUtf8(bytes)); }

std::string Signed(std::optional<double> number) { return number ? Rounded("{:+.4f}", *number) : "-"; }

std::string Confidence(double alpha) { return fmt::format("{:.6g}%", 100 * (1 - alpha)); }

std::optional<double> FinalP(const ComparedFigure& figure) {
  return figure.p_corrected ? figure.p_corrected : figure.p;
}

std::string_view OutcomeText(std::optional<Outcome> outcome) {
  return outcome ? OutcomeName(*outcome) : "no line";
}

std::string_view ShortNameOf(Correction correction) {
  switch (correction) {
    case Correction::kHolm:
      return "Holm";
    case Correction::kBenjaminiHochberg:
      return "BH";
    case Correction::kNone:
      break;
  }
  return "";
}

std::string PTitle(const Comparison& comparison) {
  if (comparison.correction == Correction::kNone) return "p";
  return fmt::format("p ({})", ShortNameOf(comparison.correction));
}

TextRow FigureTitles(std::string_view name, const Comparison& comparison) {
  return {std::string(name),
          "verdict",
          "records",
          "base",
          "now",
          "difference",
          Confidence(comparison.alpha) + " from",
          "to",
          PTitle(comparison)};
}

std::string PartSuffix(ComparedPart part, const Comparison& comparison) {
  if (part == ComparedPart::kPassRate) return ", passed";
  return part == ComparedPart::kPassK ? fmt::format(", pass^{}", comparison.pass_k) : "";
}

std::string OutOf(std::uint64_t part, std::uint64_t all) {
  return fmt::format("{} of {}", WithThousands(part), WithThousands(all));
}

void AddFigures(std::string_view name, const ComparedRow& row, const Comparison& comparison,
                std::vector<TextRow>& rows) {
  ForEachFigure(row, [&](ComparedPart part, const ComparedFigure& figure) {
    const std::optional<Interval>& interval = figure.interval;
    rows.push_back({ShownName(name) + PartSuffix(part, comparison), std::string(NameOf(figure.verdict)),
                    WithThousands(row.records), FourDecimals(figure.base), FourDecimals(figure.now),
                    Signed(figure.difference), Signed(interval ? std::optional(interval->low) : std::nullopt),
                    Signed(interval ? std::optional(interval->high) : std::nullopt), PValue(FinalP(figure))});
  });
}

}  // namespace leafscore::internal
