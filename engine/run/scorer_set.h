// engine/run/scorer_set.h: the configured scorers of a run, in order.
// THREADS: immutable once made; any number of threads may read it.
#ifndef LEAFSCORE_ENGINE_RUN_SCORER_SET_H_
#define LEAFSCORE_ENGINE_RUN_SCORER_SET_H_

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/config/canonical_config.h"
#include "engine/config/scorer_specs.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

struct NamedScorer {
  std::string name;
  std::unique_ptr<Scorer> scorer;
  ConfigValue options;  // the options as read, with defaults (OptionReader::read)
  std::optional<std::string> criteria_key = {};
  std::optional<double> final_weight = {};
};

class ScorerSet {
 public:
  // ERRORS: Error(kUsage) with source and line for a wrong option or an unknown type of scorer (the message
  //         names the nearest type).
  ScorerSet(std::vector<ScorerSpec> specs, const std::string& source_name);

  ScorerSet() = default;  // no scorers

  std::span<const NamedScorer> scorers() const { return scorers_; }
  std::vector<std::string> names() const;
  std::span<const ScorerSpec> specs() const { return specs_; }
  // Returns the names of the members of a record that the scorers read in addition to its expected and actual
  // value, each name once.
  std::vector<std::string> record_fields() const;
  // Returns whether any scorer needs expected values.
  bool needs_expected() const {
    return std::ranges::any_of(scorers_, [](const NamedScorer& named) {
      return named.criteria_key || named.scorer->needs_expected();
    });
  }
  // Returns the sum of Scorer::question_bytes over the scorers.
  std::size_t question_bytes(std::size_t records) const {
    std::size_t bytes = 0;
    for (const NamedScorer& named : scorers_) bytes += named.scorer->question_bytes(records);
    return bytes;
  }
  // Returns whether any scorer asks models.
  bool asks() const { return question_bytes(1) != 0; }
  // Returns whether any scorer asks models or the user's programs, which should not be asked twice.
  bool asks_others() const {
    return asks() || std::ranges::any_of(
                         scorers_, [](const NamedScorer& named) { return !named.scorer->files().empty(); });
  }
  // Returns the scorers as a configuration in canonical form (engine/config/canonical_config.h).
  std::string config() const { return CanonicalConfig(specs_); }

 private:
  std::vector<ScorerSpec> specs_;
  std::vector<NamedScorer> scorers_;
};

// Returns specs of scorers of these types, with default options and the types as names.
std::vector<ScorerSpec> DefaultScorerSpecs(std::span<const std::string> types);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SCORER_SET_H_
