// engine/scorers/records/revisions.h: `records` by the rules of other metrics, each in its own file.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_REVISIONS_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_REVISIONS_H_

#include <memory>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

// ANLS*, from the package anls-star 1.0 (Peer et al., 2024, arXiv:2402.03848).
std::unique_ptr<Scorer> MakeAnlsStar(const OptionReader& options);

// The unified value metric of ExtractBench (github.com/run-llama/ExtractBench), as of September 2026.
std::unique_ptr<Scorer> MakeExtractBench(const OptionReader& options);

// The package omni-extract-bench 0.1 (micro1, 2026).
std::unique_ptr<Scorer> MakeOmniBench(const OptionReader& options);

// SOB, from its evaluate.py of June 2026, by position and with a schema.
std::unique_ptr<Scorer> MakeSob(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_REVISIONS_H_
