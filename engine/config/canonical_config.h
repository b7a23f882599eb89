// engine/config/canonical_config.h: turns scorers into the text of a configuration, and values of the public
// interface into a configuration.
#ifndef LEAFSCORE_ENGINE_CONFIG_CANONICAL_CONFIG_H_
#define LEAFSCORE_ENGINE_CONFIG_CANONICAL_CONFIG_H_

#include <span>
#include <string>

#include "engine/config/config_value.h"
#include "engine/config/scorer_specs.h"
#include "leafscore/plan.h"

namespace leafscore::internal {

// Returns a configuration that ReadScorerSpecs reads back as these scorers, with the options in the same
// order. It is JSON, unless an unquoted scalar is a bool or number only as YAML spells it (0x1F, True). In
// that case, all of it is YAML, because only the scorer knows whether it wants the scalar as text or as a
// number.
std::string CanonicalConfig(std::span<const ScorerSpec> specs);

// Returns the configuration that lists these scorers; the line of each is its position, from 1.
// ERRORS: Error(kUsage) if a map has a name twice, a text is not UTF-8 or a number is not finite.
ConfigValue ConfigOf(std::span<const ScorerConfig> scorers, const std::string& source_name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_CANONICAL_CONFIG_H_
