// engine/config/canonical_config.h: scorers as the text of a configuration, and from values of the public
// interface.
#ifndef LEAFSCORE_ENGINE_CONFIG_CANONICAL_CONFIG_H_
#define LEAFSCORE_ENGINE_CONFIG_CANONICAL_CONFIG_H_

#include <span>
#include <string>

#include "engine/config/config_value.h"
#include "engine/config/scorer_specs.h"
#include "leafscore/plan.h"

namespace leafscore::internal {

// Returns the configuration that ReadScorerSpecs reads as these scorers, options in their order. It is JSON,
// but for unquoted scalars that are a bool or number only in YAML's spelling (0x1F, True), for which all of
// it is YAML: how such a scalar is meant, as text or as a number, only its scorer knows.
std::string CanonicalConfig(std::span<const ScorerSpec> specs);

// Returns the configuration that lists these scorers; the line of each is its position, from 1.
// ERRORS: kUsage when a map has a name twice, a text is not UTF-8 or a number not finite.
ConfigValue ConfigOf(std::span<const ScorerConfig> scorers, const std::string& source_name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_CANONICAL_CONFIG_H_
