#include "engine/rank/asked_ids.h"

#include <algorithm>

namespace leafscore::internal {
namespace {

// Which models have lines for an id.
enum class Owners : std::uint8_t { kNone, kOne, kSeveral };

void AddFields(const ModelLines& lines, AskedIds& asked) {
  for (std::size_t i = 0; i < lines.fields.size(); ++i) {
    const FieldTally& tally = lines.fields[i];
    if (tally.fields == 0) continue;
    asked.fields.resize(asked.index.size());
    AskedIds::Fields& fields = asked.fields[lines.answers[i].id];
    fields.all = std::max(fields.all, tally.fields);
    fields.expected = std::max(fields.expected, tally.expected());
  }
}

}  // namespace

AskedIds FindAsked(const ScoreSheet& sheet, std::span<const ModelLines> models,
                   std::span<const std::uint32_t> place) {
  AskedIds asked;
  asked.index.assign(sheet.ids.size(), AskedIds::kNotShared);
  std::vector<Owners> owners(sheet.ids.size());
  std::vector<std::uint32_t> latest_model(sheet.ids.size());
  bool any_real = false;
  std::size_t with_answers = 0;  // of the models
  for (const ModelLines& lines : models) {
    with_answers += !lines.answers.empty();
    AddFields(lines, asked);
    for (const Answer& answer : lines.answers) {
      any_real |= sheet.ids[answer.id].front() == ScoreSheet::kRealId;
      asked.has_verdicts |= answer.passed >= 0;
      Owners& of_id = owners[answer.id];
      if (of_id == Owners::kOne && latest_model[answer.id] != lines.model) of_id = Owners::kSeveral;
      if (of_id == Owners::kNone) of_id = Owners::kOne;
      latest_model[answer.id] = lines.model;
    }
  }

  const char kind = any_real ? ScoreSheet::kRealId : ScoreSheet::kRecordNumber;
  asked.common.resize(owners.size());
  for (std::uint32_t id = 0; id < owners.size(); ++id) {
    asked.common[id] = owners[id] == Owners::kSeveral && sheet.ids[id].front() == kind;
  }
  asked.apart.resize(sheet.models.size());
  for (const ModelLines& lines : models) {
    const auto is_common = [&](const Answer& answer) { return asked.common[answer.id]; };
    asked.apart[lines.model] =
        with_answers > 1 && !lines.answers.empty() && std::ranges::none_of(lines.answers, is_common);
  }
  for (std::uint32_t id = 0; id < owners.size(); ++id) {
    if (owners[id] == Owners::kNone || sheet.ids[id].front() != kind) continue;
    if (!asked.common[id] && asked.apart[latest_model[id]]) continue;
    asked.shared.push_back(id);
  }
  std::ranges::sort(asked.shared, {}, [&](std::uint32_t id) { return place[id]; });
  for (std::uint32_t i = 0; i < asked.shared.size(); ++i) asked.index[asked.shared[i]] = i;
  return asked;
}

}  // namespace leafscore::internal
