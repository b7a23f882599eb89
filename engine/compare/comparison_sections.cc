#include "engine/compare/comparison_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_names.h"
#include "engine/report/human_numbers.h"

namespace leafscore::internal {
namespace {

using Kind = Section::Kind;

constexpr std::size_t kMaxFailedGates = 50;

Section FailedGates(std::span<const GateResult> gates, bool several_files) {
  Section section{.kind = Kind::kGates, .title = "Failed gates"};
  std::size_t failed = 0;
  for (const GateResult& gate : gates) {
    if (gate.passed || ++failed > kMaxFailedGates) continue;
    section.lines.push_back({0, GateName(gate, several_files) + ": " + Visible(gate.sentence)});
  }
  if (failed > kMaxFailedGates) {
    section.lines.push_back({0, fmt::format("and {} more", failed - kMaxFailedGates)});
  }
  return section;
}

// Returns for example "3 ids in the base only, 0 in the new file: a, b, c".
std::string OnOneSide(const ListedIds& ids, std::string_view side, std::string_view other, bool common_only) {
  std::string text = fmt::format("{} in {} only, {}: ", Counted(ids.count, "id", "ids"), side,
                                 common_only ? "left out" : fmt::format("0 in {}", other));
  for (const std::string& id : ids.first) (text += &id == &ids.first.front() ? "" : ", ") += ShownName(id);
  return ids.count > ids.first.size() ? text + ", …" : text;
}

Section Files(const Comparison& comparison) {
  Section section{.kind = Kind::kFiles, .title = "Files"};
  section.lines.push_back({0, "base: " + ShownName(comparison.base)});
  for (const FileComparison& file : comparison.files) {
    section.lines.push_back(
        {0, fmt::format("new: {}: {}, {} compared", ShownName(file.file), NameOf(file.verdict),
                        Counted(file.records, "record", "records"))});
    const auto add = [&](std::uint64_t count, const std::string& text) {
      if (count > 0) section.lines.push_back({1, text});
    };
    add(file.only_base.count, OnOneSide(file.only_base, "the base", "the new file", comparison.common_only));
    add(file.only_now.count, OnOneSide(file.only_now, "the new file", "the base", comparison.common_only));
    add(file.base_repeated, fmt::format("lines of the base that others of their id replace: {}",
                                        WithThousands(file.base_repeated)));
    add(file.now_repeated, fmt::format("lines of the new file that others of their id replace: {}",
                                       WithThousands(file.now_repeated)));
    add(file.not_asked, fmt::format("lines that answer no id of the gold, and are left out: {}",
                                    WithThousands(file.not_asked)));
  }
  return section;
}

}  // namespace

std::string InFile(const Comparison& comparison, const FileComparison& file) {
  return comparison.files.size() > 1 ? ", " + ShownName(file.file) : "";
}

std::string GateName(const GateResult& gate, bool several_files) {
  std::string name = Visible(gate.gate);
  if (!gate.scorer.empty()) name += ", " + ShownName(gate.scorer);
  if (gate.group) name += ", group " + ShownName(*gate.group);
  if (gate.field) name += ", field " + ShownName(*gate.field);
  return several_files ? name + ", " + ShownName(gate.file) : name;
}

std::vector<Section> SectionsOf(const Comparison& comparison, std::span<const GateResult> gates,
                                std::size_t max_fields) {
  std::vector<Section> sections;
  const auto add = [&](Section section) {
    if (section.rows.size() > 1 || !section.lines.empty()) sections.push_back(std::move(section));
  };
  add(FailedGates(gates, comparison.files.size() > 1));
  add(Files(comparison));
  const auto for_scorers = [&](const auto& make) {
    for (const FileComparison& file : comparison.files) {
      for (const ScorerComparison& scorer : file.scorers) {
        add(make(scorer, ShownName(scorer.scorer) + InFile(comparison, file)));
      }
    }
  };
  add(AllFiles(comparison));
  for (const FileComparison& file : comparison.files) {
    add(Scorers(comparison, file));
    add(RecordByRecord(comparison, file));
  }
  for_scorers(
      [&](const ScorerComparison& scorer, const std::string& of) { return Groups(comparison, scorer, of); });
  for_scorers([&](const ScorerComparison& scorer, const std::string& of) {
    return WhereItWent(scorer, of, max_fields);
  });
  for (const FileComparison& file : comparison.files) add(Flips(comparison, file));
  for_scorers(WorstRecords);
  for (const FileComparison& file : comparison.files) add(AskedAgain(comparison, file));
  for_scorers([&](const ScorerComparison& scorer, const std::string& of) {
    return WorseTests(comparison, scorer, of);
  });
  for_scorers(FlakyTests);
  add(Notes(comparison));
  return sections;
}

}  // namespace leafscore::internal
