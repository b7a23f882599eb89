#include "engine/run/joined_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "engine/base/memory_account.h"
#include "engine/base/suggest.h"
#include "engine/run/field_presence.h"
#include "engine/run/file_options.h"
#include "leafscore/error.h"

namespace leafscore::internal {

void JoinedFiles::Read(const FileOptions& of_table, const char* id_option, std::string_view what_takes,
                       std::optional<GoldTable>& table, const std::function<std::size_t()>& then) {
  const std::size_t share = plan_.gold_memory - memory_;
  const MemoryScope scope(share);
  std::size_t later = 0;
  try {
    ReaderOptions reading = ReaderOptionsOf(options_, plan_);
    reading.shard.reset();  // only the answers are sharded
    reading.limit = 0;      // only the answers are limited
    reading.ranges = false;
    table.emplace(of_table, reading, plan_.mapped_gold, id_option);
    if (IsStopped(options_)) throw Error(ErrorCode::kInterrupted, "stopped while reading " + of_table.gold);
    later = then();
  } catch (const std::bad_alloc&) {
    if (scope.refused()) ThrowOverBudget(what_takes, share);
    throw;
  }
  const std::size_t mapped = table->mapped() ? plan_.mapped_gold : 0;
  const auto taken = static_cast<std::size_t>(std::max<std::int64_t>(scope.used(), 0)) + later + mapped;
  if (taken > share) ThrowOverBudget(what_takes, share);
  memory_ += taken;
}

void JoinedFiles::ReadGold(bool needs_expected, const std::function<std::size_t()>& then) {
  Read(options_, "--gold-id-field", "the gold takes", gold_, [&] {
    CheckFieldsAreThere(gold_->presence(), WantedGoldFields(options_, needs_expected),
                        "no record of " + options_.gold);
    return then();
  });
}

void JoinedFiles::ReadBase(const std::function<std::size_t()>& then) {
  const char* const id_option = options_.join_field.empty() ? "--id-field" : "--join";
  Read(BaseOptions(options_), id_option, "the answers of --versus take", base_, [&] {
    const WantedField answer{options_.actual_field, "--actual-field", GoldTable::kExpectedField};
    CheckFieldsAreThere(base_->presence(), {&answer, 1}, "no record of " + options_.versus);
    if (const ListedIds& repeated = base_->counts().duplicates; repeated.count != 0) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{} has several answers to an id, such as {} ({} in all), but answers are "
                              "compared with one to each: keep one",
                              options_.versus, QuoteForMessage(repeated.first.front()), repeated.count));
    }
    return then();
  });
}

}  // namespace leafscore::internal
