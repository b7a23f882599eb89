#include "engine/compare/field_rates.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace leafscore::internal {

void FieldRates::Rates::Add(std::uint32_t unit, const Counts& base, const Counts& now) {
  const auto given = [](const Counts& side) { return PartOfWhole{side.right, side.right + side.extra}; };
  const auto expected = [](const Counts& side) { return PartOfWhole{side.right, side.right + side.missing}; };
  const auto both = [](const Counts& side) {
    return PartOfWhole{2 * side.right, 2 * side.right + side.extra + side.missing};
  };
  precision.Add(unit, given(base), given(now));
  recall.Add(unit, expected(base), expected(now));
  f1.Add(unit, both(base), both(now));
}

void FieldRates::Add(std::uint32_t id, std::uint32_t unit) {
  const auto list_of = [&](const SideScores& side) {
    const auto list = std::ranges::equal_range(side.field_counts, id, {}, &FieldCountsOfId::id);
    return std::span(list.begin(), list.end());
  };
  const std::span<const FieldCountsOfId> base = list_of(base_);
  const std::span<const FieldCountsOfId> now = list_of(now_);
  const bool base_missed = base.empty() && !base_.Of(id).is_scored();
  const bool now_missed = now.empty() && !now_.Of(id).is_scored();
  if ((base.empty() && !base_missed) || (now.empty() && !now_missed)) return;

  // Returns the counts of a side in a field. If the side has no answer, all values that the other side
  // expects count as missing.
  const auto counts_of = [](const FieldCountsOfId* own, bool missed, const FieldCountsOfId* other) {
    if (own != nullptr) return Counts{own->right, own->extra, own->missing};
    return missed && other != nullptr ? Counts{0, 0, other->right + other->missing} : Counts{};
  };
  Counts base_sum;
  Counts now_sum;
  const auto add_to = [](Counts& sum, const Counts& counts) {
    sum = {sum.right + counts.right, sum.extra + counts.extra, sum.missing + counts.missing};
  };
  auto b = base.begin();
  auto n = now.begin();
  while (b != base.end() || n != now.end()) {
    const bool in_base = b != base.end() && (n == now.end() || b->field <= n->field);
    const bool in_now = n != now.end() && (b == base.end() || n->field <= b->field);
    const std::uint32_t field = in_base ? b->field : n->field;
    const FieldCountsOfId* const of_base = in_base ? &*b : nullptr;
    const FieldCountsOfId* const of_now = in_now ? &*n : nullptr;
    b += in_base;
    n += in_now;
    if (field == ComparedNames::kNone) continue;
    const Counts base_counts = counts_of(of_base, base_missed, of_now);
    const Counts now_counts = counts_of(of_now, now_missed, of_base);
    fields_[field].Add(unit, base_counts, now_counts);
    add_to(base_sum, base_counts);
    add_to(now_sum, now_counts);
  }
  all_.Add(unit, base_sum, now_sum);
}

void FieldRates::Fill(const ComparedNames& names, const ComparisonOptions& options, const std::string& scorer,
                      std::vector<ComparedRow>& rows, std::vector<FigureWork>& work) const {
  std::vector<const PairedShare*> shares;  // by row
  const auto add = [&](const std::optional<std::string>& field, const Rates& rates) {
    for (const auto& [rate, share] : {std::pair(FieldRate::kPrecision, &rates.precision),
                                      {FieldRate::kRecall, &rates.recall},
                                      {FieldRate::kF1, &rates.f1}}) {
      // Skips precision and F1 for --anytime, because there the contribution of a record depends on all
      // records, even on future ones.
      if (!share->has_both() || (options.anytime && rate != FieldRate::kRecall)) continue;
      ComparedRow& row = rows.emplace_back();
      row.scorer = scorer;
      row.field = field;
      row.rate = rate;
      share->CountUnits(row);
      shares.push_back(share);
    }
  };
  add(std::nullopt, all_);
  std::map<std::string_view, const Rates*> by_name;
  for (const auto& [field, rates] : fields_) by_name.emplace(names.fields[field], &rates);
  for (const auto& [name, rates] : by_name) add(std::string(name), *rates);
  for (std::size_t r = 0; r < rows.size(); ++r) work.emplace_back(shares[r], &rows[r].mean);
}

}  // namespace leafscore::internal
